package touchline.ingest.flv;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.codec.AudioSpecificConfig;
import touchline.media.codec.Av1Config;
import touchline.media.codec.AvcConfig;
import touchline.media.codec.HevcConfig;
import touchline.media.codec.MalformedMediaException;
import touchline.media.codec.OpusConfig;

/**
 * Converts the tags of one track to its configuration and its access units. The publication's event
 * loop.
 */
final class FlvTrack {

    /** Receives what the track has. */
    interface Output {
        /** The track of all units that follow; again when it changes. */
        void track(Track track);

        /**
         * @param timestampMs of the tag
         */
        void unit(long timestampMs, AccessUnit unit);
    }

    private static final int TICKS_PER_MS = 90;

    /** Where lengthSizeMinusOne stands (ISO/IEC 14496-15, 5.3.3.1.2 and 8.3.3.1.2). */
    private static final int AVC_LENGTH_SIZE_OFFSET = 4;

    private static final int HEVC_LENGTH_SIZE_OFFSET = 21;

    private final Output out;
    private @Nullable Source source;
    private long droppedUnits;

    /**
     * The track as the publisher last configured it.
     *
     * @param configuration as received, to distinguish a repeated one from a changed one
     * @param nalLengthBytes of the units that come in; 0 where there are none
     */
    private record Source(
            FlvCodec codec, MemorySegment configuration, int nalLengthBytes, Track track) {
        boolean isConfiguredBy(FlvTag tag) {
            return codec == tag.codec() && configuration.mismatch(tag.body()) < 0;
        }
    }

    FlvTrack(Output out) {
        this.out = out;
    }

    /** Units that arrived before their configuration. */
    long droppedUnits() {
        return droppedUnits;
    }

    /**
     * @param timestampMs decode time; of audio the presentation time of its first sample
     * @throws MalformedMediaException for bytes that do not fit their codec
     */
    void accept(long timestampMs, FlvTag tag) {
        switch (tag.content()) {
            case CONFIGURATION -> configure(tag);
            case FRAMES -> {
                switch (tag.codec()) {
                    case AVC, HEVC, AV1 -> videoUnit(timestampMs, tag);
                    case AAC, OPUS -> audioUnit(timestampMs, tag);
                    case MP3 -> mp3(timestampMs, tag.body());
                }
            }
            case NOTHING -> {}
        }
    }

    private void configure(FlvTag tag) {
        Source before = source;
        if (tag.body().byteSize() == 0 || (before != null && before.isConfiguredBy(tag))) {
            return;
        }
        switch (tag.codec()) {
            case AVC, HEVC, AV1 -> configureVideo(tag);
            case AAC -> {
                AudioSpecificConfig config = AudioSpecificConfig.parse(tag.body());
                configured(tag, config.sampleRateHz(), new CodecConfig.Aac(config));
            }
            // Opus timestamps count at 48 kHz for every input rate (RFC 7845, 4).
            case OPUS ->
                    configured(tag, 48_000, new CodecConfig.Opus(OpusConfig.parse(tag.body())));
            case MP3 -> {}
        }
    }

    private void configureVideo(FlvTag tag) {
        int nalLengthBytes = 0;
        CodecConfig config =
                switch (tag.codec()) {
                    case AVC -> {
                        nalLengthBytes = nalLengthBytes(tag.body(), AVC_LENGTH_SIZE_OFFSET);
                        yield new CodecConfig.Avc(
                                AvcConfig.parse(
                                        withWideLengths(tag.body(), AVC_LENGTH_SIZE_OFFSET)));
                    }
                    case HEVC -> {
                        nalLengthBytes = nalLengthBytes(tag.body(), HEVC_LENGTH_SIZE_OFFSET);
                        yield new CodecConfig.Hevc(
                                HevcConfig.parse(
                                        withWideLengths(tag.body(), HEVC_LENGTH_SIZE_OFFSET)));
                    }
                    case AV1 -> new CodecConfig.Av1(Av1Config.parse(tag.body()));
                    case AAC, MP3, OPUS ->
                            throw new IllegalStateException(tag.codec() + " as video");
                };
        Track track = new Track(Track.VIDEO_ID, Timescale.VIDEO, config);
        source = new Source(tag.codec(), tag.body(), nalLengthBytes, track);
        out.track(track);
    }

