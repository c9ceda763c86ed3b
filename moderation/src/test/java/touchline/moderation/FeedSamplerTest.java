package touchline.moderation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.Interruption;
import touchline.media.Timeline;
import touchline.media.codec.DecodingRefusedException;
import touchline.media.codec.NalUnits;
import touchline.media.decoding.GopDecoders;
import touchline.media.ffmpeg.DecoderMemory;
import touchline.media.ffmpeg.VideoFrame;
import touchline.testing.SyntheticStream;

final class FeedSamplerTest {
    private static final int PER_SECOND = 20;

    private final Taken taken = new Taken();

    /** The longest distances: 98 % of the interval, and up to the next frame. */
    private DoubleSupplier random = () -> 1;

    /** A frame that was taken: its time, and its index, read from its luma. */
    private record Shot(long ptsUs, int index, int width, boolean opens) {}

    private static final class Taken implements FeedSampler.Receiver {
        private final List<Shot> shots = new ArrayList<>();
        private int intervalSeconds = 1;
        private final List<Long> blindMs = new ArrayList<>();
        private int undecodable;
        private int refused;
        private Optional<String> blindBecause = Optional.empty();
        private boolean takesLast;

        @Override
        public void sampled(VideoFrame frame, Timeline timeline, boolean opensGate) {
            try (frame) {
                int luma =
                        frame.planes().getFirst().samples().get(ValueLayout.JAVA_BYTE, 2_000)
                                & 0xFF;
                shots.add(
                        new Shot(
                                frame.ptsUs(),
                                Math.round((luma - 20) / 1.5f),
                                frame.format().width(),
                                opensGate));
            }
        }

        @Override
        public void failed(Throwable error) {
            throw new AssertionError("sampling failed", error);
        }

        @Override
        public void undecodable() {
            undecodable++;
        }

        @Override
        public void blind(
                long ptsUs, Timeline timeline, Optional<DecodingRefusedException> refusal) {
            blindMs.add(ptsUs / 1_000);
            blindBecause = refusal.map(cause -> String.valueOf(cause.getMessage()));
        }

        @Override
        public void refused(DecodingRefusedException cause) {
            refused++;
        }

        @Override
        public boolean takesLast() {
            return takesLast;
        }

        @Override
        public long intervalUs() {
            return intervalSeconds * 1_000_000L;
        }

        List<Long> timesMs() {
            return shots.stream().map(shot -> shot.ptsUs() / 1_000).toList();
        }
    }

    /** Fills the frame with one luma that rises with the index. */
    private static void shade(VideoFrame frame, int index) {
        MemorySegment luma = frame.planes().getFirst().samples();
        luma.fill((byte) (20 + Math.round(index * 1.5f)));
    }

    @ParameterizedTest
    @CsvSource({
        // 92 % of the interval, or two frames less than the interval, then the next frame. Each
        // six intervals a key frame in addition.
        "40, 0, 1, '0,950,1850,2750,3650,4550,5450,6000,6350'",
        "400, 0, 3, '0,2800,5600'",
        // Instead of a key frame, the frame behind it is taken.
        "37, 0, 1, '0,950,1900,2800,3750,4650,5600'",
        "36, 0, 1, '0,950,1850,2750,3650,4550,5450,6350'",
        // Key frames only: there is no other choice.
        "1, 0, 2, '0,1850,3700,5550'",
    })
    void intervalAndKeyFrameDistance_takesTrueFrames(
            int gopFrames, int bFrames, int intervalSeconds, String expectedMs) {
        taken.intervalSeconds = intervalSeconds;
        run(CodedStream.small().gopFrames(gopFrames).bFrames(bFrames), 130);

        assertEquals(
                expectedMs,
                String.join(",", taken.timesMs().stream().map(String::valueOf).toList()));
        assertTrueContent(0);
    }

    /** Clean key frames must not hide the frames between them, and hide nothing themselves. */
    @ParameterizedTest
    @CsvSource({"6, 0", "15, 0", "60, 0", "15, 2", "60, 2"})
    void randomTimes_everyIntervalHoldsAFrameThatIsNoKeyFrame(int gopFrames, int bFrames) {
        random = new SplittableRandom(gopFrames + bFrames)::nextDouble;
        run(CodedStream.small().gopFrames(gopFrames).bFrames(bFrames), 150);

        List<Long> timesMs = taken.timesMs();
        List<Long> othersMs =
                timesMs.stream().filter(timeMs -> timeMs % (gopFrames * 50L) != 0).toList();
        assertTrue(othersMs.getFirst() <= 1_000, othersMs.toString());
        for (int i = 1; i < othersMs.size(); i++) {
            long distanceMs = othersMs.get(i) - othersMs.get(i - 1);
            assertTrue(distanceMs > 0 && distanceMs <= 1_000, othersMs.toString());
        }
        assertTrue(othersMs.size() >= 7 && othersMs.size() <= 11, othersMs.toString());
        int keyFrames = timesMs.size() - othersMs.size();
        assertTrue(keyFrames >= 2 && keyFrames <= 4, timesMs.toString());
        assertTrueContent(0);
    }

