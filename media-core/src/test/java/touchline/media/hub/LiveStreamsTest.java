package touchline.media.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.Timeline;
import touchline.media.codec.DecodingRefusedException;

@Timeout(120)
final class LiveStreamsTest {
    private final Hub hub = new Hub();

    @Test
    void refused_bySession_warnsOnce_unknownSessionsAreIgnored() {
        Publication publication = hub.publish("a");
        publication.refused(
                new DecodingRefusedException(
                        DecodingRefusedException.Limit.FRAME_SIZE, "frame size: 9000x9000"));
        Hub.send(publication, 0);
        var refusal = new DecodingRefusedException(DecodingRefusedException.Limit.MEMORY, "memory");

        hub.streams.refused(hub.live().session(), refusal);
        hub.streams.refused(hub.live().session(), refusal);
        hub.streams.refused(new SessionId("ses_other"), refusal);

        assertEquals(
                List.of("started", "connected", "warning frame_size", "warning decoder_memory"),
                hub.events);
    }

    @Test
    void publish_withoutMedia_isNotActive() {
        try (Publication publication = hub.publish("a")) {
            assertEquals("a", publication.publisher());
            assertFalse(hub.isActive());
        }
        assertEquals(List.of(), hub.events);
    }

    @Test
    void write_firstMedia_startsTheSessionBeforeAnItemFlows() throws InterruptedException {
        Publication publication = hub.publish("a");

        Hub.send(publication, 5_000);

        assertEquals(List.of("started", "connected"), hub.events);
        assertEquals(LiveStream.State.PUBLISHING, hub.live().state());
        assertEquals(List.of(hub.live()), hub.streams.active());
        List<FeedItem> items = Hub.read(hub.subscriptions.getFirst());
        Timeline timeline = assertInstanceOf(Timeline.class, items.getFirst());
        assertEquals(0, timeline.sequence());
        assertEquals(hub.clock.instant(), timeline.startedAt());
        assertEquals(30 + 47, items.size() - 1);
    }

    @Test
    void close_andBackInsideTheWindow_continuesTheSession() throws InterruptedException {
        Publication first = hub.publish("a");
        Hub.send(first, 0);
        LiveStream session = hub.live();
        first.close();
        assertEquals(LiveStream.State.INTERRUPTED, session.state());
        hub.clock.advance(Duration.ofSeconds(59));

        Publication second = hub.publish("b");
        Hub.send(second, 77_000);

        assertSame(session, hub.live());
        assertEquals(List.of("started", "connected", "disconnected", "connected"), hub.events);
        List<FeedItem> items = Hub.read(hub.subscriptions.getFirst());
        assertEquals("T0KIT1K", Hub.outline(items));
        assertRising(items);
        hub.clock.advance(Duration.ofMinutes(10));
        assertTrue(hub.isActive());
    }

    @Test
    void close_andNotBack_endsTheSessionAfterTheWindow() throws InterruptedException {
        Publication first = hub.publish("a");
        Hub.send(first, 0);
        first.close();

        hub.clock.advance(Hub.WINDOW.minusNanos(1));
        assertTrue(hub.isActive());
        hub.clock.advance(Duration.ofNanos(1));

        assertFalse(hub.isActive());
        assertEquals(
                List.of("started", "connected", "disconnected", "ended PUBLISHER_GONE"),
                hub.events);
        Subscription subscription = hub.subscriptions.getFirst();
        assertEquals("T0KI", Hub.outline(Hub.read(subscription)));
        assertFalse(subscription.drain(_ -> {}));
        assertEquals(0, hub.clock.waitingTasks());
    }

    @Test
    void publish_afterTheWindow_isAnotherSession() {
        Publication first = hub.publish("a");
        Hub.send(first, 0);
        LiveStream before = hub.live();
        first.close();
        hub.clock.advance(Hub.WINDOW);

        Hub.send(hub.publish("b"), 0);

        assertNotEquals(before.session(), hub.live().session());
    }

    @Test
    void close_withWindowZero_endsAtOnce() {
        Publication publication = hub.publish("a", Duration.ZERO);
        Hub.send(publication, 0);

        publication.close();

        assertFalse(hub.isActive());
        assertEquals(
                List.of("started", "connected", "disconnected", "ended PUBLISHER_GONE"),
                hub.events);
    }

