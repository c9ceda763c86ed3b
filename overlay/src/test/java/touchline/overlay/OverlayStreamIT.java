package touchline.overlay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import touchline.media.AccessUnit;
import touchline.media.ffmpeg.AudioDecoder;
import touchline.media.ffmpeg.AudioEncoder;
import touchline.media.ffmpeg.AudioSettings;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.Pcm;
import touchline.media.ffmpeg.VideoEncoder;
import touchline.media.ffmpeg.VideoFrame;
import touchline.overlay.OverlaySpec.AudioMix;

/**
 * The program has all of its frames in time, independent of the overlay stream: {@link
 * OverlayStreamRig} fails otherwise. The overlay stream is white and has a tone.
 */
@Timeout(480)
final class OverlayStreamIT {
    private static final FrameFormat MAIN = new FrameFormat(320, 240, Colour.UNSPECIFIED);
    private static final int RATE_HZ = 48_000;
    private static final int WHITE = 235;

    /** In a box of a quarter of the width, wide or high. */
    private static final int INSIDE_X = 40;

    private static final int WIDE_Y = 20;
    private static final int HIGH_Y = 120;

    /** What several tests send, by its arguments. Units are not changed. */
    private static final Map<List<Object>, List<AccessUnit>> ENCODED = new HashMap<>();

    private static final OverlaySpec.Stream MIXED =
            new OverlaySpec.Stream(new AudioMix(AudioMix.Mode.MIX, 1, 1), Placement.DEFAULT);

    @Test
    void push_thatNeverStarts_costsNothing() throws InterruptedException {
        try (OverlayStreamRig rig = new OverlayStreamRig(MIXED)) {
            rig.play(main(0, 5));
            rig.end();

            assertWhole(rig, 5);
            assertEquals(0, loudness(rig, 2, 5), 0.001);
        }
    }

    @Test
    void push_thatStalls_freezesAndFades_andComesBack() throws InterruptedException {
        try (OverlayStreamRig rig = new OverlayStreamRig(MIXED)) {
            List<AccessUnit> overlay = new ArrayList<>(overlay(320, 180, 0, 4, true));
            overlay.addAll(overlay(320, 180, 9, 13, true));
            rig.overlaySends(overlay);
            rig.play(main(0, 13));
            rig.end();

            assertWhole(rig, 13);
            try (Seen seen = seen(rig)) {
                assertWhite(seen, 3.5, WIDE_Y);
                assertWhite(seen, 5.5, WIDE_Y);
                assertBare(seen, 8, WIDE_Y);
                assertWhite(seen, 12.5, WIDE_Y);
            }
            assertTrue(loudness(rig, 2, 4) > 0.2);
            assertEquals(0, loudness(rig, 6, 8), 0.001);
            assertTrue(loudness(rig, 11, 13) > 0.2);
        }
    }

    @Test
    void push_thatIsKilledAndStartsAnew_comesBack() throws InterruptedException {
        try (OverlayStreamRig rig = new OverlayStreamRig(MIXED)) {
            rig.overlaySends(overlay(320, 180, 0, 4, true));
            rig.play(main(0, 3));
            rig.overlayGone();
            rig.play(main(3, 8));
            rig.overlaySends(overlay(320, 180, 8, 12, true));
            rig.play(main(8, 12));
            rig.end();

            assertWhole(rig, 12);
            try (Seen seen = seen(rig)) {
                assertWhite(seen, 2.5, WIDE_Y);
                assertBare(seen, 7, WIDE_Y);
                assertWhite(seen, 11.5, WIDE_Y);
            }
        }
    }

    @Test
    void push_thatIsTurnedOnItsSide_keepsItsShape() throws InterruptedException {
        try (OverlayStreamRig rig = new OverlayStreamRig(MIXED)) {
            rig.overlaySends(overlay(180, 320, 0, 4, true));
            rig.play(main(0, 4));
            rig.end();

            assertWhole(rig, 4);
            try (Seen seen = seen(rig)) {
                assertWhite(seen, 3.5, HIGH_Y);
            }
        }
    }

    @Test
    void push_whoseSizeChanges_isShownInItsNewShape() throws InterruptedException {
        try (OverlayStreamRig rig = new OverlayStreamRig(MIXED)) {
            rig.overlaySends(overlay(320, 180, 0, 4, true));
            rig.play(main(0, 4));
            rig.overlaySends(overlay(180, 320, 4, 8, true));
            rig.play(main(4, 8));
            rig.end();

            assertWhole(rig, 8);
            try (Seen seen = seen(rig)) {
                assertWhite(seen, 3.5, WIDE_Y);
                assertBare(seen, 3.5, HIGH_Y);
                assertWhite(seen, 7.5, HIGH_Y);
            }
        }
    }

    @Test
    void overlayStream_ofAudioOnly_isMixed() throws InterruptedException {
        try (OverlayStreamRig rig = new OverlayStreamRig(MIXED)) {
            List<AccessUnit> overlay = new ArrayList<>(overlay(320, 180, 0, 4, true));
            overlay.removeIf(unit -> unit.track().isVideo());
            rig.overlaySends(overlay);
            rig.play(main(0, 4));
            rig.end();

            assertWhole(rig, 4);
            try (Seen seen = seen(rig)) {
                assertBare(seen, 3.5, WIDE_Y);
            }
            assertTrue(loudness(rig, 2, 4) > 0.2);
        }
    }

