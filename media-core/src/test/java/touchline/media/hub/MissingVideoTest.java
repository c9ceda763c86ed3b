package touchline.media.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.Timeline;
import touchline.testing.SettableClock;
import touchline.testing.SyntheticStream;

/** A publisher whose frames stop, come back, or never come, while its audio goes on. */
final class MissingVideoTest {
    private static final SyntheticStream MEDIA = SyntheticStream.standard().seconds(30);

    private final SettableClock clock = new SettableClock();
    private final List<String> codes = new ArrayList<>();
    private final IngestMonitor monitor =
            new IngestMonitor(clock, warning -> codes.add(warning.code()));
    private final List<FeedItem> out = new ArrayList<>();
    private final TimestampNormalizer normalizer =
            new TimestampNormalizer(
                    clock,
                    monitor,
                    () -> true,
                    item -> {
                        monitor.observe(item);
                        out.add(item);
                    });

    private void write(Predicate<AccessUnit> isLost) {
        normalizer.begin(MEDIA.tracks());
        MEDIA.published(0).stream()
                .filter(unit -> !unit.track().isVideo() || !isLost.test(unit))
                .forEach(normalizer::write);
    }

    private List<AccessUnit> units(boolean video) {
        return out.stream()
                .filter(AccessUnit.class::isInstance)
                .map(AccessUnit.class::cast)
                .filter(unit -> unit.track().isVideo() == video)
                .toList();
    }

    private long timelines() {
        return out.stream().filter(Timeline.class::isInstance).count();
    }

    private long allAudio() {
        return MEDIA.units().stream().filter(unit -> !unit.track().isVideo()).count();
    }

    @Test
    void framesStop_forTenSeconds_comeBackWithAKeyFrameOfTheSameTimeline() {
        write(unit -> unit.dtsUs() > 9_500_000 && unit.dtsUs() < 19_500_000);

        assertEquals(1, timelines());
        assertEquals(allAudio(), units(false).size());
        AccessUnit back =
                units(true).stream().filter(u -> u.dtsUs() > 10_000_000).findFirst().orElseThrow();
        assertTrue(back.isKeyFrame());
        assertEquals(20_000_000, (double) back.dtsUs(), 40_000);
        LiveStreamsTest.assertRising(out);
        assertTrue(codes.contains(IngestReport.NO_VIDEO));
        assertTrue(
                codes.stream().allMatch(List.of("no_video", "b_frames")::contains),
                codes::toString);
    }

    @Test
    void framesPause_forASecond_continueWithAnyFrame() {
        write(unit -> unit.dtsUs() > 9_500_000 && unit.dtsUs() < 10_500_000);

        AccessUnit back =
                units(true).stream().filter(u -> u.dtsUs() > 10_000_000).findFirst().orElseThrow();
        assertEquals(10_500_000, (double) back.dtsUs(), 40_000);
        assertEquals(List.of(), codes.stream().filter(IngestReport.NO_VIDEO::equals).toList());
    }

    /** The clock of the camera stood still: its frames go on where they stopped. */
    @Test
    void framesComeBack_withTheTimesOfTheirStop_openATimeline() {
        normalizer.begin(MEDIA.tracks());
        for (AccessUnit unit : MEDIA.published(0)) {
            boolean isLost = unit.dtsUs() >= 9_900_000 && unit.dtsUs() < 19_900_000;
            if (!unit.track().isVideo() || unit.dtsUs() < 9_900_000) {
                normalizer.write(unit);
            } else if (!isLost) {
                normalizer.write(
                        unit.at(
                                unit.track(),
                                unit.dtsTicks() - 900_000,
                                unit.compositionTimeOffsetTicks()));
            }
        }

        assertEquals(2, timelines());
        assertTrue(codes.contains(IngestReport.TIMESTAMP_JUMPS));
        assertTrue(codes.contains(IngestReport.NO_VIDEO));
        LiveStreamsTest.assertRising(out);
        assertEquals(30_000_000, (double) units(true).getLast().dtsUs(), 200_000);
        assertEquals(30_000_000, (double) units(false).getLast().dtsUs(), 1_500_000);
    }

    @Test
    void declaredFrames_thatNeverCome_areReported() {
        write(_ -> true);

        assertEquals(1, timelines());
        assertEquals(allAudio(), units(false).size());
        assertEquals(List.of(IngestReport.NO_VIDEO), codes);
    }
}
