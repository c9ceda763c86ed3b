package touchline.api.events;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.api.db.Database;
import touchline.api.db.EventRepository;
import touchline.api.db.MemoryDatabase;
import touchline.api.db.NewEvent;
import touchline.api.domain.Event;
import touchline.api.domain.EventType;

/** Events of other nodes reach the watchers of this one, once. */
final class EventPollTest {
    private Database database;
    private EventFeed feed;
    private EventPoll poll;
    private EventFeed.Watcher watcher;
    private long nowNs;

    @BeforeEach
    void open() {
        database = MemoryDatabase.open();
        commit();
        feed = new EventFeed(database.outbox());
        poll = new EventPoll(new EventRepository(database), feed, () -> nowNs);
        watcher = feed.watch().orElseThrow();
    }

    @AfterEach
    void close() {
        feed.close();
        database.close();
    }

    private Event commit() {
        return database.transaction(
                () ->
                        database.outbox()
                                .append(
                                        NewEvent.of(
                                                EventType.WEBHOOK_TEST,
                                                JsonNodeFactory.instance.objectNode())));
    }

    /** As another node does: without the listeners of this one. */
    private Event commitElsewhere() {
        database.outbox().remove(feed);
        Event event = commit();
        database.outbox().listen(feed);
        return event;
    }

    private List<String> received() throws InterruptedException {
        List<String> ids = new ArrayList<>();
        for (Optional<Event> next = watcher.next(Duration.ZERO);
                next.isPresent();
                next = watcher.next(Duration.ZERO)) {
            ids.add(next.get().id());
        }
        return ids;
    }

    @Test
    void event_arrivesOnce_whereverItWasCommitted() throws InterruptedException {
        Event here = commit();
        Event there = commitElsewhere();
        poll.tick();
        poll.tick();

        assertEquals(List.of(here.id(), there.id()), received());
    }

    @Test
    void event_arrivesOnce_longAfterwards() throws InterruptedException {
        Event there = commitElsewhere();
        for (int i = 0; i < 60; i++) {
            poll.tick();
            nowNs += Duration.ofSeconds(1).toNanos();
        }
        Event later = commitElsewhere();
        poll.tick();

        assertEquals(List.of(there.id(), later.id()), received());
    }

    @Test
    void event_fromBeforeTheWatcher_doesNotArrive() throws InterruptedException {
        watcher.close();
        commitElsewhere();
        poll.tick();
        watcher = feed.watch().orElseThrow();
        poll.tick();

        assertEquals(List.of(), received());
    }
}
