package touchline.packager.hls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.jupiter.api.Test;
import touchline.packager.hls.Segmenter.Cut;

final class SegmenterTest {
    private static final LatencyProfile STANDARD = LatencyProfile.standard();
    private static final LatencyProfile LOW = LatencyProfile.low(Duration.ofMillis(250));

    /** Drives a segmenter as the packager does, and notes durations. */
    private static final class Drive {
        final Segmenter segmenter;
        final List<Long> segments = new ArrayList<>();
        final List<List<Long>> parts = new ArrayList<>();
        final List<Boolean> startsWithKey = new ArrayList<>();
        private List<Long> growing = new ArrayList<>();
        private long partUs;
        private boolean newSegment = true;

        Drive(LatencyProfile profile, double nominalRate) {
            segmenter = new Segmenter(profile);
            segmenter.nominal(OptionalDouble.of(1e6 / nominalRate));
        }

        /** Units start at these times; the last one only ends the one before. */
        void run(List<Long> startsUs, List<Boolean> keys) {
            for (int i = 0; i + 1 < startsUs.size(); i++) {
                long start = startsUs.get(i);
                long end = startsUs.get(i + 1);
                cut(segmenter.before(start, end));
                if (newSegment) {
                    startsWithKey.add(keys.get(i));
                    newSegment = false;
                }
                partUs += end - start;
                cut(segmenter.after(end, end - start, keys.get(i + 1), 0));
            }
        }

        private void cut(Cut cut) {
            if (cut == Cut.NONE) {
                return;
            }
            growing.add(partUs);
            partUs = 0;
            if (cut == Cut.PART) {
                segmenter.partEnded();
                return;
            }
            long sum = growing.stream().mapToLong(Long::longValue).sum();
            segmenter.segmentEnded(sum);
            segments.add(sum);
            parts.add(growing);
            growing = new ArrayList<>();
            newSegment = true;
        }
    }

    @Test
    void standard_gopOfTwoSeconds_cutsEveryFour() {
        Drive drive = drive(STANDARD, 30, 60, 1_200);

        assertEquals(4_000_000L, drive.segments.getFirst());
        assertTrue(drive.segments.stream().allMatch(us -> us == 4_000_000));
        assertEquals(4, drive.segmenter.targetDurationS());
        assertEquals(List.of(1_000_000L, 1_000_000L, 1_000_000L, 1_000_000L), drive.parts.get(1));
    }

    @Test
    void standard_firstSegmentOfNineSeconds_setsTargetDurationForGood() {
        Drive drive = drive(STANDARD, 25, 225, 1_500);

        assertEquals(9_000_000L, drive.segments.getFirst());
        assertEquals(9, drive.segmenter.targetDurationS());
        assertTrue(drive.startsWithKey.stream().allMatch(key -> key));
    }

    @Test
    void standard_gopOfTwentySeconds_isCutWithoutKeyFrameAtTwelve() {
        Drive drive = drive(STANDARD, 30, 600, 1_300);

        // EXTINF is rounded: 12.467 s are 12 s.
        assertEquals(List.of(12_467_000L, 7_533_000L, 12_467_000L, 7_533_000L), drive.segments);
        assertEquals(List.of(true, false, true, false), drive.startsWithKey.subList(0, 4));
        assertEquals(12, drive.segmenter.targetDurationS());
    }

    @Test
    void low_gopOfSixSeconds_isNotCutBeforeItsKeyFrame() {
        Drive drive = drive(LOW, 30, 180, 1_000);

        assertTrue(drive.segments.stream().allMatch(us -> us == 6_000_000), "" + drive.segments);
    }

    @Test
    void low_thirtyFrames_partTargetIsSevenFrames() {
        Drive drive = drive(LOW, 30, 60, 600);

        assertEquals(234_000, drive.segmenter.partTargetUs());
        assertEquals(2_000_000L, drive.segments.getFirst());
        assertEquals(9, drive.parts.getFirst().size());
    }

