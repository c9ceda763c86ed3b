package touchline.packager.hls;

import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.FeedItem;
import touchline.media.Timeline;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.codec.AudioSpecificConfig;
import touchline.media.codec.AvcConfig;

/** Feed items as a publisher of H.264 and AAC sends them: times counted in milliseconds. */
public final class TestMedia {
    public static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

    /** 30 frames a second. */
    public static final Track VIDEO = videoAt(30);

    public static final Track AUDIO =
            new Track(
                    Track.AUDIO_ID,
                    new Timescale(48_000),
                    new CodecConfig.Aac(AudioSpecificConfig.of(48_000, 2)));

    private TestMedia() {}

    /**
     * @param frameRate nominal; 0 is not declared
     */
    public static Track videoAt(double frameRate) {
        return new Track(
                Track.VIDEO_ID,
                Timescale.VIDEO,
                new CodecConfig.Avc(
                        new AvcConfig(
                                MemorySegment.ofArray(new byte[] {1, 0x64, 0, 0x1f}),
                                1280,
                                720,
                                4,
                                frameRate,
                                "avc1.64001f")));
    }

    /**
     * @param frameRate per second
     * @param keyFrameEvery frames
     * @param startMs decode time of the first unit
     * @param durationMs of frames
     */
    public record Video(double frameRate, int keyFrameEvery, long startMs, long durationMs) {}

    public static Timeline timeline(int sequence, long startMs, Track... tracks) {
        return new Timeline(sequence, List.of(tracks), startMs * 1_000, START.plusMillis(startMs));
    }

    /** Frames without reordering. */
    public static List<AccessUnit> video(Video spec) {
        List<AccessUnit> units = new ArrayList<>();
        for (int i = 0; frameMs(spec, i) < spec.startMs() + spec.durationMs(); i++) {
            boolean key = i % spec.keyFrameEvery() == 0;
            units.add(frame(frameMs(spec, i), 0, key));
        }
        return units;
    }

    /** Decode order I P B B P B B ...: each P is shown two frames after its B's are decoded. */
    public static List<AccessUnit> videoWithB(Video spec) {
        List<AccessUnit> units = new ArrayList<>();
        for (int i = 0; frameMs(spec, i) < spec.startMs() + spec.durationMs(); i++) {
            int inGop = i % spec.keyFrameEvery();
            int shown = inGop == 0 ? i : i + (inGop % 3 == 1 ? 2 : -1);
            long dtsMs = frameMs(spec, i);
            units.add(frame(dtsMs, frameMs(spec, shown + 1) - dtsMs, inGop == 0));
        }
        return units;
    }

    public static AccessUnit frame(long dtsMs, long offsetMs, boolean key) {
        byte[] payload = new byte[key ? 300 : 100];
        Arrays.fill(payload, (byte) dtsMs);
        return new AccessUnit(
                VIDEO, dtsMs * 90, (int) offsetMs * 90, key, MemorySegment.ofArray(payload));
    }

    /** Audio in frames of 1024 samples, gapless. */
    public static List<AccessUnit> audio(long startMs, long durationMs) {
        List<AccessUnit> units = new ArrayList<>();
        long start = startMs * 48;
        for (long at = start; at < start + durationMs * 48; at += 1024) {
            byte[] payload = new byte[20];
            Arrays.fill(payload, (byte) 0xA0);
            units.add(new AccessUnit(AUDIO, at, 0, true, MemorySegment.ofArray(payload)));
        }
        return units;
    }

    /** Both in the order of decode times, as they come over the wire. */
    public static List<FeedItem> interleaved(List<AccessUnit> video, List<AccessUnit> audio) {
        List<AccessUnit> all = new ArrayList<>(video);
        all.addAll(audio);
        all.sort(Comparator.comparingLong(AccessUnit::dtsUs));
        return new ArrayList<>(all);
    }

    private static long frameMs(Video spec, int index) {
        return spec.startMs() + Math.round(index * 1_000 / spec.frameRate());
    }
}
