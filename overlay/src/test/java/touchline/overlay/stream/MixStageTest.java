package touchline.overlay.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import touchline.media.AccessUnit;
import touchline.media.Track;
import touchline.media.ffmpeg.AudioDecoder;
import touchline.media.ffmpeg.AudioEncoder;
import touchline.media.ffmpeg.AudioSettings;
import touchline.media.ffmpeg.Pcm;
import touchline.overlay.OverlaySpec.AudioMix;

final class MixStageTest {
    private static final int RATE_HZ = 48_000;
    private static final int FRAME = 1_024;
    private static final double MAIN_HZ = 1_000;
    private static final double OVERLAY_HZ = 3_000;
    private static final DoubleUnaryOperator MAIN = Tones.sine(MAIN_HZ, 0.4);
    private static final DoubleUnaryOperator OVERLAY_TONE = Tones.sine(OVERLAY_HZ, 0.4);

    private final OverlayStreamTime time = new OverlayStreamTime();
    private final OverlayStreamAudio audio = new OverlayStreamAudio();
    private AudioMix mix = new AudioMix(AudioMix.Mode.MAIN, 1, 1);
    private long nowNs;
    private long written;
    private boolean expectsOverlay = true;
    private final MixStage stage = new MixStage(time, audio, new RequestedLevels(), () -> nowNs);

    private final class RequestedLevels implements MixStage.Levels {
        @Override
        public AudioMix now() {
            return mix;
        }

        @Override
        public boolean expectsOverlay() {
            return expectsOverlay;
        }
    }

    @AfterEach
    void closeStage() {
        stage.close();
    }

    @Test
    void mainAudio_withNothingToMix_passesUntouched() {
        List<AccessUnit> source = coded(MAIN, 30);
        Track track = source.getFirst().track();

        assertSame(track, stage.begin(track));

        for (AccessUnit unit : source) {
            assertSame(unit, pass(unit).getFirst());
        }
        assertEquals(List.of(), stage.finish());
    }

    @ParameterizedTest
    @CsvSource({
        "MAIN, 0.5, 1, 0.5, 0",
        "SECONDARY, 1, 0.8, 0, 0.8",
        "SECONDARY, 1, 1, 0, 1",
        "MIX, 1, 1, 1, 1",
        "MIX, 0.7, 0.3, 0.7, 0.3"
    })
    void tones_inEveryMode_haveTheLevelsAskedFor(
            AudioMix.Mode mode,
            double main,
            double overlay,
            double expectMain,
            double expectOverlay) {
        mix = new AudioMix(mode, main, overlay);
        List<AccessUnit> source = coded(MAIN, 150);
        List<AccessUnit> made = new ArrayList<>();
        stage.begin(source.getFirst().track());

        source.forEach(unit -> made.addAll(pass(unit)));
        made.addAll(stage.finish());

        assertFollowing(made, source);
        float[] decodedAudio = decoded(made);
        assertLevel(0.4 * expectMain, decodedAudio, MAIN_HZ);
        assertLevel(0.4 * expectOverlay, decodedAudio, OVERLAY_HZ);
    }

    @Test
    void mix_thatBeginsAndChangesLive_neverClicks() {
        List<AccessUnit> source = coded(MAIN, 200);
        List<AccessUnit> made = new ArrayList<>();
        Track track = stage.begin(source.getFirst().track());
        for (int i = 0; i < source.size(); i++) {
            if (i == 60) {
                mix = new AudioMix(AudioMix.Mode.MIX, 0.9, 0.5);
            } else if (i == 100) {
                mix = new AudioMix(AudioMix.Mode.SECONDARY, 1, 1);
            } else if (i == 140) {
                mix = new AudioMix(AudioMix.Mode.MAIN, 1, 1);
            }
            made.addAll(pass(source.get(i)));
        }
        made.addAll(stage.finish());

        assertFollowing(made, source);
        assertTrue(made.stream().allMatch(unit -> unit.track().equals(track)));
        float[] decodedAudio = decoded(made);
        // Maximum slope of two tones at full level, plus coding noise.
        double steepest = 0.4 * 2 * Math.PI * (MAIN_HZ + OVERLAY_HZ) / RATE_HZ + 0.03;
        for (int i = 10 * FRAME + 1; i < decodedAudio.length; i++) {
            double step = Math.abs(decodedAudio[i] - decodedAudio[i - 1]);
            assertTrue(step < steepest, "step " + step + " at " + i);
        }
        // The main tone is continuous around the join.
        long start = made.getFirst().dtsTicks();
        for (int i = 57 * FRAME; i < 61 * FRAME; i++) {
            double expected = MAIN.applyAsDouble((start + i) / (double) RATE_HZ);
            assertEquals(
                    expected, decodedAudio[i], 0.03, "at frame " + i / FRAME + " + " + i % FRAME);
        }
    }

    @Test
    void missingOverlayAudio_leavesTheMainAudio() {
        mix = new AudioMix(AudioMix.Mode.MIX, 1, 1);
        List<AccessUnit> source = coded(MAIN, 100);
        List<AccessUnit> made = new ArrayList<>();
        stage.begin(source.getFirst().track());

        source.forEach(unit -> made.addAll(stage.pass(unit)));

        assertLevel(0.4, decoded(made), MAIN_HZ);
    }

