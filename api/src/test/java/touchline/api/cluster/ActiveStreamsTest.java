package touchline.api.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import touchline.api.cluster.ownership.NodeRef;
import touchline.api.db.ActiveStream;
import touchline.api.db.ActiveStreamRows;
import touchline.api.domain.PublishTerms;
import touchline.api.domain.PushRole;
import touchline.media.StreamId;
import touchline.media.hub.FailoverSettings;

/** Active streams that change while they are read. */
final class ActiveStreamsTest {
    private static final StreamId FIRST = new StreamId("str_1");
    private static final StreamId SECOND = new StreamId("str_2");

    private final TestRows rows = new TestRows();
    private final ActiveStreams active = new ActiveStreams(rows, key -> "hash of " + key);

    /** The database. */
    private static final class TestRows implements ActiveStreamRows {
        private final Map<String, ActiveStream> streams = new TreeMap<>();
        private final List<String> reads = new ArrayList<>();
        private boolean isAway;

        /** Happens while the next reading is on its way. */
        private Runnable meanwhile = () -> {};

        void put(StreamId stream, String key) {
            PublishTerms terms =
                    new PublishTerms(
                            stream, PushRole.MAIN, Duration.ZERO, FailoverSettings.DEFAULTS);
            streams.put(
                    stream.value(),
                    new ActiveStream(
                            stream, new NodeRef("node-a", 1), 1, Map.of("hash of " + key, terms)));
        }

        @Override
        public List<ActiveStream> all(int limit) {
            reads.add("all");
            return read(List.copyOf(streams.values()));
        }

        @Override
        public List<ActiveStream> of(Collection<StreamId> ids) {
            reads.add(ids.stream().map(StreamId::value).sorted().toList().toString());
            return read(streams.values().stream().filter(it -> ids.contains(it.id())).toList());
        }

        private List<ActiveStream> read(List<ActiveStream> found) {
            if (isAway) {
                throw new IllegalStateException("away");
            }
            meanwhile.run();
            meanwhile = () -> {};
            return found;
        }
    }

    private Optional<StreamId> stream(String key) {
        return active.find(key).map(PublishTerms::stream);
    }

    @Test
    void allAreReadOnce_thenThoseThatHaveChanged() {
        rows.put(FIRST, "one");
        active.tick();
        active.tick();
        rows.put(SECOND, "two");
        assertEquals(Optional.empty(), stream("two"));
        active.changed(SECOND);
        active.tick();
        active.tick();

        assertEquals(Optional.of(FIRST), stream("one"));
        assertEquals(Optional.of(SECOND), stream("two"));
        assertEquals(Optional.empty(), stream("hash of one"));
        assertEquals(List.of("all", "[str_2]"), rows.reads);
    }

    @Test
    void keyThatIsReplacedWhileItIsRead_isNotFound() {
        rows.put(FIRST, "old");
        rows.meanwhile =
                () -> {
                    rows.put(FIRST, "new");
                    active.changed(FIRST);
                };
        active.tick();
        assertEquals(Optional.empty(), stream("old"));
        active.tick();
        assertEquals(Optional.of(FIRST), stream("new"));

        active.changed(FIRST);
        rows.meanwhile =
                () -> {
                    rows.put(FIRST, "newest");
                    active.changed(FIRST);
                };
        active.tick();
        assertEquals(Optional.empty(), stream("new"));
        active.tick();
        assertEquals(Optional.of(FIRST), stream("newest"));
    }

    @Test
    void readingThatFails_isRepeated_andKeepsWhatIsKnown() {
        rows.put(FIRST, "one");
        rows.isAway = true;
        assertThrows(IllegalStateException.class, active::tick);
        rows.isAway = false;
        active.tick();
        rows.put(SECOND, "two");
        active.changed(SECOND);
        rows.isAway = true;
        assertThrows(IllegalStateException.class, active::tick);
        assertEquals(Optional.of(FIRST), stream("one"));
        rows.isAway = false;
        active.tick();

        assertEquals(Optional.of(SECOND), stream("two"));
        assertEquals(List.of("all", "all", "[str_2]", "[str_2]"), rows.reads);
    }

    @Test
    void reset_removesAll_alsoWhatIsBeingRead() {
        rows.put(FIRST, "one");
        active.tick();
        active.reset();
        assertEquals(Optional.empty(), stream("one"));
        assertEquals(Optional.empty(), active.find(FIRST));
        rows.meanwhile = active::reset;
        active.tick();
        assertEquals(Optional.empty(), stream("one"));
        active.tick();

        assertEquals(Optional.of(FIRST), stream("one"));
    }

    @Test
    void streams_areBounded_andSoAreChanges() {
        for (int i = 0; i <= ActiveStreams.MOST; i++) {
            rows.put(new StreamId("str_" + i), "key " + i);
        }
        active.tick();
        long found = 0;
        for (int i = 0; i <= ActiveStreams.MOST; i++) {
            found += stream("key " + i).isPresent() ? 1 : 0;
        }
        assertEquals(ActiveStreams.MOST, found);

        for (int i = 0; i <= ActiveStreams.MOST; i++) {
            active.changed(new StreamId("str_" + i));
        }
        active.tick();
        assertEquals(List.of("all", "all"), rows.reads);
        assertTrue(stream("key 1").isPresent());
    }
}