    @Test
    void publish_whileAnotherSends_isBusy() {
        Publication first = hub.publish("a");
        Hub.send(first, 0);
        hub.clock.advance(Duration.ofMillis(4_999));

        assertThrows(StreamBusyException.class, () -> hub.publish("b"));

        Hub.send(first, 1_000);
        hub.clock.advance(Duration.ofMillis(4_999));
        assertThrows(StreamBusyException.class, () -> hub.publish("b"));
        assertEquals(List.of(), hub.cuts);
    }

    @Test
    void publish_afterFiveSilentSeconds_takesOver() throws InterruptedException {
        Publication silent = hub.publish("a");
        Hub.send(silent, 0);
        hub.clock.advance(Duration.ofSeconds(5));

        Publication next = hub.publish("b");
        assertEquals(List.of("a TAKEN_OVER"), hub.cuts);
        assertEquals(LiveStream.State.INTERRUPTED, hub.live().state());
        Hub.send(silent, 5_000);
        Hub.send(next, 0);
        silent.close();

        assertEquals(LiveStream.State.PUBLISHING, hub.live().state());
        assertEquals("T0KIT1K", Hub.outline(Hub.read(hub.subscriptions.getFirst())));
        assertEquals(List.of("started", "connected", "disconnected", "connected"), hub.events);
    }

    @Test
    void publish_neverSending_isGivenUp() {
        hub.publish("a");

        hub.clock.advance(LifeCycle.FIRST_MEDIA);

        assertEquals(List.of("a PUBLISHER_GONE"), hub.cuts);
        assertEquals(List.of(), hub.events);
        assertEquals(0, hub.clock.waitingTasks());
        Hub.send(hub.publish("b"), 0);
        assertTrue(hub.isActive());
    }

    @Test
    void publish_backAndNeverSending_isGivenUpAfterItsOwnTime() {
        Publication first = hub.publish("a");
        Hub.send(first, 0);
        first.close();
        hub.clock.advance(Hub.WINDOW.minusSeconds(10));
        hub.publish("b");

        hub.clock.advance(Duration.ofSeconds(29));
        assertTrue(hub.isActive());
        hub.clock.advance(Duration.ofSeconds(1));

        assertFalse(hub.isActive());
        assertEquals(List.of("b PUBLISHER_GONE"), hub.cuts);
        assertEquals("ended PUBLISHER_GONE", hub.events.getLast());
    }

    @Test
    void close_backWithoutMedia_doesNotExtendTheWindow() {
        Publication first = hub.publish("a");
        Hub.send(first, 0);
        first.close();
        hub.clock.advance(Hub.WINDOW.minusSeconds(1));

        hub.publish("b").close();
        hub.clock.advance(Duration.ofSeconds(1));

        assertFalse(hub.isActive());
        assertEquals(
                List.of("started", "connected", "disconnected", "ended PUBLISHER_GONE"),
                hub.events);
    }

    @Test
    void publish_waitingOneIsSilent_takesOverWithoutASession() {
        hub.publish("a");
        hub.clock.advance(Duration.ofSeconds(5));

        Hub.send(hub.publish("b"), 0);

        assertEquals(List.of("a TAKEN_OVER"), hub.cuts);
        assertEquals(List.of("started", "connected"), hub.events);
    }

    @Test
    void cutPublisher_keyReset_waitsForTheNext() {
        Publication publication = hub.publish("a");
        Hub.send(publication, 0);

        hub.streams.cutPublisher(Hub.STREAM, Role.MAIN, EndReason.KEY_RESET);
        hub.streams.cutPublisher(Hub.STREAM, Role.MAIN, EndReason.KEY_RESET);
        publication.close();

        assertEquals(List.of("a KEY_RESET"), hub.cuts);
        assertEquals(LiveStream.State.INTERRUPTED, hub.live().state());
        hub.clock.advance(Hub.WINDOW);
        assertFalse(hub.isActive());
    }

    @Test
    void publish_withATicketOlderThanTheReset_isRefusedAndTheSessionWaits() {
        Publication first = hub.publish("a");
        Hub.send(first, 0);
        LiveStream session = hub.live();
        long ticket = hub.streams.admissionTicket();
        hub.streams.cutPublisher(Hub.STREAM, Role.MAIN, EndReason.KEY_RESET);

        assertEquals(EndReason.KEY_RESET, revoked(ticket));

        assertEquals(List.of("a KEY_RESET"), hub.cuts);
        assertEquals(LiveStream.State.INTERRUPTED, session.state());
        Hub.send(hub.publish("b", hub.streams.admissionTicket()), 2_000);
        assertEquals(LiveStream.State.PUBLISHING, session.state());
        assertEquals(List.of("started", "connected", "disconnected", "connected"), hub.events);
    }

