package touchline.api.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import touchline.media.AccessUnit;
import touchline.media.FrameView;
import touchline.media.Track;
import touchline.media.ffmpeg.AudioDecoder;
import touchline.media.ffmpeg.Ffmpeg;
import touchline.media.ffmpeg.FrameRate;
import touchline.media.ffmpeg.Pcm;
import touchline.media.ffmpeg.PushTarget;
import touchline.media.ffmpeg.VideoDecoder;
import touchline.media.ffmpeg.VideoFrame;

final class MatchEncoderIT {
    private static final Instant WALL = Instant.parse("2026-11-20T14:07:09.083Z");

    @Test
    void next_twoSeconds_isReadableInSyncAndInOrder() {
        List<AccessUnit> units = new ArrayList<>();
        try (MatchEncoder encoder = MatchEncoder.open(settings(FrameRate.of(30)), () -> WALL)) {
            ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            long start = 0;
            for (int i = 0; i < 75; i++) {
                if (i == 45) {
                    start = threads.getCurrentThreadCpuTime();
                }
                units.addAll(encoder.next(/* forceKeyFrame= */ i == 0));
            }
            double ms = (threads.getCurrentThreadCpuTime() - start) / 1e6 / 30;
            System.out.printf("a frame and its audio cost %.2f ms of CPU time%n", ms);
        }
        assertRisingDecodeTimes(units);
        assertKeyFramesAt(units, List.of(0L, 2_000_000L));
        assertEquals(30, firstFrameShowing(units, "00:01", 30));
        assertEquals(1.0, firstBeepAfter(units, 0.5), 0.002);
    }

    @Test
    void skip_oneSecond_keepsAudioWholeAndClocksTogether() {
        List<AccessUnit> units = new ArrayList<>();
        try (MatchEncoder encoder = MatchEncoder.open(settings(FrameRate.of(25)), () -> WALL)) {
            units.addAll(encoder.next(true));
            for (int i = 0; i < 24; i++) {
                units.addAll(encoder.skip());
            }
            units.addAll(encoder.next(true));
            units.addAll(encoder.next(false));
        }
        assertRisingDecodeTimes(units);
        assertKeyFramesAt(units, List.of(0L, 1_000_000L));
        List<Long> audioPart =
                units.stream()
                        .filter(unit -> !unit.track().isVideo())
                        .map(AccessUnit::dtsTicks)
                        .toList();
        for (int i = 0; i < audioPart.size(); i++) {
            assertEquals(1024L * (i - 1), audioPart.get(i));
        }
    }

    @Test
    void divideFrameRate_halved_isAnotherTrack_withAKeyFrameEveryTwoSeconds() {
        List<AccessUnit> units = new ArrayList<>();
        try (MatchEncoder encoder = MatchEncoder.open(settings(FrameRate.of(30)), () -> WALL)) {
            Track before = encoder.tracks().getFirst();
            units.addAll(encoder.next(true));
            encoder.skip();
            encoder.divideFrameRate(2);
            assertNotEquals(before, encoder.tracks().getFirst());
            units.clear();
            for (int i = 2; i < 130; i++) {
                units.addAll(i % 2 == 0 ? encoder.next(i == 2) : encoder.skip());
            }
            for (AccessUnit unit : units) {
                assertTrue(encoder.tracks().contains(unit.track()));
            }
        }
        assertRisingDecodeTimes(units);
        assertKeyFramesAt(units, List.of(66_666L, 2_066_666L, 4_066_666L));
        long frames = units.stream().filter(unit -> unit.track().isVideo()).count();
        assertEquals(64, frames);
    }

    @Test
    void next_afterSkippedFrames_forcesTheKeyFrameInTime() {
        List<AccessUnit> units = new ArrayList<>();
        try (MatchEncoder encoder = MatchEncoder.open(settings(FrameRate.of(25)), () -> WALL)) {
            for (int i = 0; i < 76; i++) {
                units.addAll(i % 3 == 0 ? encoder.next(i == 0) : encoder.skip());
            }
        }
        assertKeyFramesAt(units, List.of(0L, 2_040_000L));
    }

    @Test
    void settings_badNamesAndRates_areRefused() {
        assertThrows(IllegalArgumentException.class, () -> settings(new FrameRate(30_000, 1_001)));
        assertThrows(IllegalArgumentException.class, () -> named("küken"));
        assertThrows(IllegalArgumentException.class, () -> named(""));
        assertThrows(
                IllegalArgumentException.class,
                () -> DemoMatch.Settings.of(URI.create("rtmp://example.com/live"), "some-key"));
        assertTrue(!settings(FrameRate.of(25)).toString().contains("some-key"));
    }