    @ParameterizedTest
    @CsvSource({"MAIN, 1, 1, 0", "SECONDARY, 1, 0.8, 0.8", "MIX, 1, 0.5, 0.5"})
    void mainStreamWithoutAudio_getsTheOverlaysAudio(
            AudioMix.Mode mode, double main, double overlay, double expected) {
        mix = new AudioMix(mode, main, overlay);
        List<AccessUnit> made = new ArrayList<>();
        Track track = stage.beginSilent().orElseThrow();
        long startUs = 2_000_000;

        // 30 frames per second for three seconds, the first slightly off the audio's raster.
        for (int i = 0; i < 90; i++) {
            long ptsUs = startUs + 7 + i * 33_333L;
            arrive(ptsUs, ptsUs * RATE_HZ / 1_000_000);
            made.addAll(stage.silence(ptsUs));
        }
        made.addAll(stage.finish());

        assertTrue(made.stream().allMatch(unit -> unit.track().equals(track)));
        assertNear(startUs, made.getFirst().dtsUs());
        for (int i = 1; i < made.size(); i++) {
            assertEquals(FRAME, made.get(i).dtsTicks() - made.get(i - 1).dtsTicks());
        }
        assertNear(startUs + 89 * 33_333L, made.getLast().dtsUs());
        assertLevel(0.4 * expected, decoded(made), OVERLAY_HZ);
    }

    @Test
    void mainStreamWithoutAudio_andNoOverlayAudio_staysWithoutAudio() {
        expectsOverlay = false;

        assertEquals(Optional.empty(), stage.beginSilent());
        assertEquals(List.of(), stage.silence(1_000_000));
        assertEquals(List.of(), stage.finish());
    }

    @Test
    void mainStreamWithoutAudio_thatPauses_isNotFilledUpForHours() {
        mix = new AudioMix(AudioMix.Mode.SECONDARY, 1, 1);
        stage.beginSilent();
        List<AccessUnit> made = new ArrayList<>();
        for (long ptsUs : new long[] {0, 500_000, 3_600_000_000L, 3_600_500_000L}) {
            nowNs = 1_000 * ptsUs;
            made.addAll(stage.silence(ptsUs));
        }
        made.addAll(stage.finish());

        assertTrue(made.size() < 60, made.size() + " units");
        assertNear(3_600_500_000L, made.getLast().dtsUs());
    }

    /** Both streams arrive in real time with the same clock. */
    private List<AccessUnit> pass(AccessUnit unit) {
        arrive(unit.ptsUs(), unit.dtsTicks());
        return stage.pass(unit);
    }

    private void arrive(long ptsUs, long untilFrame) {
        nowNs = 1_000 * ptsUs;
        time.overlayArrived(ptsUs, nowNs / 1_000);
        audio.ring()
                .ifPresent(
                        ring -> {
                            if (written == 0) {
                                written = untilFrame - 20L * FRAME;
                            }
                            while (written < untilFrame) {
                                ring.write(Tones.pcm(RATE_HZ, 2, written, FRAME, OVERLAY_TONE));
                                written += FRAME;
                            }
                        });
    }

    private static void assertLevel(double expected, float[] decodedAudio, double hz) {
        double level = Tones.amplitude(decodedAudio, 40 * FRAME, 40 * FRAME, hz, RATE_HZ);
        if (expected == 0) {
            assertTrue(level < 0.001, "level " + level);
        } else {
            assertEquals(0, Tones.decibels(level / expected), 0.5, "level " + level);
        }
    }

    /** Within slightly more than one audio unit. */
    private static void assertNear(long expectedUs, long us) {
        assertTrue(Math.abs(us - expectedUs) <= 25_000, us + " us, expected " + expectedUs);
    }

    /** Unit times are contiguous from the source's first unit on. */
    private static void assertFollowing(List<AccessUnit> made, List<AccessUnit> source) {
        assertEquals(source.getFirst().dtsTicks(), made.getFirst().dtsTicks());
        for (int i = 1; i < made.size(); i++) {
            assertEquals(FRAME, made.get(i).dtsTicks() - made.get(i - 1).dtsTicks());
        }
        assertTrue(made.size() >= source.size(), made.size() + " of " + source.size());
    }

    private static List<AccessUnit> coded(DoubleUnaryOperator tone, int units) {
        long start = 100L * FRAME;
        try (AudioEncoder encoder = AudioEncoder.open(new AudioSettings(RATE_HZ, 2, 160_000))) {
            return encoder.encode(Tones.pcm(RATE_HZ, 2, start, units * FRAME, tone));
        }
    }

    /** One decoded channel, from the first unit on. */
    private static float[] decoded(List<AccessUnit> units) {
        float[] samples = new float[units.size() * FRAME];
        long start = units.getFirst().dtsTicks();
        try (AudioDecoder decoder = AudioDecoder.open(units.getFirst().track())) {
            for (AccessUnit unit : units) {
                for (Pcm pcm : decoder.decode(unit)) {
                    for (int i = 0; i < pcm.frames(); i++) {
                        int at = (int) (pcm.startFrame() + i - start);
                        if (at >= 0 && at < samples.length) {
                            samples[at] = pcm.sample(i, 0);
                        }
                    }
                }
            }
        }
        return samples;
    }
}
