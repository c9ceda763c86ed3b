package touchline.ingest.flv;

import java.lang.foreign.MemorySegment;

/**
 * The parsed header of one audio or video tag, and its body. Legacy headers are those of Adobe
 * Flash Video File Format 10.1 (E.4.2.1, E.4.3.1), the others those of Enhanced RTMP v2
 * (ExAudioTagHeader, ExVideoTagHeader). Immutable, any thread.
 *
 * <pre>
 * legacy video    frame type 4 bits, CodecID 4;  AVC and HEVC: packet type 8, composition time 24
 * legacy audio    AudioFormat 4, rate 2, size 1, type 1;  AAC: packet type 8
 * enhanced video  1, frame type 3, packet type 4;  FourCC 32;  composition time 24 where it has one
 * enhanced audio  9 (4 bits), packet type 4;  FourCC 32
 * ModEx           data size - 1: 8 bits (16 more if 255), data, ModEx type 4, packet type 4
 * multitrack      multitrack type 4, packet type 4;  FourCC;  per track: id 8, size 24 if many
 * </pre>
 *
 * @param content what the body is
 * @param keyFrame as the encoder says; true for audio
 * @param compositionTimeMs presentation time minus the tag's time
 * @param body a slice of the payload
 */
record FlvTag(
        FlvCodec codec,
        Content content,
        boolean keyFrame,
        int compositionTimeMs,
        MemorySegment body) {

    enum Content {
        /** A decoder configuration. */
        CONFIGURATION,
        /** One frame or some audio. */
        FRAMES,
        /** Ignored: ends of sequence, commands, tracks other than the first. */
        NOTHING
    }

    private static final int SEQUENCE_START = 0;
    private static final int CODED_FRAMES = 1;
    private static final int CODED_FRAMES_X = 3;
    private static final int METADATA = 4;
    private static final int MULTITRACK_AUDIO = 5;
    private static final int MULTITRACK_VIDEO = 6;
    private static final int MOD_EX = 7;

    private static final int KEY_FRAME = 1;
    private static final int COMMAND_FRAME = 5;
    private static final int ENHANCED_AUDIO_FORMAT = 9;

    private static final int ONE_TRACK = 0;
    private static final int MANY_TRACKS_MANY_CODECS = 2;

    /**
     * @param payload a video message, read-only
     * @throws UnsupportedCodecException with the codec's name
     * @throws touchline.media.codec.MalformedMediaException for a header that is cut off
     */
    static FlvTag video(MemorySegment payload) {
        if (payload.byteSize() == 0) {
            return nothing(FlvCodec.AVC);
        }
        FlvTagReader in = new FlvTagReader(payload);
        int first = in.u8();
        if ((first & 0x80) != 0) {
            return enhancedVideo(in, (first >> 4) & 0x7, first & 0xf);
        }
        int frameType = first >> 4;
        if (frameType == COMMAND_FRAME) {
            return nothing(FlvCodec.AVC);
        }
        FlvCodec codec = FlvCodec.ofVideoId(first & 0xf);
        int packetType = in.u8();
        int compositionTimeMs = in.s24();
        return new FlvTag(
                codec,
                legacyContent(packetType),
                frameType == KEY_FRAME,
                compositionTimeMs,
                in.rest());
    }

    /**
     * @param payload an audio message, read-only
     * @throws UnsupportedCodecException with the codec's name
     * @throws touchline.media.codec.MalformedMediaException for a header that is cut off
     */
    static FlvTag audio(MemorySegment payload) {
        if (payload.byteSize() == 0) {
            return nothing(FlvCodec.AAC);
        }
        FlvTagReader in = new FlvTagReader(payload);
        int first = in.u8();
        int audioFormat = first >> 4;
        if (audioFormat == ENHANCED_AUDIO_FORMAT) {
            return enhancedAudio(in, first & 0xf);
        }
        FlvCodec codec = FlvCodec.ofAudioFormat(audioFormat);
        Content content = codec == FlvCodec.AAC ? legacyContent(in.u8()) : Content.FRAMES;
        return audioTag(codec, content, in.rest());
    }

    private static FlvTag enhancedVideo(FlvTagReader in, int frameType, int firstPacketType) {
        int packetType = skipModEx(in, firstPacketType);
        if (packetType == METADATA || frameType == COMMAND_FRAME) {
            return nothing(FlvCodec.AVC);
        }
        Track track =
                packetType == MULTITRACK_VIDEO
                        ? firstTrack(in, /* video= */ true)
                        : new Track(packetType, FlvCodec.ofVideoFourCc(in.u32()), in, true);
        if (!track.wanted()) {
            return nothing(track.codec());
        }
        FlvTagReader body = track.body();
        Content content = enhancedContent(track.packetType());
        boolean hasCompositionTime =
                track.packetType() == CODED_FRAMES && track.codec() != FlvCodec.AV1;
        int compositionTimeMs = hasCompositionTime ? body.s24() : 0;
        return new FlvTag(
                track.codec(), content, frameType == KEY_FRAME, compositionTimeMs, body.rest());
    }

    private static FlvTag enhancedAudio(FlvTagReader in, int firstPacketType) {
        int packetType = skipModEx(in, firstPacketType);
        Track track =
                packetType == MULTITRACK_AUDIO
                        ? firstTrack(in, /* video= */ false)
                        : new Track(packetType, FlvCodec.ofAudioFourCc(in.u32()), in, true);
        boolean frames = track.packetType() != CODED_FRAMES_X;
        return track.wanted() && frames
                ? audioTag(track.codec(), enhancedContent(track.packetType()), track.body().rest())
                : nothing(track.codec());
    }

    /** Modifiers, e.g. nanosecond offsets, are not used. */
    private static int skipModEx(FlvTagReader in, int firstPacketType) {
        int packetType = firstPacketType;
        while (packetType == MOD_EX) {
            int size = in.u8() + 1;
            in.skip(size == 256 ? in.u16() + 1 : size);
            packetType = in.u8() & 0xf;
        }
        return packetType;
    }

    /**
     * @param wanted false for every track but the one with id 0
     */
    private record Track(int packetType, FlvCodec codec, FlvTagReader body, boolean wanted) {}

    /** Uses only track 0 of a multitrack message: a stream has one track of each kind. */
    private static Track firstTrack(FlvTagReader in, boolean video) {
        int types = in.u8();
        int multitrackType = types >> 4;
        int packetType = types & 0xf;
        FlvCodec codec = FlvCodec.AVC;
        if (multitrackType != MANY_TRACKS_MANY_CODECS) {
            codec = fourCc(in, video);
        }
        while (in.remaining() > 0) {
            if (multitrackType == MANY_TRACKS_MANY_CODECS) {
                codec = fourCc(in, video);
            }
            int trackId = in.u8();
            MemorySegment body = multitrackType == ONE_TRACK ? in.rest() : in.take(in.u24());
            if (trackId == 0) {
                return new Track(packetType, codec, new FlvTagReader(body), true);
            }
            if (multitrackType == ONE_TRACK) {
                break;
            }
        }
        return new Track(packetType, codec, in, false);
    }

    private static FlvCodec fourCc(FlvTagReader in, boolean video) {
        int fourCc = in.u32();
        return video ? FlvCodec.ofVideoFourCc(fourCc) : FlvCodec.ofAudioFourCc(fourCc);
    }

    private static Content legacyContent(int packetType) {
        return switch (packetType) {
            case 0 -> Content.CONFIGURATION;
            case 1 -> Content.FRAMES;
            default -> Content.NOTHING;
        };
    }

    private static Content enhancedContent(int packetType) {
        return switch (packetType) {
            case SEQUENCE_START -> Content.CONFIGURATION;
            case CODED_FRAMES, CODED_FRAMES_X -> Content.FRAMES;
            default -> Content.NOTHING;
        };
    }

    private static FlvTag audioTag(FlvCodec codec, Content content, MemorySegment body) {
        return new FlvTag(codec, content, /* keyFrame= */ true, /* compositionTimeMs= */ 0, body);
    }

    private static FlvTag nothing(FlvCodec codec) {
        return audioTag(codec, Content.NOTHING, MemorySegment.NULL);
    }
}