    private static DemoMatch.Settings settings(FrameRate rate) {
        return settings(rate, "RIVERSIDE");
    }

    private static DemoMatch.Settings named(String home) {
        return settings(FrameRate.of(25), home);
    }

    private static DemoMatch.Settings settings(FrameRate rate, String home) {
        URI server = URI.create("rtmp://127.0.0.1:1/live");
        return new DemoMatch.Settings(
                new PushTarget(server, "some-key", Duration.ofSeconds(1)),
                rate,
                2_500_000,
                Ffmpeg.encoders().best().orElseThrow(),
                home,
                "HARBOUR CITY",
                ZoneOffset.UTC);
    }

    private static void assertRisingDecodeTimes(List<AccessUnit> units) {
        long last = Long.MIN_VALUE;
        for (AccessUnit unit : units) {
            assertTrue(unit.dtsUs() >= last, unit.dtsUs() + " after " + last);
            last = unit.dtsUs();
        }
    }

    private static void assertKeyFramesAt(List<AccessUnit> units, List<Long> timesUs) {
        assertEquals(
                timesUs,
                units.stream().filter(AccessUnit::isKeyFrame).map(AccessUnit::ptsUs).toList());
    }

    /** Index of the first decoded frame with this text on the match clock. */
    private static int firstFrameShowing(List<AccessUnit> units, String clock, int from) {
        int index = -1;
        int found = -1;
        List<AccessUnit> video = units.stream().filter(unit -> unit.track().isVideo()).toList();
        try (VideoDecoder decoder = VideoDecoder.open(video.getFirst().track(), 1)) {
            List<VideoFrame> videoFrames = new ArrayList<>();
            for (AccessUnit unit : video) {
                videoFrames.addAll(decoder.decode(unit));
            }
            videoFrames.addAll(decoder.drain());
            for (VideoFrame frame : videoFrames) {
                index++;
                FrameView.Plane luma = frame.planes().getFirst();
                if (found < 0
                        && clock.equals(
                                ClockReader.read(
                                        (x, y) -> sample(luma, x, y),
                                        MatchPainter.MATCH_CLOCK,
                                        5))) {
                    found = index;
                    assertEquals(
                            "14:07:09.083",
                            ClockReader.read(
                                    (x, y) -> sample(luma, x, y), MatchPainter.WALL_CLOCK, 12));
                }
                frame.close();
            }
        }
        assertTrue(found >= from, "found at " + found);
        return found;
    }

    private static int sample(FrameView.Plane plane, int x, int y) {
        long at = (long) y * plane.strideBytes() + x;
        return plane.samples().get(ValueLayout.JAVA_BYTE, at) & 0xFF;
    }

    /** Seconds at which the tone begins: where its power over 5 ms rises above half. */
    private static double firstBeepAfter(List<AccessUnit> units, double fromSeconds) {
        float[] audioPart = new float[3 * MatchAudio.RATE_HZ];
        List<AccessUnit> audio = units.stream().filter(unit -> !unit.track().isVideo()).toList();
        try (AudioDecoder decoder = AudioDecoder.open(audio.getFirst().track())) {
            for (AccessUnit unit : audio) {
                for (Pcm pcm : decoder.decode(unit)) {
                    for (int i = 0; i < pcm.frames(); i++) {
                        long at = pcm.startFrame() + i;
                        if (at >= 0 && at < audioPart.length) {
                            audioPart[(int) at] = pcm.sample(i, 0);
                        }
                    }
                }
            }
        }
        int window = 240;
        int from = (int) (fromSeconds * MatchAudio.RATE_HZ);
        for (int at = from; at < audioPart.length - window; at++) {
            if (tone(audioPart, at, window) > 0.175) {
                return (at + window / 2.0) / MatchAudio.RATE_HZ;
            }
        }
        throw new AssertionError("no beep");
    }

    private static double tone(float[] audioPart, int from, int count) {
        double sine = 0;
        double cosine = 0;
        for (int i = 0; i < count; i++) {
            double phase = 2 * Math.PI * MatchAudio.BEEP_HZ * i / MatchAudio.RATE_HZ;
            sine += audioPart[from + i] * Math.sin(phase);
            cosine += audioPart[from + i] * Math.cos(phase);
        }
        return 2 * Math.hypot(sine, cosine) / count;
    }
}