    private void videoUnit(long timestampMs, FlvTag tag) {
        Source configured = source;
        if (configured == null || configured.codec() != tag.codec()) {
            droppedUnits++;
            return;
        }
        MemorySegment payload = tag.body();
        boolean idr = tag.keyFrame();
        if (configured.nalLengthBytes() > 0) {
            NalPayload units = NalPayload.of(tag.codec(), payload, configured.nalLengthBytes());
            payload = units.units();
            idr |= units.randomAccess();
        } else {
            payload = ObuPayload.withoutDelimiter(payload);
        }
        if (payload.byteSize() > 0) {
            out.unit(
                    timestampMs,
                    new AccessUnit(
                            configured.track(),
                            timestampMs * TICKS_PER_MS,
                            tag.compositionTimeMs() * TICKS_PER_MS,
                            idr,
                            payload));
        }
    }

    private void audioUnit(long timestampMs, FlvTag tag) {
        Source configured = source;
        if (configured == null || configured.codec() != tag.codec()) {
            droppedUnits++;
        } else if (tag.body().byteSize() > 0) {
            Track track = configured.track();
            long ticks = track.timescale().fromUs(Math.multiplyExact(timestampMs, 1_000));
            audioUnit(timestampMs, track, ticks, tag.body());
        }
    }

    /** MP3 needs no configuration: each frame has a header. A message may hold several frames. */
    private void mp3(long timestampMs, MemorySegment body) {
        MemorySegment rest = body;
        long samples = 0;
        while (rest.byteSize() >= Mp3Frame.HEADER_BYTES) {
            Mp3Frame frame = Mp3Frame.parse(rest);
            long lengthBytes = Math.min(frame.lengthBytes(), rest.byteSize());
            Track track = mp3Track(frame);
            long ticks = track.timescale().fromUs(Math.multiplyExact(timestampMs, 1_000)) + samples;
            audioUnit(timestampMs, track, ticks, rest.asSlice(0, lengthBytes));
            samples += frame.samples();
            rest = rest.asSlice(lengthBytes);
        }
    }

    private Track mp3Track(Mp3Frame frame) {
        CodecConfig config = new CodecConfig.Mp3(frame.sampleRateHz(), frame.channels());
        Source configured = source;
        if (configured == null || !configured.track().codec().equals(config)) {
            Track track = audioTrack(frame.sampleRateHz(), config);
            configured = new Source(FlvCodec.MP3, MemorySegment.NULL, 0, track);
            source = configured;
            out.track(track);
        }
        return configured.track();
    }

    private void audioUnit(long timestampMs, Track track, long ticks, MemorySegment payload) {
        out.unit(timestampMs, new AccessUnit(track, ticks, 0, /* idr= */ true, payload));
    }

    private void configured(FlvTag tag, int sampleRateHz, CodecConfig config) {
        Track track = audioTrack(sampleRateHz, config);
        source = new Source(tag.codec(), tag.body(), 0, track);
        out.track(track);
    }

    private static Track audioTrack(int sampleRateHz, CodecConfig config) {
        return new Track(Track.AUDIO_ID, new Timescale(sampleRateHz), config);
    }

    private static int nalLengthBytes(MemorySegment configuration, int offset) {
        if (configuration.byteSize() <= offset) {
            throw new MalformedMediaException(
                    "decoder configuration: "
                            + configuration.byteSize()
                            + " bytes (expected: > "
                            + offset
                            + ")");
        }
        return (configuration.get(ValueLayout.JAVA_BYTE, offset) & 3) + 1;
    }

    /** The configuration for units with 4-byte lengths. */
    private static MemorySegment withWideLengths(MemorySegment configuration, int offset) {
        byte last = configuration.get(ValueLayout.JAVA_BYTE, offset);
        if ((last & 3) == NalPayload.LENGTH_BYTES - 1) {
            return configuration;
        }
        byte[] changed = configuration.toArray(ValueLayout.JAVA_BYTE);
        changed[offset] = (byte) (last | 3);
        return MemorySegment.ofArray(changed).asReadOnly();
    }
}
