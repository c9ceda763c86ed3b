package touchline.media.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import touchline.media.AccessUnit;
import touchline.media.Timeline;
import touchline.testing.SettableClock;
import touchline.testing.SyntheticStream;

/** The clock starts at a full minute, and so at the beginning of a step. */
final class IngestHealthTest {
    private static final SyntheticStream PLAIN = SyntheticStream.standard().bFrames(0);

    private final SettableClock clock = new SettableClock();
    private final Instant started = clock.instant();
    private final IngestMonitor monitor = new IngestMonitor(clock, _ -> {});
    private int timelines;

    /** Each unit arrives at its own time, from now on. */
    private void arrive(SyntheticStream media) {
        arrive(media, _ -> true);
    }

    private void arrive(SyntheticStream media, Predicate<AccessUnit> which) {
        Instant begins = clock.instant();
        monitor.observe(new Timeline(timelines++, media.tracks(), 0, begins));
        for (AccessUnit unit : media.units()) {
            Instant due = begins.plusNanos(unit.dtsUs() * 1_000);
            if (due.isAfter(clock.instant())) {
                clock.advance(Duration.between(clock.instant(), due));
            }
            if (which.test(unit)) {
                monitor.observe(unit);
            }
        }
    }

    private List<HealthSample> all() {
        return monitor.health(Instant.EPOCH);
    }

    @Test
    void steadyMedia_isMeasuredInStepsOfTheClock() {
        arrive(PLAIN.seconds(20.5));

        List<HealthSample> samples = all();

        assertEquals(
                List.of(5L, 10L, 15L, 20L),
                samples.stream()
                        .map(each -> each.atMs() / 1_000 - started.getEpochSecond())
                        .toList());
        HealthSample third = samples.get(2);
        // 150 frames of 8 004 bytes, of which two or three are six times as large.
        assertEquals(150 * 8_004 * 8 / 5.0, (double) third.videoBitrateBps(), 200_000);
        assertEquals(9 * 8 * 48_000 / 1_024.0, (double) third.audioBitrateBps(), 100);
        assertEquals(30, third.frameRate(), 0.3);
        assertEquals(2_000_000, third.keyFrameIntervalUs());
        assertEquals(0, third.missingFrames());
        assertEquals(0, third.driftUs() / 1e3, 25);
    }

    @Test
    void stepThatRuns_isNotShown_untilItIsOver() {
        arrive(PLAIN.seconds(4));
        assertEquals(List.of(), all());

        clock.advance(Duration.ofSeconds(2));

        assertEquals(1, all().size());
        assertEquals(1, all().size(), "a second look");
    }

    @Test
    void firstStep_countsFromTheFirstUnit() {
        clock.advance(Duration.ofMillis(2_500));

        arrive(PLAIN.seconds(8));

        assertEquals(30, all().getFirst().frameRate(), 0.5);
    }

    @Test
    void encoderThatReturns_continuesBehindAGap() {
        arrive(PLAIN.seconds(9.5));
        clock.advance(Duration.ofSeconds(31));
        arrive(PLAIN.seconds(9.5));
        clock.advance(Duration.ofSeconds(5));

        List<HealthSample> samples = all();

        assertEquals(4, samples.size(), samples::toString);
        long gapMs = samples.get(2).atMs() - samples.get(1).atMs();
        assertTrue(gapMs >= 30_000 && gapMs <= 40_000, samples::toString);
        // No distance from the last key frame before the gap to the first one behind it.
        assertTrue(
                samples.stream().allMatch(each -> each.keyFrameIntervalUs() <= 2_000_000),
                samples::toString);
        assertTrue(samples.stream().allMatch(each -> each.missingFrames() == 0));
    }

    @Test
    void framesThatDoNotCome_areMissing() {
        // Three of each second's frames, of which two are neighbours.
        arrive(
                PLAIN.seconds(10.2),
                unit -> {
                    long frame = Math.round(unit.dtsUs() * 30 / 1e6) % 30;
                    return !unit.track().isVideo() || (frame != 7 && frame != 8 && frame != 20);
                });

        HealthSample second = all().get(1);

        assertEquals(15, second.missingFrames());
        assertEquals(27, second.frameRate(), 0.3);
    }

    @Test
    void gopWithoutAnEnd_growsFromStepToStep() {
        arrive(PLAIN.gopFrames(100_000).seconds(20.2));

        List<HealthSample> samples = all();

        assertEquals(4.9, samples.getFirst().keyFrameIntervalUs() / 1e6, 0.1);
        assertEquals(19.9, samples.get(3).keyFrameIntervalUs() / 1e6, 0.1);
    }

    @Test
    void drift_isThatOfAudioAgainstFrames() {
        // Audio runs 1 % slow: 0.1 s in 10 s, of which the doctor's mean follows the most.
        SyntheticStream media = PLAIN.seconds(40);
        monitor.observe(new Timeline(0, media.tracks(), 0, started));
        for (AccessUnit unit : media.units()) {
            Instant due = started.plusNanos(unit.dtsUs() * 1_000);
            if (due.isAfter(clock.instant())) {
                clock.advance(Duration.between(clock.instant(), due));
            }
            boolean isVideo = unit.track().isVideo();
            monitor.observe(
                    isVideo
                            ? unit
                            : unit.at(
                                    unit.track(),
                                    unit.dtsTicks() * 99 / 100,
                                    unit.compositionTimeOffsetTicks()));
        }

        List<HealthSample> samples = all();

        assertEquals(HealthSample.NONE, samples.getFirst().driftUs());
        assertEquals(280, samples.getLast().driftUs() / 1e3, 60);
    }

    @Test
    void audioAlone_hasNoKeyFrames() {
        arrive(PLAIN.withoutVideo().seconds(6));

        HealthSample first = all().getFirst();

        assertEquals(HealthSample.NONE, first.keyFrameIntervalUs());
        assertEquals(HealthSample.NONE, first.driftUs());
        assertEquals(0, first.videoBitrateBps());
        assertEquals(0.0, first.frameRate());
        assertTrue(first.audioBitrateBps() > 0);
    }

    @Test
    void hour_isTheMost_andAnEarlierMomentIsLeftOut() {
        SyntheticStream second = PLAIN.seconds(0.1);
        for (int step = 0; step <= IngestHealth.MAX_SAMPLES; step++) {
            monitor.observe(new Timeline(timelines++, second.tracks(), 0, clock.instant()));
            second.units().forEach(monitor::observe);
            clock.advance(IngestHealth.STEP);
        }

        assertEquals(IngestHealth.MAX_SAMPLES, all().size());
        assertEquals(clock.instant().toEpochMilli(), all().getLast().atMs());
        assertEquals(12, monitor.health(clock.instant().minusSeconds(60)).size());
    }

    @Test
    void clockThatIsSetBack_prolongsTheStep() {
        SettableClock earlier = new SettableClock(started.minusSeconds(3_600));
        Instant[] now = {clock.instant()};
        IngestMonitor moved = new IngestMonitor(() -> now[0], _ -> {});
        moved.observe(new Timeline(0, PLAIN.tracks(), 0, now[0]));
        PLAIN.units().forEach(moved::observe);
        now[0] = earlier.instant();
        PLAIN.units().forEach(moved::observe);

        assertEquals(List.of(), moved.health(Instant.EPOCH));
        now[0] = started.plusSeconds(6);
        assertEquals(1, moved.health(Instant.EPOCH).size());
    }
}
