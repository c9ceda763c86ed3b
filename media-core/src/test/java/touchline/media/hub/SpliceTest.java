package touchline.media.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import touchline.media.AccessUnit;
import touchline.media.Timeline;
import touchline.testing.SyntheticStream;

/** Programmes without video; those with it are in {@link FailoverSpliceTest}. */
final class SpliceTest {
    /** 1 024 samples at 48 kHz. */
    private static final long UNIT_US = 21_333;

    private static final SyntheticStream AUDIO = SyntheticStream.standard().withoutVideo();

    private final HeldMedia held = new HeldMedia();
    private final ProgramEnd end = new ProgramEnd();

    private void hold(double seconds) {
        held.begin(AUDIO.tracks());
        AUDIO.seconds(seconds).units().forEach(held::add);
    }

    private void show(double seconds) {
        end.begin(new Timeline(0, AUDIO.tracks(), 0, SyntheticStream.STARTED_AT));
        AUDIO.seconds(seconds)
                .units()
                .forEach(unit -> end.add(unit, PublishSource.PRIMARY, /* lessTimestampUs= */ 0));
    }

    @Test
    void of_audioAlone_continuesWithTheUnitNearestToTheEnd() {
        hold(3);
        show(1);

        var ready = assertInstanceOf(Splice.Ready.class, Splice.of(held, end, /* offsetUs= */ 0));

        AccessUnit first = ready.splice().units().getFirst();
        assertEquals(end.endUs(), first.dtsUs(), 1);
        assertTrue(ready.splice().isDone(), "each unit goes on as it is");
        assertEquals(Optional.of(first), ready.splice().place(first));
        assertEquals(0, ready.splice().audioShiftUs());
    }

    /** The clocks of the two publishers differ by less than half a unit. */
    @Test
    void of_audioAlone_offsetWithinAUnit_leavesAGapOfLessThanHalf() {
        hold(3);
        show(1);
        for (long offsetUs = -15_000; offsetUs <= 15_000; offsetUs += 1_000) {
            var ready = assertInstanceOf(Splice.Ready.class, Splice.of(held, end, offsetUs));

            long startUs = ready.splice().units().getFirst().dtsUs() + offsetUs;
            assertTrue(
                    Math.abs(startUs - end.endUs()) <= UNIT_US / 2 + 1,
                    "offset " + offsetUs + ": " + (startUs - end.endUs()));
        }
    }

    @Test
    void of_audioThatHasNotArrived_isNotYet() {
        hold(1);
        show(2);

        assertInstanceOf(Splice.NotYet.class, Splice.of(held, end, /* offsetUs= */ 0));
    }

    @Test
    void anyhow_withoutAKeyFrame_isEmpty() {
        SyntheticStream video = SyntheticStream.standard().withoutAudio();
        held.begin(video.tracks());

        assertEquals(Optional.empty(), Splice.anyhow(held));

        video.seconds(3).units().forEach(held::add);
        Splice splice = Splice.anyhow(held).orElseThrow();
        assertTrue(splice.units().getFirst().isKeyFrame());
        assertEquals(2_000_000, splice.units().getFirst().ptsUs(), 200_000);
        assertFalse(splice.isRunningUp());
    }

    /** The primary sends video alone, the backup both. */
    @Test
    void of_programmeWithoutAudio_hasNoBridge() {
        SyntheticStream both = SyntheticStream.standard().bFrames(0);
        held.begin(both.tracks());
        both.seconds(5).units().forEach(held::add);
        SyntheticStream video = both.withoutAudio();
        end.begin(new Timeline(0, video.tracks(), 0, SyntheticStream.STARTED_AT));
        List<AccessUnit> shown = video.seconds(3).units();
        shown.forEach(unit -> end.add(unit, PublishSource.PRIMARY, /* lessTimestampUs= */ 0));

        var ready = assertInstanceOf(Splice.Ready.class, Splice.of(held, end, /* offsetUs= */ 0));

        assertEquals(List.of(), ready.splice().bridge());
        assertEquals(shown.getLast().ptsTicks() + 3_000, ready.splice().shownFromTicks());
    }
}