    /** A clean key frame says nothing about the frames before it. */
    @Test
    void gate_isOpenedByOtherFrames_andByKeyFramesWithoutAny() {
        random = new SplittableRandom(3)::nextDouble;
        run(CodedStream.small().gopFrames(6), 150);
        assertEquals(
                List.of(true),
                taken.shots.stream()
                        .filter(shot -> shot.ptsUs() > 0)
                        .map(shot -> shot.opens() == (shot.ptsUs() % 300_000 != 0))
                        .distinct()
                        .toList());

        taken.shots.clear();
        run(CodedStream.small().gopFrames(1), 150);
        assertTrue(taken.shots.stream().allMatch(Shot::opens));
    }

    /** Frames that no other frame references are shown to viewers too. */
    @Test
    void nonReferenceFrames_areSampledToo() {
        random = new SplittableRandom(7)::nextDouble;
        List<AccessUnit> units = units(CodedStream.small().gopFrames(60).bFrames(2), 260);
        try (FeedSampler sampler = sampler()) {
            sampler.accept(CodedStream.timeline(0, units));
            units.forEach(sampler::accept);
        }
        Set<Long> nonReferencesMs =
                units.stream()
                        .filter(FeedSamplerTest::isNonReference)
                        .map(unit -> unit.ptsUs() / 1_000)
                        .collect(Collectors.toSet());

        assertTrue(nonReferencesMs.size() > 80, nonReferencesMs.toString());
        assertTrue(
                taken.timesMs().stream().anyMatch(nonReferencesMs::contains),
                taken.timesMs().toString());
    }

    /** nal_ref_idc of all slices is 0 (Rec. ITU-T H.264, 7.4.1). */
    private static boolean isNonReference(AccessUnit unit) {
        return NalUnits.ofLengthPrefixed(unit.payload(), 4).stream()
                .filter(nal -> NalUnits.avcType(nal) == 1 || NalUnits.avcType(nal) == 5)
                .allMatch(nal -> (nal.get(ValueLayout.JAVA_BYTE, 0) >> 5 & 3) == 0);
    }

    @Test
    void changedInterval_countsFromTheNextFrame() {
        List<AccessUnit> units = units(CodedStream.small().gopFrames(20), 200);
        try (FeedSampler sampler = sampler()) {
            sampler.accept(CodedStream.timeline(0, units));
            units.subList(0, 70).forEach(sampler::accept);
            taken.intervalSeconds = 3;
            units.subList(70, 200).forEach(sampler::accept);
        }

        assertEquals(List.of(0L, 950L, 1_850L, 2_750L, 5_550L, 6_000L, 8_350L), taken.timesMs());
    }

    @Test
    void discontinuity_withAnotherSize_goesOn() {
        List<AccessUnit> first = units(CodedStream.small(), 50);
        List<AccessUnit> second =
                CodedStream.small().size(160, 90).units(60, 2_700_000, FeedSamplerTest::shade);
        try (FeedSampler sampler = sampler()) {
            sampler.accept(CodedStream.timeline(0, first));
            first.forEach(sampler::accept);
            sampler.accept(Interruption.PUBLISHER_GONE);
            sampler.accept(CodedStream.timeline(1, second));
            second.forEach(sampler::accept);
        }

        assertEquals(List.of(0L, 950L, 1_850L, 2_750L, 3_650L, 4_550L, 5_450L), taken.timesMs());
        assertEquals(
                List.of(320, 320, 320, 160, 160, 160, 160),
                taken.shots.stream().map(Shot::width).toList());
    }

    @Test
    void lastFrame_isTakenBeforeABreak_whenThePolicyRequiresIt() {
        taken.takesLast = true;
        for (int bFrames : List.of(0, 2)) {
            taken.shots.clear();
            taken.intervalSeconds = 2;
            List<AccessUnit> units = units(CodedStream.small().bFrames(bFrames), 57);
            try (FeedSampler sampler = sampler()) {
                sampler.accept(CodedStream.timeline(0, units));
                units.forEach(sampler::accept);
                sampler.accept(Interruption.PUBLISHER_GONE);
                sampler.end();
            }
            long lastUs = units.stream().mapToLong(AccessUnit::ptsUs).max().orElseThrow();
            assertEquals(lastUs / 1_000, taken.timesMs().getLast());
            assertEquals(56, taken.shots.getLast().index(), 1);
            assertEquals(3, taken.shots.size(), taken.timesMs().toString());
        }
    }

