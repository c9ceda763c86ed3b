package touchline.packager.hls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import touchline.media.AccessUnit;
import touchline.media.Interruption;
import touchline.media.SessionId;
import touchline.media.Timeline;
import touchline.packager.isobmff.Fragment;

/** EXT-X-PROGRAM-DATE-TIME behind discontinuities: see {@link DatedSegments}. */
final class SegmentDatesTest {
    private static final LatencyProfile LOW = LatencyProfile.low(Duration.ofMillis(250));

    /** 29.97 frames a second. */
    private static final long FRAME_TICKS = 3_003;

    /** Wall clock from the end of a timeline to the next; those of a standby are short. */
    private static final long[] JUMPS_US = {
        1_500_000,
        340_123,
        1_612_345,
        87_654,
        999_999,
        1_000_400,
        3_000_777,
        -250_111,
        1_001_500,
        -3_141_592,
        500,
        8_123_456,
        700_000,
        700_001
    };

    private PackagerRig rig = rig(LatencyProfile.standard());
    private Instant clock = TestMedia.START.plusNanos(123_456_789);
    private long ticks;

    @AfterEach
    void everyBlockIsGivenBack() {
        rig.window.close();
        assertEquals(0, rig.memory.liveBlocks());
    }

    /** Lists all segments. */
    private static PackagerRig rig(LatencyProfile profile) {
        return new PackagerRig(
                new LiveWindow.Settings(
                        new SessionId("session-1"),
                        profile,
                        Duration.ofHours(1),
                        /* firstMediaSequence= */ 100,
                        /* recorded= */ false,
                        /* composited= */ false));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void manyDiscontinuities_datesAndDurationsAgreeFromEachSegmentOn(boolean low) {
        rig = low ? rig(LOW) : rig;
        push(0, 271);
        for (int i = 0; i < JUMPS_US.length; i++) {
            rig.feed(Interruption.PUBLISHER_GONE);
            clock = clock.plusNanos(JUMPS_US[i] * 1_000);
            push(i + 1, 200 + 37 * i);
        }
        rig.run();

        DatedSegments all = DatedSegments.of(rig.playlist());
        assertEquals(JUMPS_US.length, all.discontinuities());
        all.assertAgree();
        assertOnTime(all.endUs());
    }

    /** No date is farther from the clock than the longest jump that is left out. */
    private void assertOnTime(long endUs) {
        long offUs = endUs - clock.toEpochMilli() * 1_000;
        assertTrue(Math.abs(offUs) <= DatedSegments.LONG_JUMP_US + 2_000, "off by us " + offUs);
    }

    /** The jump between what a planned stop stored and the encoder's return. */
    @ParameterizedTest
    @CsvSource({"650321, 0", "4500321, 4501000", "-2500321, -2500000"})
    void afterAPlannedStop_datesGoOnAsBehindAnyDiscontinuity(long jumpUs, long shownUs) {
        clock = clock.truncatedTo(ChronoUnit.MILLIS);
        SessionClock resumed = SessionClock.after(stored(clock, 2_000_000));
        clock = clock.plusNanos((2_000_000 + jumpUs) * 1_000);
        Timeline timeline = timeline(1);
        AccessUnit unit = frames(1).getFirst();
        Fragment.Sample sample = new Fragment.Sample(unit, unit.dtsTicks(), FRAME_TICKS);
        Fragment.Run run = new Fragment.Run(TestMedia.VIDEO, List.of(sample), 0);

        resumed.begin(
                new PartPublisher.PartBuilder(
                        timeline, unit.dtsUs(), unit.dtsUs() + 33_366, false, List.of(run)));

        Instant date = resumed.segmentDate(resumed.us(unit.dtsUs()), timeline);
        long fromStoredEndNs = Duration.between(clock, date).toNanos() + jumpUs * 1_000;
        assertEquals(shownUs, fromStoredEndNs / 1_000);
    }

    private static StoredWindow stored(Instant date, long durationUs) {
        MediaSegment segment =
                new MediaSegment(
                        100,
                        /* initNumber= */ 0,
                        /* startUs= */ 0,
                        date,
                        List.of(new MediaSegment.Part(durationUs, true, 1_000)),
                        /* sealed= */ true);
        return new StoredWindow(
                new StoredWindow.Times(4, 0, 0, 29.97, Captions.NONE, 0),
                /* nextInit= */ 1,
                /* version= */ 1,
                /* listedFrom= */ 100,
                List.of(new StoredWindow.Entry(segment, 0, Path.of("100.m4s"), 0)));
    }

    private void push(int sequence, int frames) {
        rig.feed(timeline(sequence)).feed(frames(frames));
        long us = TestMedia.VIDEO.timescale().toUs(frames * FRAME_TICKS);
        clock = clock.plusNanos(us * 1_000);
    }

    private Timeline timeline(int sequence) {
        long startUs = TestMedia.VIDEO.timescale().toUs(ticks);
        return new Timeline(sequence, List.of(TestMedia.VIDEO), startUs, clock);
    }

    private List<AccessUnit> frames(int count) {
        List<AccessUnit> units = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            MemorySegment payload = MemorySegment.ofArray(new byte[100]);
            units.add(new AccessUnit(TestMedia.VIDEO, ticks, 0, i % 60 == 0, payload));
            ticks += FRAME_TICKS;
        }
        return units;
    }
}
