package touchline.ingest.flv;

import java.lang.foreign.MemorySegment;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The parsed header of one audio or video tag, and its body; one of several where a message has
 * several tracks. Legacy headers are those of Adobe Flash Video File Format 10.1 (E.4.2.1,
 * E.4.3.1), the others those of Enhanced RTMP v2 (ExAudioTagHeader, ExVideoTagHeader). Immutable,
 * any thread.
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
 * @param trackId 0 for the first track and for messages without tracks
 * @param content what the body is
 * @param keyFrame as the encoder says; true for audio
 * @param compositionTimeMs presentation time minus the tag's time
 * @param body a slice of the payload
 */
record FlvTag(
        int trackId,
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
        /** Ignored: ends of sequence, commands. */
        NOTHING
    }

    /** Receives the tags of a message, in its order. */
    interface Receiver {
        void tag(FlvTag tag);

        /** A track other than the first has a codec that is not supported. */
        void unsupported(int trackId, String codecName);
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
     * @throws UnsupportedCodecException with the name of the first track's codec
     * @throws touchline.media.codec.MalformedMediaException for a header that is cut off
     */
    static void video(MemorySegment payload, Receiver out) {
        if (payload.byteSize() == 0) {
            return;
        }
        FlvTagReader in = new FlvTagReader(payload);
        int first = in.u8();
        int frameType = (first >> 4) & 0x7;
        if ((first & 0x80) != 0) {
            enhancedVideo(in, frameType, first & 0xf, out);
            return;
        }
        if (frameType == COMMAND_FRAME) {
            return;
        }
        FlvCodec codec = FlvCodec.ofVideoId(first & 0xf);
        int packetType = in.u8();
        int compositionTimeMs = in.s24();
        out.tag(
                new FlvTag(
                        0,
                        codec,
                        legacyContent(packetType),
                        frameType == KEY_FRAME,
                        compositionTimeMs,
                        in.rest()));
    }

    /**
     * @param payload an audio message, read-only
     * @throws UnsupportedCodecException with the name of the first track's codec
     * @throws touchline.media.codec.MalformedMediaException for a header that is cut off
     */
    static void audio(MemorySegment payload, Receiver out) {
        if (payload.byteSize() == 0) {
            return;
        }
        FlvTagReader in = new FlvTagReader(payload);
        int first = in.u8();
        int audioFormat = first >> 4;
        if (audioFormat == ENHANCED_AUDIO_FORMAT) {
            enhancedAudio(in, first & 0xf, out);
            return;
        }
        FlvCodec codec = FlvCodec.ofAudioFormat(audioFormat);
        Content content = codec == FlvCodec.AAC ? legacyContent(in.u8()) : Content.FRAMES;
        out.tag(audioTag(0, codec, content, in.rest()));
    }

    private static void enhancedVideo(
            FlvTagReader in, int frameType, int firstPacketType, Receiver out) {
        int packetType = skipModEx(in, firstPacketType);
        if (packetType == METADATA || frameType == COMMAND_FRAME) {
            return;
        }
        TrackReceiver tracks =
                (id, type, codec, body) -> {
                    boolean hasCompositionTime = type == CODED_FRAMES && codec != FlvCodec.AV1;
                    int compositionTimeMs = hasCompositionTime ? body.s24() : 0;
                    out.tag(
                            new FlvTag(
                                    id,
                                    codec,
                                    enhancedContent(type),
                                    frameType == KEY_FRAME,
                                    compositionTimeMs,
                                    body.rest()));
                };
        if (packetType == MULTITRACK_VIDEO) {
            multitrack(in, FlvCodec::ofVideoFourCc, tracks, out);
        } else {
            tracks.track(0, packetType, FlvCodec.ofVideoFourCc(in.u32()), in);
        }
    }

    private static void enhancedAudio(FlvTagReader in, int firstPacketType, Receiver out) {
        int packetType = skipModEx(in, firstPacketType);
        TrackReceiver tracks =
                (id, type, codec, body) -> {
                    if (type != CODED_FRAMES_X) {
                        out.tag(audioTag(id, codec, enhancedContent(type), body.rest()));
                    }
                };
        if (packetType == MULTITRACK_AUDIO) {
            multitrack(in, FlvCodec::ofAudioFourCc, tracks, out);
        } else {
            tracks.track(0, packetType, FlvCodec.ofAudioFourCc(in.u32()), in);
        }
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

    @FunctionalInterface
    private interface TrackReceiver {
        void track(int id, int packetType, FlvCodec codec, FlvTagReader body);
    }

    private static void multitrack(
            FlvTagReader in, IntFunction<FlvCodec> codecs, TrackReceiver tracks, Receiver out) {
        int types = in.u8();
        int multitrackType = types >> 4;
        int packetType = types & 0xf;
        boolean manyCodecs = multitrackType == MANY_TRACKS_MANY_CODECS;
        int fourCc = manyCodecs ? 0 : in.u32();
        while (in.remaining() > 0) {
            if (manyCodecs) {
                fourCc = in.u32();
            }
            int trackId = in.u8();
            boolean one = multitrackType == ONE_TRACK;
            MemorySegment body = one ? in.rest() : in.take(in.u24());
            FlvCodec codec = codec(trackId, fourCc, codecs, out);
            if (codec != null) {
                tracks.track(trackId, packetType, codec, new FlvTagReader(body));
            }
            if (one) {
                return;
            }
        }
    }

    /** Null for a track other than the first whose codec is not supported. */
    private static @Nullable FlvCodec codec(
            int trackId, int fourCc, IntFunction<FlvCodec> codecs, Receiver out) {
        try {
            return codecs.apply(fourCc);
        } catch (UnsupportedCodecException e) {
            if (trackId == 0) {
                throw e;
            }
            out.unsupported(trackId, e.codecName());
            return null;
        }
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

    private static FlvTag audioTag(
            int trackId, FlvCodec codec, Content content, MemorySegment body) {
        return new FlvTag(
                trackId, codec, content, /* keyFrame= */ true, /* compositionTimeMs= */ 0, body);
    }
}
