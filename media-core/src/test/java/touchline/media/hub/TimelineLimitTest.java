package touchline.media.hub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import touchline.media.FeedItem;
import touchline.media.Timeline;

/** A publisher whose timestamps jump with every key frame. */
final class TimelineLimitTest {
    private final Hub hub = new Hub();

    /** Jumps of 100 s, each behind a second of media. */
    private static void jump(Publication publication, int from, int to) {
        for (int i = from; i < to; i++) {
            Hub.send(publication, i * 100_000L);
        }
    }

    @Test
    void jumpsWithoutEnd_areRefused_andTheSessionGoesOn() throws InterruptedException {
        Publication publication = hub.publish("one");

        jump(publication, 0, 200);

        List<FeedItem> items = Hub.read(hub.subscriptions.getFirst());
        assertEquals(20, items.stream().filter(Timeline.class::isInstance).count());
        assertEquals(List.of("one TIMESTAMP_JUMPS"), hub.cuts);
        assertEquals(LiveStream.State.INTERRUPTED, hub.live().state());
        // The first jump, and the refusal.
        assertEquals(
                List.of(
                        "started",
                        "connected",
                        "warning timestamp_jumps",
                        "warning timestamp_jumps",
                        "disconnected"),
                hub.events);
        String message = hub.live().report().warnings().getFirst().message();
        assertTrue(message.startsWith("the publisher is refused: "), message);
    }

    @Test
    void publisher_thatReturnsAndJumpsOn_isRefusedAtOnce_untilTheMinuteIsOver() {
        jump(hub.publish("one"), 0, 30);
        for (int i = 0; i < 5; i++) {
            hub.clock.advance(Duration.ofSeconds(1));
            jump(hub.publish("again"), 0, 30);
        }
        hub.clock.advance(Duration.ofSeconds(59));

        jump(hub.publish("later"), 0, 20);

        assertEquals(6, hub.cuts.size());
        assertEquals(LiveStream.State.PUBLISHING, hub.live().state());
        // Refusals are reported once a minute.
        assertEquals(2, hub.events.stream().filter("warning timestamp_jumps"::equals).count());
    }

    @Test
    void jumpsNowAndThen_areAllRepaired() {
        Publication publication = hub.publish("one");
        for (int i = 0; i < 200; i++) {
            hub.clock.advance(Duration.ofSeconds(4));
            jump(publication, i, i + 1);
        }

        assertEquals(List.of(), hub.cuts);
        assertEquals(199, hub.live().report().discontinuities());
    }
}
