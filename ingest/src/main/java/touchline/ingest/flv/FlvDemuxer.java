package touchline.ingest.flv;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
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
 * Converts FLV tags from RTMP messages to tracks and access units. Payloads are slices of the
 * message; copied only to widen NAL unit lengths or to drop empty units. One per publication, on
 * its event loop.
 *
 * <p>After a {@link MalformedMediaException} the tag is lost; the next one may follow.
 */
public final class FlvDemuxer {

    /** Receives tracks and units. */
    public interface Output {
        /** The tracks of all units that follow; again when one of them appears or changes. */
        void begin(List<Track> tracks);

        /** A unit with the publisher's own times, in the order of arrival. */
        void write(AccessUnit unit);
    }

    private static final int TICKS_PER_MS = 90;

    /** Where lengthSizeMinusOne stands (ISO/IEC 14496-15, 5.3.3.1.2 and 8.3.3.1.2). */
    private static final int AVC_LENGTH_SIZE_OFFSET = 4;

    private static final int HEVC_LENGTH_SIZE_OFFSET = 21;

    private final TrackDiscovery discovery;
    private @Nullable Source video;
    private @Nullable Source audio;
    private long droppedUnits;

    /**
     * One kind of media as the publisher last configured it.
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

    public FlvDemuxer(Output out) {
        this.discovery = new TrackDiscovery(out);
    }

    /** Kinds of media that the publisher's metadata announces. */
    public void expect(boolean withVideo, boolean withAudio) {
        discovery.expect(withVideo, withAudio);
    }

    /** Units that arrived before their configuration. */
    public long droppedUnits() {
        return droppedUnits;
    }

    /**
     * A video message.
     *
     * @param timestampMs decode time
     * @param payload read-only; units keep it
     * @throws UnsupportedCodecException with the codec's name
     * @throws MalformedMediaException for bytes that do not fit their codec
     */
    public void video(long timestampMs, MemorySegment payload) {
        FlvTag tag = FlvTag.video(payload);
        switch (tag.content()) {
            case CONFIGURATION -> configureVideo(tag);
            case FRAMES -> videoUnit(timestampMs, tag);
            case NOTHING -> {}
        }
    }

    /**
     * An audio message.
     *
     * @param timestampMs presentation time of its first sample
     * @param payload read-only; units keep it
     * @throws UnsupportedCodecException with the codec's name
     * @throws MalformedMediaException for bytes that do not fit their codec
     */
    public void audio(long timestampMs, MemorySegment payload) {
        FlvTag tag = FlvTag.audio(payload);
        switch (tag.content()) {
            case CONFIGURATION -> configureAudio(tag);
            case FRAMES -> {
                if (tag.codec() == FlvCodec.MP3) {
                    mp3(timestampMs, tag.body());
                } else {
                    audioUnit(timestampMs, tag);
                }
            }
            case NOTHING -> {}
        }
    }

    private void configureVideo(FlvTag tag) {
        if (tag.body().byteSize() == 0 || (video != null && video.isConfiguredBy(tag))) {
            return;
        }
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
                    case AAC, MP3, OPUS -> throw new IllegalStateException("audio as video");
                };
        Track track = new Track(Track.VIDEO_ID, Timescale.VIDEO, config);
        video = new Source(tag.codec(), tag.body(), nalLengthBytes, track);
        discovery.track(track);
    }

    private void videoUnit(long timestampMs, FlvTag tag) {
        Source source = video;
        if (source == null || source.codec() != tag.codec()) {
            droppedUnits++;
            return;
        }
        MemorySegment payload = tag.body();
        boolean idr = tag.keyFrame();
        if (source.nalLengthBytes() > 0) {
            NalPayload units = NalPayload.of(tag.codec(), payload, source.nalLengthBytes());
            payload = units.units();
            idr |= units.randomAccess();
        } else {
            payload = ObuPayload.withoutDelimiter(payload);
        }
        if (payload.byteSize() > 0) {
            discovery.unit(
                    timestampMs,
                    new AccessUnit(
                            source.track(),
                            timestampMs * TICKS_PER_MS,
                            tag.compositionTimeMs() * TICKS_PER_MS,
                            idr,
                            payload));
        }
    }

    private void configureAudio(FlvTag tag) {
        if (tag.body().byteSize() == 0 || (audio != null && audio.isConfiguredBy(tag))) {
            return;
        }
        switch (tag.codec()) {
            case AAC -> {
                AudioSpecificConfig config = AudioSpecificConfig.parse(tag.body());
                configured(tag, config.sampleRateHz(), new CodecConfig.Aac(config));
            }
            // Opus timestamps count at 48 kHz for every input rate (RFC 7845, 4).
            case OPUS ->
                    configured(tag, 48_000, new CodecConfig.Opus(OpusConfig.parse(tag.body())));
            case MP3 -> {}
            case AVC, HEVC, AV1 -> throw new IllegalStateException("video as audio");
        }
    }

    private void audioUnit(long timestampMs, FlvTag tag) {
        Source source = audio;
        if (source == null || source.codec() != tag.codec()) {
            droppedUnits++;
        } else if (tag.body().byteSize() > 0) {
            long ticks = source.track().timescale().fromUs(Math.multiplyExact(timestampMs, 1_000));
            audioUnit(timestampMs, source.track(), ticks, tag.body());
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
        Source source = audio;
        if (source == null || !source.track().codec().equals(config)) {
            source =
                    new Source(
                            FlvCodec.MP3,
                            MemorySegment.NULL,
                            0,
                            audioTrack(frame.sampleRateHz(), config));
            audio = source;
            discovery.track(source.track());
        }
        return source.track();
    }

    private void audioUnit(long timestampMs, Track track, long ticks, MemorySegment payload) {
        discovery.unit(timestampMs, new AccessUnit(track, ticks, 0, /* idr= */ true, payload));
    }

    private void configured(FlvTag tag, int sampleRateHz, CodecConfig config) {
        Track track = audioTrack(sampleRateHz, config);
        audio = new Source(tag.codec(), tag.body(), 0, track);
        discovery.track(track);
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
