package touchline.api.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import touchline.api.cluster.ownership.NodeRef;
import touchline.api.db.ActiveStream;
import touchline.api.db.ActiveStreamRepository;
import touchline.api.db.ClusterChanges.Kind;
import touchline.api.db.Epoch;
import touchline.api.domain.PublishTerms;
import touchline.api.domain.PushRole;
import touchline.api.domain.SessionEnd;
import touchline.config.DatabaseConfig;
import touchline.media.StreamId;
import touchline.media.hub.FailoverSettings;
import touchline.testing.Await;

/** What one node of two knows of the active streams of both, on one PostgreSQL. */
@Timeout(480)
final class ActiveStreamsIT {
    private static final StreamId STREAM = TestNode.STREAM;

    private final DatabaseConfig config = TestNode.database();
    private final TestNode a = new TestNode(config, "node-a", true);
    private final TestNode b = new TestNode(config, "node-b", true);
    private final AtomicLong passedNs = new AtomicLong();
    private final ChangeFeed feed =
            new ChangeFeed(b.database.changes(), () -> System.nanoTime() + passedNs.get());

    @BeforeEach
    void follow() {
        a.execute("INSERT INTO stream_keys VALUES ('key-1', 'str_1', 'MAIN', '')");
        a.execute("INSERT INTO stream_keys VALUES ('key-2', 'str_1', 'BACKUP', '')");
        b.active.follow(feed, b.database.changes());
        b.active.tick();
    }

    @AfterEach
    void close() {
        b.close();
        a.close();
    }

    private void tick() {
        feed.tick();
        b.active.tick();
    }

    private Optional<ActiveStream> known() {
        return b.active.find(STREAM);
    }

    /** A change through node a. */
    private void change(Kind kind, String sql) {
        a.execute(sql);
        a.database.changes().record(kind, STREAM.value());
    }

    @Test
    void stream_isKnownWithOwnerAndKeys_whileItIsActive() {
        tick();
        assertEquals(Optional.empty(), known());
        a.execute("UPDATE live_streams SET reconnect_window_s = 42");
        var _ = a.publish();
        tick();

        ActiveStream known = known().orElseThrow();
        assertEquals(new NodeRef("node-a", 1), known.owner());
        assertEquals(1, known.epoch());
        assertEquals(Set.of("key-1", "key-2"), known.keys().keySet());
        assertEquals(
                new PublishTerms(
                        STREAM, PushRole.BACKUP, Duration.ofSeconds(42), FailoverSettings.DEFAULTS),
                b.active.find("key-2").orElseThrow());

        Epoch epoch = a.ownership.epoch(STREAM);
        a.connected.clear();
        a.sessions.end(TestNode.SESSION, Instant.now(), SessionEnd.COMPLETED, epoch);
        tick();
        assertEquals(Optional.empty(), known());
        assertEquals(Optional.empty(), b.active.find("key-1"));
    }

    @Test
    void owner_isTheOneThatHasTheStreamNow() {
        var _ = b.publish();
        tick();
        assertEquals("node-b", known().orElseThrow().owner().id());

        b.execute("UPDATE nodes SET state = 'draining' WHERE id = 'node-b'");
        Await.until(() -> b.ownership.count() == 0);
        tick();
        assertEquals(Optional.empty(), known());
    }

    @Test
    void key_thatWasReplaced_orOfADisabledOrDeletedStream_isGoneWithTheChange() {
        var _ = a.publish();
        tick();
        assertTrue(b.active.find("key-1").isPresent());

        change(Kind.STREAM_KEY, "UPDATE stream_keys SET key_hash = 'new' WHERE push_role = 'MAIN'");
        feed.tick();
        assertEquals(Optional.empty(), b.active.find("key-1"));
        tick();
        assertEquals(Optional.empty(), b.active.find("key-1"));
        assertTrue(b.active.find("new").isPresent());

        change(Kind.STREAM, "UPDATE live_streams SET disabled = TRUE");
        feed.tick();
        assertEquals(Optional.empty(), b.active.find("new"));
        tick();
        assertEquals(Optional.empty(), b.active.find("new"));

        change(Kind.STREAM, "UPDATE live_streams SET disabled = FALSE");
        tick();
        assertTrue(b.active.find("new").isPresent());
        change(Kind.STREAM, "DELETE FROM live_streams");
        tick();
        assertEquals(Optional.empty(), known());
        assertFalse(b.active.find("new").isPresent());
    }

    @Test
    void changeOfThisNode_isGoneAtOnce() {
        var _ = a.publish();
        tick();

        b.database.changes().record(Kind.STREAM, STREAM.value());

        assertEquals(Optional.empty(), known());
        tick();
        assertTrue(known().isPresent());
    }

    @Test
    void changesThatMayBeMissing_areReadAnew() {
        var _ = a.publish();
        tick();
        a.execute("DELETE FROM stream_keys WHERE key_hash = 'key-1'");
        tick();
        assertTrue(b.active.find("key-1").isPresent(), "no row has said so");

        passedNs.addAndGet(Duration.ofSeconds(26).toNanos());
        feed.tick();
        assertEquals(Optional.empty(), b.active.find("key-1"));
        tick();

        assertEquals(Optional.empty(), b.active.find("key-1"));
        assertTrue(b.active.find("key-2").isPresent());
    }

    @Test
    void nodeThatJoins_readsAll_upToALimit() {
        var _ = a.publish();
        ActiveStreamRepository rows = new ActiveStreamRepository(b.database);

        assertEquals(1, rows.all(1).size());
        assertEquals(0, rows.all(0).size());
        ActiveStreams joined = new ActiveStreams(rows, key -> key);
        joined.tick();

        assertTrue(joined.find("key-1").isPresent());
    }
}