    @Test
    void push_ofFramesAlone_isSeen() throws InterruptedException {
        try (OverlayStreamRig rig = new OverlayStreamRig(MIXED)) {
            rig.overlaySends(overlay(320, 180, 0, 4, false));
            rig.play(main(0, 4));
            rig.end();

            assertWhole(rig, 4);
            try (Seen seen = seen(rig)) {
                assertWhite(seen, 3.5, WIDE_Y);
            }
            assertEquals(0, loudness(rig, 2, 4), 0.001);
        }
    }

    @Test
    void programWithoutAudio_getsTheOverlaysAudio() throws InterruptedException {
        try (OverlayStreamRig rig = new OverlayStreamRig(MIXED)) {
            rig.overlaySends(overlay(320, 180, 0, 5, true));
            rig.play(videoFrames(0, 5));
            rig.end();

            assertWhole(rig, 5);
            assertTrue(loudness(rig, 2, 4) > 0.2);
        }
    }

    private static List<AccessUnit> main(int fromSecond, int toSecond) {
        return Studio.withAudio(videoFrames(fromSecond, toSecond));
    }

    /** Encoded anew: until then the overlay stream is decoded. */
    private static List<AccessUnit> videoFrames(int fromSecond, int toSecond) {
        return Studio.frames(Studio.settings(MAIN), fromSecond * 25, (toSecond - fromSecond) * 25);
    }

    private static List<AccessUnit> overlay(
            int width, int height, int fromSecond, int toSecond, boolean withAudio) {
        return ENCODED.computeIfAbsent(
                List.of("overlay", width, height, fromSecond, toSecond, withAudio),
                _ -> encodedOverlay(width, height, fromSecond, toSecond, withAudio));
    }

    private static List<AccessUnit> encodedOverlay(
            int width, int height, int fromSecond, int toSecond, boolean withAudio) {
        FrameFormat format = new FrameFormat(width, height, Colour.UNSPECIFIED);
        List<AccessUnit> units = new ArrayList<>();
        try (VideoEncoder encoder = VideoEncoder.open(Studio.settings(format));
                VideoFrame videoFrame = VideoFrame.allocate(format)) {
            videoFrame.planes().get(0).samples().fill((byte) WHITE);
            videoFrame.planes().get(1).samples().fill((byte) 128);
            videoFrame.planes().get(2).samples().fill((byte) 128);
            for (int i = fromSecond * 25; i < toSecond * 25; i++) {
                videoFrame.ptsTicks(i * 90L * Studio.FRAME_MS);
                units.addAll(encoder.encode(videoFrame, /* forceKeyFrame= */ false));
            }
        }
        if (withAudio) {
            units.addAll(tone(fromSecond, toSecond));
        }
        units.sort(Comparator.comparingLong(AccessUnit::dtsUs));
        return units;
    }

    private static List<AccessUnit> tone(int fromSecond, int toSecond) {
        float[] samples = new float[(toSecond - fromSecond) * RATE_HZ * 2];
        for (int i = 0; i < samples.length; i++) {
            int frame = i / 2;
            samples[i] = (float) (0.4 * Math.sin(2 * Math.PI * 1_000 * frame / RATE_HZ));
        }
        long start = (long) fromSecond * RATE_HZ;
        try (AudioEncoder encoder = AudioEncoder.open(new AudioSettings(RATE_HZ, 2, 128_000))) {
            return encoder.encode(Pcm.of(RATE_HZ, 2, start, samples));
        }
    }

    /** Every frame of the program came out, each at its time. */
    private static void assertWhole(OverlayStreamRig rig, int seconds) {
        List<Long> expected =
                ENCODED
                        .computeIfAbsent(List.of("main", seconds), _ -> videoFrames(0, seconds))
                        .stream()
                        .map(AccessUnit::ptsUs)
                        .toList();
        assertEquals(
                expected,
                rig.units(unit -> unit.track().isVideo()).stream().map(AccessUnit::ptsUs).toList());
        assertEquals(0, rig.counters.dropped());
    }

    private static Seen seen(OverlayStreamRig rig) {
        return Seen.of(rig.units(unit -> unit.track().isVideo()));
    }

    private static void assertWhite(Seen seen, double overlay, int y) {
        double luma = Seen.mean(seen.frames.get((int) (overlay * 25)), 0, INSIDE_X, y);
        assertEquals(WHITE, luma, 4, "at " + overlay + " s");
    }

    private static void assertBare(Seen seen, double overlay, int y) {
        double luma = Seen.mean(seen.frames.get((int) (overlay * 25)), 0, INSIDE_X, y);
        assertTrue(luma < 200, luma + " at " + overlay + " s");
    }

    /** The loudest sample in a time range. */
    private static double loudness(OverlayStreamRig rig, double fromSecond, double toSecond) {
        List<AccessUnit> units = rig.units(unit -> !unit.track().isVideo());
        double loudest = 0;
        try (AudioDecoder decoder = AudioDecoder.open(units.getFirst().track())) {
            for (AccessUnit unit : units) {
                for (Pcm pcm : decoder.decode(unit)) {
                    for (int i = 0; i < pcm.frames(); i++) {
                        double overlay = (pcm.startFrame() + i) / (double) RATE_HZ;
                        if (overlay >= fromSecond && overlay < toSecond) {
                            loudest = Math.max(loudest, Math.abs(pcm.sample(i, 0)));
                        }
                    }
                }
            }
        }
        return loudest;
    }
}
