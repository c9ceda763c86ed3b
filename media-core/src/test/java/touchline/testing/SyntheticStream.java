package touchline.testing;

import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.FeedItem;
import touchline.media.Timeline;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.codec.AudioSpecificConfig;
import touchline.media.codec.AvcConfig;

/**
 * Plausible media without an encoder: 1280x720 H.264 with the parameter sets of x264, well-formed
 * length-prefixed NAL units (with the same random content in every run) in decode order, and silent
 * AAC frames. Immutable, any thread.
 *
 * @param frameRate frames a second
 * @param gopFrames frames from one IDR frame to the next; GOPs are closed
 * @param bFrames frames between two reference frames that are decoded after both
 * @param seconds of media
 * @param video whether there is video
 * @param audio whether there is audio: 48 kHz stereo, 1024 samples a frame
 * @param frameBytes of a P frame; an IDR frame is six times as large, a B frame a third
 */
public record SyntheticStream(
        int frameRate,
        int gopFrames,
        int bFrames,
        double seconds,
        boolean video,
        boolean audio,
        int frameBytes) {
    /** As written by x264: high profile, 1280x720, 30 frames a second, 2 reordered. */
    public static final AvcConfig AVC =
            AvcConfig.parse(
                    MemorySegment.ofArray(
                            HexFormat.of()
                                    .parseHex(
                                            "0164001fffe1001a6764001facd9405005bb011000000300"
                                                    + "1000000303c0f183196001000468ef8fcbfdf8f8"
                                                    + "00")));

    /** 48 kHz stereo, low complexity. */
    public static final AudioSpecificConfig AAC = AudioSpecificConfig.of(48_000, 2);

    public static final Track VIDEO_TRACK =
            new Track(Track.VIDEO_ID, Timescale.VIDEO, new CodecConfig.Avc(AVC));

    public static final Track AUDIO_TRACK =
            new Track(Track.AUDIO_ID, new Timescale(48_000), new CodecConfig.Aac(AAC));

    /** Wall clock of {@link #feed}'s timeline. */
    public static final Instant STARTED_AT = Instant.parse("2026-11-20T12:00:00Z");

    private static final MemorySegment SILENCE =
            MemorySegment.ofArray(HexFormat.of().parseHex("210049900219002380")).asReadOnly();
    private static final int IDR_HEADER = 0x65;
    private static final int P_HEADER = 0x41;
    private static final int B_HEADER = 0x01;

    /** 10 s of video and audio, 30 frames a second, an IDR every 2 s, two B-frames. */
    public static SyntheticStream standard() {
        return new SyntheticStream(30, 60, 2, 10, true, true, 8_000);
    }

    public SyntheticStream seconds(double newSeconds) {
        return new SyntheticStream(
                frameRate, gopFrames, bFrames, newSeconds, video, audio, frameBytes);
    }

    public SyntheticStream frameRate(int newFrameRate) {
        return new SyntheticStream(
                newFrameRate, gopFrames, bFrames, seconds, video, audio, frameBytes);
    }

    public SyntheticStream gopFrames(int newGopFrames) {
        return new SyntheticStream(
                frameRate, newGopFrames, bFrames, seconds, video, audio, frameBytes);
    }

    public SyntheticStream bFrames(int newBFrames) {
        return new SyntheticStream(
                frameRate, gopFrames, newBFrames, seconds, video, audio, frameBytes);
    }

    public SyntheticStream frameBytes(int newFrameBytes) {
        return new SyntheticStream(
                frameRate, gopFrames, bFrames, seconds, video, audio, newFrameBytes);
    }

    public SyntheticStream withoutAudio() {
        return new SyntheticStream(
                frameRate, gopFrames, bFrames, seconds, video, /* audio= */ false, frameBytes);
    }

    public SyntheticStream withoutVideo() {
        return new SyntheticStream(
                frameRate, gopFrames, bFrames, seconds, /* video= */ false, audio, frameBytes);
    }

    /** Video first. */
    public List<Track> tracks() {
        List<Track> tracks = new ArrayList<>();
        if (video) {
            tracks.add(VIDEO_TRACK);
        }
        if (audio) {
            tracks.add(AUDIO_TRACK);
        }
        return List.copyOf(tracks);
    }

    /** Access units with exact times from 0, interleaved by decode time. */
    public List<AccessUnit> units() {
        List<AccessUnit> units = new ArrayList<>();
        if (video) {
            addFrames(units);
        }
        if (audio) {
            long frames = Math.round(seconds * 48_000 / 1024);
            for (long i = 0; i < frames; i++) {
                units.add(new AccessUnit(AUDIO_TRACK, i * 1024, 0, true, SILENCE));
            }
        }
        units.sort(Comparator.comparingLong(AccessUnit::dtsUs));
        return List.copyOf(units);
    }

    /** Returns the items of a feed: the session's first timeline, then {@link #units}. */
    public List<FeedItem> feed() {
        List<FeedItem> items = new ArrayList<>();
        items.add(new Timeline(0, tracks(), /* startUs= */ 0, STARTED_AT));
        items.addAll(units());
        return List.copyOf(items);
    }

    /**
     * {@link #units} as RTMP delivers them: times rounded to milliseconds, then converted back to
     * the track's timescale.
     *
     * @param startMs the encoder's time of the first unit
     */
    public List<AccessUnit> published(long startMs) {
        return units().stream().map(unit -> rounded(unit, startMs)).toList();
    }

    private static AccessUnit rounded(AccessUnit unit, long startMs) {
        Track track = unit.track();
        long dtsMs = startMs + Math.round(unit.dtsUs() / 1e3);
        long ptsMs = startMs + Math.round(unit.ptsUs() / 1e3);
        long dtsTicks = track.timescale().fromUs(dtsMs * 1_000);
        long ptsTicks = track.timescale().fromUs(ptsMs * 1_000);
        return unit.at(track, dtsTicks, (int) (ptsTicks - dtsTicks));
    }

    private void addFrames(List<AccessUnit> units) {
        RandomGenerator noise = RandomGeneratorFactory.of("L64X128MixRandom").create(42);
        int total = (int) Math.round(seconds * frameRate);
        int delay = bFrames > 0 ? 1 : 0;
        for (int start = 0; start < total; start += gopFrames) {
            List<Integer> shown = decodeOrder(Math.min(gopFrames, total - start));
            int reference = -1;
            for (int i = 0; i < shown.size(); i++) {
                boolean isReference = shown.get(i) > reference;
                reference = Math.max(reference, shown.get(i));
                long dts = ticks(start + i);
                long pts = ticks(start + shown.get(i) + delay);
                MemorySegment payload = videoFrame(i == 0, isReference, noise);
                units.add(new AccessUnit(VIDEO_TRACK, dts, (int) (pts - dts), i == 0, payload));
            }
        }
    }

    /** Returns display positions inside a GOP, in decode order. */
    private List<Integer> decodeOrder(int frames) {
        List<Integer> order = new ArrayList<>();
        order.add(0);
        int shown = 0;
        while (shown < frames - 1) {
            int reference = Math.min(shown + bFrames + 1, frames - 1);
            order.add(reference);
            for (int b = shown + 1; b < reference; b++) {
                order.add(b);
            }
            shown = reference;
        }
        return order;
    }

    private long ticks(long frame) {
        return Math.round(frame * 90_000.0 / frameRate);
    }

    private MemorySegment videoFrame(boolean idr, boolean reference, RandomGenerator noise) {
        int length = Math.max(8, idr ? frameBytes * 6 : reference ? frameBytes : frameBytes / 3);
        byte[] bytes = new byte[4 + length];
        for (int i = 0; i < 4; i++) {
            bytes[i] = (byte) (length >> (24 - 8 * i));
        }
        bytes[4] = (byte) (idr ? IDR_HEADER : reference ? P_HEADER : B_HEADER);
        for (int i = 5; i < bytes.length; i++) {
            // Never zero: no start code can occur and no escaping is needed.
            bytes[i] = (byte) noise.nextInt(1, 256);
        }
        return MemorySegment.ofArray(bytes).asReadOnly();
    }
}