    @Test
    void low_frameRates_partTargetIsTheLongestWholeFrames() {
        assertEquals(240_000, drive(LOW, 25, 50, 300).segmenter.partTargetUs());
        assertEquals(250_000, drive(LOW, 60, 120, 600).segmenter.partTargetUs());
        assertEquals(250_000, drive(LOW, 24, 48, 300).segmenter.partTargetUs());
        assertEquals(200_000, drive(LOW, 15, 30, 300).segmenter.partTargetUs());
        assertEquals(209_000, drive(LOW, 23.976, 48, 300).segmenter.partTargetUs());
        assertEquals(234_000, drive(LOW, 29.97, 60, 300).segmenter.partTargetUs());
        assertEquals(500_000, drive(LOW, 2, 4, 60).segmenter.partTargetUs());
    }

    /** PART-TARGET is a session's: what follows a discontinuity fits into it as well as it can. */
    @Test
    void low_otherFrameRateBehindADiscontinuity_keepsThePartTarget() {
        Drive drive = drive(LOW, 30, 60, 600);
        for (int rate : List.of(25, 24, 50, 60, 20)) {
            drive.segmenter.restart();
            drive.parts.clear();
            List<Long> starts = new ArrayList<>();
            List<Boolean> keys = new ArrayList<>();
            for (int i = 0; i < rate * 10; i++) {
                starts.add(Math.round(i * 1_000.0 / rate) * 1_000);
                keys.add(i % (rate * 2) == 0);
            }
            drive.run(starts, keys);

            assertEquals(234_000, drive.segmenter.partTargetUs());
            for (List<Long> parts : drive.parts.subList(1, drive.parts.size())) {
                for (long us : parts.subList(0, parts.size() - 1)) {
                    assertTrue(us <= 234_000 && us * 100 >= 234_000 * 85, rate + " fps: " + us);
                }
            }
        }
    }

    @Test
    void fills_changesNothingAndAgreesWithAfter() {
        Segmenter segmenter = new Segmenter(LOW);
        segmenter.nominal(OptionalDouble.of(50_000));
        segmenter.before(0, 50_000);
        for (int i = 1; i <= 5; i++) {
            long endUs = i * 50_000L;
            boolean fills = segmenter.fills(endUs - 50_000, endUs, false, 0);
            assertEquals(fills, segmenter.fills(endUs - 50_000, endUs, false, 0));
            assertEquals(Cut.NONE, segmenter.before(endUs - 50_000, endUs));
            assertEquals(fills, segmenter.after(endUs, 50_000, false, 0) == Cut.PART);
            assertEquals(i == 5, fills);
        }
        assertEquals(Cut.NONE, segmenter.beforeKeyFrame(250_000));
        segmenter.partEnded();
        assertEquals(500_000, segmenter.latestEndUs());
    }

    @Test
    void rules_anyConstantFrameRateAndGop_hold() {
        Random random = new Random(7);
        for (int round = 0; round < 300; round++) {
            LatencyProfile profile = random.nextBoolean() ? STANDARD : LOW;
            int rate = 8 + random.nextInt(53);
            int gop = 1 + random.nextInt(rate * 15);
            Drive drive = drive(profile, rate, gop, rate * 60);
            assertRules(profile, drive, rate + " fps, gop " + gop);
        }
    }

    private static void assertRules(LatencyProfile profile, Drive drive, String name) {
        long target = drive.segmenter.targetDurationS() * 1_000_000L + 499_000;
        long partTarget = drive.segmenter.partTargetUs();
        assertEquals(
                profile.targetDurationS(drive.segments.getFirst()),
                drive.segmenter.targetDurationS(),
                name);
        for (int i = 0; i < drive.segments.size(); i++) {
            assertTrue(drive.segments.get(i) <= target, name + " segment " + drive.segments.get(i));
            List<Long> parts = drive.parts.get(i);
            for (int k = 0; k < parts.size(); k++) {
                long us = parts.get(k);
                assertTrue(us <= partTarget, name + " part " + us + " of " + partTarget);
                boolean last = k == parts.size() - 1;
                assertTrue(last || us * 100 >= partTarget * 85, name + " part " + us);
            }
        }
    }