    @Test
    void brokenFrames_costTheirGopOnly() {
        List<FeedItem> items = new ArrayList<>();
        List<AccessUnit> units = units(CodedStream.small().gopFrames(20), 120);
        items.add(CodedStream.timeline(0, units));
        for (AccessUnit unit : units) {
            boolean broken = unit.ptsUs() >= 1_900_000 && unit.ptsUs() < 3_100_000;
            items.add(broken ? noise(unit) : unit);
        }
        try (FeedSampler sampler = sampler()) {
            items.forEach(sampler::accept);
        }

        assertTrue(taken.undecodable > 0);
        assertEquals(List.of(0L, 950L), taken.timesMs().subList(0, 2));
        assertEquals(5_850L, taken.timesMs().getLast());
        assertEquals(List.of(3_050L), taken.blindMs, "two GOPs in a row");
    }

    @Test
    void brokenGop_withinAnInterval_doesNotMakeBlind() {
        taken.intervalSeconds = 2;
        List<AccessUnit> units = units(CodedStream.small().gopFrames(20), 120);
        try (FeedSampler sampler = sampler()) {
            sampler.accept(CodedStream.timeline(0, units));
            for (AccessUnit unit : units) {
                boolean broken = unit.ptsUs() >= 1_000_000 && unit.ptsUs() < 2_000_000;
                sampler.accept(broken ? noise(unit) : unit);
            }
        }

        assertTrue(taken.undecodable > 0);
        assertEquals(List.of(), taken.blindMs);
    }

    @Test
    void brokenFrames_forLongerThanAnInterval_makeBlindOnce_untilAFrameIsDecoded() {
        List<AccessUnit> units = units(CodedStream.small().gopFrames(20), 200);
        try (FeedSampler sampler = sampler()) {
            sampler.accept(CodedStream.timeline(0, units));
            for (AccessUnit unit : units) {
                boolean broken = unit.ptsUs() >= 2_000_000 && unit.ptsUs() < 5_000_000;
                sampler.accept(broken ? noise(unit) : unit);
            }
        }

        assertEquals(List.of(3_050L), taken.blindMs);
        assertEquals(
                5_050L,
                taken.timesMs().stream().filter(ms -> ms > 2_000).findFirst().orElseThrow());
    }

    @Test
    void video_thatIsNotDecoded_isReported_andTheReasonWhyItIsBlind() {
        DecoderMemory.limit(100 << 10);
        try {
            run(CodedStream.small().gopFrames(20), 60);
        } finally {
            DecoderMemory.limit(Long.MAX_VALUE);
        }

        assertEquals(List.of(), taken.shots);
        assertTrue(taken.refused > 0);
        assertEquals(1, taken.blindMs.size());
        String reason = taken.blindBecause.orElseThrow();
        assertTrue(reason.endsWith("of 0 MiB in use (media.decoder-memory)"), reason);
    }

    @Test
    void audioAlone_takesNothing() {
        try (FeedSampler sampler = sampler()) {
            SyntheticStream.standard().withoutVideo().feed().forEach(sampler::accept);
            sampler.end();
        }

        assertEquals(List.of(), taken.shots);
        assertEquals(0, taken.undecodable);
    }

    /** Well-formed NAL units that hold noise: nothing is thrown. */
    @Test
    void noiseInNalUnits_isCountedAsUndecodable() {
        try (FeedSampler sampler = sampler()) {
            SyntheticStream.standard().seconds(4).feed().forEach(sampler::accept);
            sampler.end();
        }

        assertTrue(taken.undecodable > 0);
    }

    private void run(CodedStream stream, int frames) {
        List<AccessUnit> units = units(stream, frames);
        try (FeedSampler sampler = sampler()) {
            sampler.accept(CodedStream.timeline(0, units));
            units.forEach(sampler::accept);
            sampler.end();
        }
    }

    private FeedSampler sampler() {
        return new FeedSampler(
                new SampleSchedule(taken.intervalUs(), random),
                track -> GopDecoders.LOCAL.open(track, "session"),
                taken);
    }

    private static List<AccessUnit> units(CodedStream stream, int frames) {
        return stream.units(frames, 0, FeedSamplerTest::shade);
    }

    private void assertTrueContent(long startUs) {
        for (Shot shot : taken.shots) {
            double expected = (shot.ptsUs() - startUs) * PER_SECOND / 1e6;
            assertEquals(expected, shot.index(), 1, shot.toString());
        }
    }

    private static AccessUnit noise(AccessUnit unit) {
        byte[] bytes = unit.payload().toArray(ValueLayout.JAVA_BYTE);
        for (int i = 4; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 31 + 7);
        }
        return new AccessUnit(
                unit.track(),
                unit.dtsTicks(),
                unit.compositionTimeOffsetTicks(),
                unit.idr(),
                MemorySegment.ofArray(bytes));
    }
}