    /** Every change of a stream without a backup cuts the backup, in case it had one. */
    @Test
    void publish_withATicketOlderThanTheBackupsReset_isAdmitted() {
        long ticket = hub.streams.admissionTicket();
        hub.streams.cutBackup(Hub.STREAM, EndReason.KEY_RESET);

        Hub.send(hub.publish("a", ticket), 0);

        assertEquals(List.of("started", "connected"), hub.events);
    }

    @Test
    void publish_withATicketOlderThanTheDisabling_startsNoSession() {
        long ticket = hub.streams.admissionTicket();
        hub.streams.end(Hub.STREAM, EndReason.COMPLETED);
        hub.publish("a", ticket).close();
        hub.streams.end(Hub.STREAM, EndReason.DISABLED);

        assertEquals(EndReason.DISABLED, revoked(ticket));

        assertEquals(List.of(), hub.cuts);
        assertEquals(List.of(), hub.events);
        assertEquals(0, hub.clock.waitingTasks());
    }

    @Test
    void publish_withATicketOlderThanAllKnownRevocations_isRefused() {
        long ticket = hub.streams.admissionTicket();
        for (int i = 0; i <= Admissions.MAX_REVOKED; i++) {
            hub.streams.end(new StreamId("live_x" + i), EndReason.DISABLED);
        }

        assertEquals(EndReason.KEY_RESET, revoked(ticket));
        hub.publish("b", hub.streams.admissionTicket());
    }

    private EndReason revoked(long ticket) {
        return assertThrows(AdmissionRevokedException.class, () -> hub.publish("late", ticket))
                .reason();
    }

    @Test
    void end_whilePublishing_cutsAndEndsOnce() throws InterruptedException {
        Publication publication = hub.publish("a");
        Hub.send(publication, 0);
        LiveStream live = hub.live();

        hub.streams.end(Hub.STREAM, EndReason.DISABLED);
        hub.streams.end(Hub.STREAM, EndReason.DELETED);
        Hub.send(publication, 1_000);
        publication.close();

        assertEquals(List.of("a DISABLED"), hub.cuts);
        assertEquals(List.of("started", "connected", "ended DISABLED"), hub.events);
        assertEquals(LiveStream.State.ENDED, live.state());
        assertEquals("T0K", Hub.outline(Hub.read(hub.subscriptions.getFirst())));
        assertFalse(hub.isActive());
        assertEquals(0, hub.clock.waitingTasks());
    }

    @Test
    void endAll_everythingEnds_andLaterPublishersAreCut() {
        Hub.send(hub.publish("a"), 0);

        hub.streams.endAll();
        Hub.send(hub.publish("b"), 0);

        assertEquals(List.of("a SHUTDOWN", "b SHUTDOWN"), hub.cuts);
        assertEquals(List.of(), hub.streams.active());
        assertEquals(0, hub.clock.waitingTasks());
    }

    @Test
    void windowEnd_ofAnEarlierInterruption_doesNotEndALaterOne() {
        Publication first = hub.publish("a");
        Hub.send(first, 0);
        first.close();
        hub.clock.advance(Duration.ofSeconds(30));
        Publication second = hub.publish("b");
        Hub.send(second, 0);
        second.close();

        hub.clock.advance(Duration.ofSeconds(59));
        assertTrue(hub.isActive());
        hub.clock.advance(Duration.ofSeconds(1));

        assertFalse(hub.isActive());
    }

    @Test
    void roles_ofOneStream_areApart() {
        Hub.send(hub.publish("a"), 0);
        hub.clock.advance(LiveStreams.START_GAP);
        Publication overlay =
                hub.streams.publish(
                        new PublishRequest(Hub.STREAM, Role.OVERLAY, Hub.WINDOW, "o", _ -> {}));
        Hub.send(overlay, 0);

        assertTrue(hub.streams.active(Hub.STREAM, Role.OVERLAY).isPresent());
        assertEquals(2, hub.streams.active().size());
    }

    static void assertRising(List<FeedItem> items) {
        long videoUs = Long.MIN_VALUE;
        long audioUs = Long.MIN_VALUE;
        for (FeedItem item : items) {
            if (item instanceof AccessUnit unit) {
                long beforeUs = unit.track().isVideo() ? videoUs : audioUs;
                assertTrue(unit.dtsUs() > beforeUs, unit.dtsUs() + " after " + beforeUs);
                videoUs = unit.track().isVideo() ? unit.dtsUs() : videoUs;
                audioUs = unit.track().isVideo() ? audioUs : unit.dtsUs();
            }
        }
    }
}