    @Test
    void rules_variableFrameRate_neverPassTheTargets() {
        Random random = new Random(3);
        for (int round = 0; round < 100; round++) {
            List<Long> starts = new ArrayList<>();
            List<Boolean> keys = new ArrayList<>();
            long at = 0;
            for (int i = 0; i < 2_000; i++) {
                starts.add(at);
                keys.add(i == 0 || random.nextInt(90) == 0);
                at += (16 + random.nextInt(60)) * 1_000L;
            }
            Drive drive = new Drive(LOW, 25);
            drive.run(starts, keys);
            for (List<Long> parts : drive.parts) {
                for (long us : parts) {
                    assertTrue(us <= drive.segmenter.partTargetUs(), "part " + us);
                }
            }
            assertTrue(drive.segments.stream().allMatch(us -> us < 6_500_000));
        }
    }

    /** Frames are left out of the first parts: a busy machine starts the session. */
    @Test
    void low_framesLeftOutAtTheStart_doNotChangeThePartTarget() {
        Random random = new Random(5);
        for (int round = 0; round < 100; round++) {
            List<Long> starts = new ArrayList<>();
            List<Boolean> keys = new ArrayList<>();
            for (int i = 0; i < 600; i++) {
                if (i == 0 || i >= 60 || random.nextInt(4) == 0) {
                    starts.add(Math.round(i * 1_000 / 30.0) * 1_000);
                    keys.add(i % 60 == 0);
                }
            }
            Drive drive = new Drive(LOW, 30);
            drive.run(starts, keys);

            assertEquals(234_000, drive.segmenter.partTargetUs());
        }
    }

    @Test
    void low_unknownFrameRate_partTargetIsTheConfigured() {
        Segmenter segmenter = new Segmenter(LOW);
        segmenter.nominal(OptionalDouble.empty());

        assertEquals(250_000, segmenter.partTargetUs());
    }

    /** Key frames of a GOP of two seconds come up to 15 ms early or late. */
    @Test
    void keyFramesBesideTheirTime_segmentsKeepTheirLength() {
        Random random = new Random(9);
        for (LatencyProfile profile : List.of(STANDARD, LOW)) {
            List<Long> starts = new ArrayList<>();
            List<Boolean> keys = new ArrayList<>();
            for (int i = 0; i < 3_000; i++) {
                long jitterMs = i % 60 == 0 && i > 0 ? random.nextInt(31) - 15 : 0;
                starts.add((Math.round(i * 1_000 / 30.0) + jitterMs) * 1_000);
                keys.add(i % 60 == 0);
            }
            Drive drive = new Drive(profile, 30);
            drive.run(starts, keys);

            long expectedUs = profile.segmentTargetUs();
            for (long us : drive.segments) {
                assertTrue(Math.abs(us - expectedUs) <= 31_000, profile + ": " + us);
            }
            assertTrue(drive.startsWithKey.stream().allMatch(key -> key));
        }
    }

    @Test
    void keyFramesCloseTogether_doNotCutEarly() {
        assertEquals(4_000_000L, drive(STANDARD, 25, 1, 300).segments.getFirst());
        assertEquals(4_000_000L, drive(STANDARD, 25, 5, 300).segments.getFirst());
        assertEquals(2_000_000L, drive(LOW, 50, 5, 300).segments.getFirst());
    }

    @Test
    void standard_firstSegment_isRoundedForTheTargetDuration() {
        assertEquals(4, STANDARD.targetDurationS(3_985_000));
        assertEquals(4, STANDARD.targetDurationS(4_499_000));
        // May be listed as 4.500.
        assertEquals(5, STANDARD.targetDurationS(4_499_001));
        assertEquals(5, STANDARD.targetDurationS(4_500_000));
        assertEquals(12, STANDARD.targetDurationS(12_467_000));
        assertEquals(6, LOW.targetDurationS(2_000_000));
    }

    /** Times are rounded to milliseconds, as RTMP counts them. */
    private static Drive drive(LatencyProfile profile, double rate, int gop, int frames) {
        List<Long> starts = new ArrayList<>();
        List<Boolean> keys = new ArrayList<>();
        for (int i = 0; i < frames; i++) {
            starts.add(Math.round(i * 1_000 / rate) * 1_000);
            keys.add(i % gop == 0);
        }
        Drive drive = new Drive(profile, rate);
        drive.run(starts, keys);
        return drive;
    }
}
