package touchline.media.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import touchline.media.FeedItem;
import touchline.media.Timeline;

/** A session that a stop of the server interrupts and the next start continues. */
@Timeout(120)
final class ResumedSessionTest {
    private static final Duration STOPPED = Duration.ofSeconds(4);

    private final Hub before = new Hub();
    private final Hub after = new Hub();

    private InterruptedSession interrupted(LiveStream live) {
        before.streams.endAll();
        InterruptedSession session = live.interrupted().orElseThrow();
        return session.leaving(session.left().minus(STOPPED));
    }

    private LiveStream sending() {
        Hub.send(before.publish("a"), 0);
        return before.live();
    }

    @Test
    void disconnectedAt_isKnownWhileTheEncoderIsAway() {
        Publication first = before.publish("a");
        Hub.send(first, 0);
        LiveStream live = before.live();
        assertEquals(Optional.empty(), live.disconnectedAt());

        Instant at = before.clock.instant();
        first.close();
        before.clock.advance(Duration.ofSeconds(3));
        Publication second = before.publish("b");
        assertEquals(Optional.of(at), live.disconnectedAt());

        Hub.send(second, 0);
        assertEquals(Optional.empty(), live.disconnectedAt());
    }

    @Test
    void endAll_whileTheEncoderSends_leavesTheWholeWindow() {
        LiveStream live = sending();
        Instant at = before.clock.instant();

        before.streams.endAll();

        InterruptedSession session = live.interrupted().orElseThrow();
        assertEquals(Hub.WINDOW, session.left());
        assertEquals(at, session.disconnectedAt());
        assertEquals(live.startedAt(), Optional.of(session.startedAt()));
        assertEquals(1, session.timelines());
        assertTrue(session.mediaEndUs() >= 1_000_000, () -> "end: " + session.mediaEndUs());
    }

    @Test
    void endAll_whileTheWindowRuns_leavesItsRest() {
        Publication gone = before.publish("a");
        Hub.send(gone, 0);
        LiveStream live = before.live();
        Instant at = before.clock.instant();
        gone.close();
        before.clock.advance(Duration.ofSeconds(20));

        before.streams.endAll();

        InterruptedSession session = live.interrupted().orElseThrow();
        assertEquals(Duration.ofSeconds(40), session.left());
        assertEquals(at, session.disconnectedAt());
    }

    @Test
    void end_otherwiseOrWithoutAWindow_leavesNothing() {
        LiveStream completed = sending();
        before.streams.end(Hub.STREAM, EndReason.COMPLETED);
        assertEquals(Optional.empty(), completed.interrupted());

        Hub.send(before.publish("a", Duration.ZERO), 0);
        LiveStream withoutWindow = before.live();
        before.streams.endAll();
        assertEquals(Optional.empty(), withoutWindow.interrupted());
    }

    @Test
    void resume_waitsForTheEncoder_whichContinuesSessionAndMediaTime() throws InterruptedException {
        InterruptedSession session = interrupted(sending());

        LiveStream live = after.streams.resume(session);
        Subscription reader = live.program().subscribe("test", 64L << 20);

        assertTrue(after.isActive());
        assertEquals(Optional.of(session.disconnectedAt()), live.disconnectedAt());
        assertEquals(session.session(), live.session());

        Publication back = after.publish("a");
        Hub.send(back, 0);

        assertEquals(LiveStream.State.PUBLISHING, live.state());
        assertEquals(Optional.of(session.startedAt()), live.startedAt());
        assertEquals(List.of("connected"), after.events);
        List<FeedItem> items = new ArrayList<>();
        reader.drain(items::add);
        Timeline timeline = (Timeline) items.getFirst();
        assertEquals(1, timeline.sequence());
        assertTrue(timeline.startUs() >= session.mediaEndUs());
        LiveStreamsTest.assertRising(items);
    }

    @Test
    void resume_withoutTheEncoder_endsAfterTheRestOfTheWindow() {
        after.streams.resume(interrupted(sending()));

        after.clock.advance(Hub.WINDOW.minus(STOPPED).minusMillis(1));
        assertTrue(after.isActive());
        after.clock.advance(Duration.ofMillis(1));

        assertFalse(after.isActive());
        assertEquals(List.of("ended PUBLISHER_GONE"), after.events);
    }

    @Test
    void resume_afterAReconnect_hasTheWholeWindowAgain() {
        LiveStream live = after.streams.resume(interrupted(sending()));
        Publication back = after.publish("a");
        Hub.send(back, 0);
        back.close();

        after.clock.advance(Hub.WINDOW.minusMillis(1));
        assertEquals(LiveStream.State.INTERRUPTED, live.state());
    }

    @Test
    void resume_whileTheServerStops_endsAtOnce() {
        InterruptedSession session = interrupted(sending());
        after.streams.endAll();

        after.streams.resume(session);

        assertFalse(after.isActive());
        assertEquals(List.of("ended SHUTDOWN"), after.events);
    }

    @Test
    void resume_besideASession_isRefused() {
        InterruptedSession session = interrupted(sending());
        after.streams.resume(session);

        assertThrows(IllegalStateException.class, () -> after.streams.resume(session));
    }
}
