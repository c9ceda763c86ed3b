package touchline.media.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.Interruption;
import touchline.media.Timeline;
import touchline.testing.SyntheticStream;

@Timeout(120)
final class ProgramSwitchTest {
    private static final SyntheticStream MEDIA = SyntheticStream.standard().seconds(6);
    private static final List<FeedItem> ITEMS = MEDIA.feed();

    private final Feed source = new Feed();
    private final ProgramSwitch program = new ProgramSwitch(source);
    private final Subscription viewer = program.feed().subscribe("viewer", 64L << 20);

    @Test
    void source_withoutCompositor_isPassedOnAsItIs() throws InterruptedException {
        ITEMS.forEach(source::offer);
        source.flush();
        source.end();

        assertEquals(ITEMS, Hub.read(viewer));
    }

    @Test
    void takeOver_inTheMiddle_saysWhatWasPassedAndStopsThere() throws InterruptedException {
        offer(0, 200);

        ProgramSwitch.Passed passed = program.takeOver();
        offer(200, ITEMS.size());
        source.end();
        program.end();

        List<FeedItem> seen = Hub.read(viewer);
        assertEquals(ITEMS.subList(0, 200), seen);
        assertEquals(latest(seen, true), passed.ptsUs());
        assertEquals(latest(seen, false), passed.audioDtsUs());
    }

    @Test
    void takeOver_beforeAnything_hasPassedNothing() {
        assertEquals(ProgramSwitch.Passed.NOTHING, program.takeOver());
    }

    @Test
    void offer_ofACompositor_numbersTimelinesOn() throws InterruptedException {
        offer(0, 200);
        program.takeOver();
        Timeline made = new Timeline(0, MEDIA.tracks(), 3_000_000, SyntheticStream.STARTED_AT);
        program.offer(made);
        program.flush();
        program.end();

        Timeline seen = assertInstanceOf(Timeline.class, Hub.read(viewer).getLast());
        assertEquals(1, seen.sequence());
        assertEquals(3_000_000, seen.startUs());
    }

    @Test
    void offer_withoutTakingOver_isDropped() throws InterruptedException {
        program.offer(Interruption.PUBLISHER_GONE);
        program.flush();
        source.end();

        assertEquals(List.of(), Hub.read(viewer));
    }

    @Test
    void giveBack_goesOnAtTheNextKeyFrameBehindADiscontinuity() throws InterruptedException {
        offer(0, 100);
        program.takeOver();
        offer(100, 200);
        program.giveBack();
        offer(200, ITEMS.size());
        source.end();

        List<FeedItem> seen = Hub.read(viewer);
        assertEquals(ITEMS.subList(0, 100), seen.subList(0, 100));
        Timeline back = assertInstanceOf(Timeline.class, seen.get(100));
        AccessUnit first = assertInstanceOf(AccessUnit.class, seen.get(101));
        assertTrue(first.isKeyFrame());
        assertEquals(1, back.sequence());
        assertEquals(first.dtsUs(), back.startUs());
        assertEquals(SyntheticStream.STARTED_AT.plusNanos(first.dtsUs() * 1_000), back.startedAt());
        int at = ITEMS.indexOf(first);
        assertTrue(at >= 200);
        assertEquals(ITEMS.subList(at, ITEMS.size()), seen.subList(101, seen.size()));
    }

    @Test
    void giveBack_afterTheSourcesEnd_endsTheProgram() throws InterruptedException {
        program.takeOver();
        offer(0, 100);
        source.end();
        program.giveBack();

        assertEquals(List.of(), Hub.read(viewer));
    }

    @Test
    void sourceEnd_whileComposed_leavesTheProgramOpen() throws InterruptedException {
        program.takeOver();
        source.end();
        program.offer(ITEMS.getFirst());
        program.end();

        assertEquals(List.of(ITEMS.getFirst()), Hub.read(viewer));
    }

    @Test
    void subscribe_afterTakeOver_getsTheLastGopAndThenTheCompositor() throws InterruptedException {
        offer(0, 100);
        program.takeOver();
        offer(100, 200);

        Subscription late = program.feed().subscribe("late", 64L << 20);
        program.offer(Interruption.PUBLISHER_GONE);

        List<FeedItem> seen = Hub.read(late);
        assertEquals(ITEMS.getFirst(), seen.getFirst());
        AccessUnit key = assertInstanceOf(AccessUnit.class, seen.get(1));
        assertTrue(key.isKeyFrame());
        List<FeedItem> gop = ITEMS.subList(ITEMS.indexOf(key), 100);
        assertEquals(gop, seen.subList(1, 1 + gop.size()));
        assertEquals(
                List.of(Interruption.PUBLISHER_GONE), seen.subList(1 + gop.size(), seen.size()));
    }

    @Test
    void close_aReaderBeforeOrAfterTakeOver_endsItAndNoOther() throws InterruptedException {
        Subscription before = program.feed().subscribe("before", 64L << 20);
        Subscription after = program.feed().subscribe("after", 64L << 20);
        before.close();
        program.takeOver();
        after.close();
        program.offer(ITEMS.getFirst());

        assertEquals(0, before.queuedBytes());
        assertEquals(0, after.queuedBytes());
        assertEquals(List.of(ITEMS.getFirst()), Hub.read(viewer));
    }

    private void offer(int from, int to) {
        ITEMS.subList(from, to).forEach(source::offer);
        source.flush();
    }

    private static long latest(List<FeedItem> items, boolean video) {
        return items.stream()
                .filter(AccessUnit.class::isInstance)
                .map(AccessUnit.class::cast)
                .filter(unit -> unit.track().isVideo() == video)
                .mapToLong(AccessUnit::ptsUs)
                .max()
                .orElseThrow();
    }
}
