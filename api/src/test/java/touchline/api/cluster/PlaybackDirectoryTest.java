package touchline.api.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import touchline.api.db.PlaybackLocations.Location;
import touchline.api.domain.PlaybackPolicy;
import touchline.api.session.RemotePlaybackIds.Found;
import touchline.packager.audience.Audience;
import touchline.packager.delivery.NettyMediaMemory;
import touchline.packager.edge.Edge;
import touchline.packager.edge.RemoteMedia;
import touchline.packager.edge.UpstreamAddress;

final class PlaybackDirectoryTest {
    private static final String SELF = "node-1";

    private final Map<String, Location> rows = new ConcurrentHashMap<>();
    private final Map<String, String> urls = new HashMap<>();
    private final AtomicLong nowNs = new AtomicLong();
    private final AtomicInteger reads = new AtomicInteger();
    private boolean away;
    private final PlaybackDirectory directory =
            new PlaybackDirectory(
                    new PlaybackDirectory.Dependencies(
                            this::read,
                            SELF,
                            node -> Optional.ofNullable(urls.get(node)),
                            new Audience(
                                    new Audience.Limits(() -> 0, _ -> true),
                                    nowNs::get,
                                    InstantSource.system()),
                            nowNs::get),
                    owners ->
                            new Edge(
                                    new Edge.Dependencies(
                                            owners,
                                            (_, _) -> "signed",
                                            new NettyMediaMemory(),
                                            Optional.empty(),
                                            1 << 20,
                                            nowNs::get)));

    private Optional<Location> read(String id) {
        reads.incrementAndGet();
        if (away) {
            throw new IllegalStateException("the database is away");
        }
        return Optional.ofNullable(rows.get(id));
    }

    private void row(String id, String node) {
        rows.put(
                id,
                new Location(
                        "stream",
                        /* isStream= */ true,
                        PlaybackPolicy.PUBLIC,
                        node.isEmpty() ? Optional.empty() : Optional.of(node),
                        /* isReady= */ false));
        urls.put("node-1", "http://127.0.0.1:8001");
        urls.put("node-2", "http://127.0.0.1:8002");
        urls.put("node-3", "https://127.0.0.1:8003");
    }

    private void asset(String node, boolean isReady) {
        rows.put(
                "asset",
                new Location(
                        "asset_1",
                        /* isStream= */ false,
                        PlaybackPolicy.PUBLIC,
                        Optional.of(node),
                        isReady));
    }

    private boolean isExpected(String id) throws Exception {
        return directory.isExpected(id).toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private Optional<Found> find(String id) throws Exception {
        return directory.find(id).toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private Optional<UpstreamAddress> owner(boolean afresh) throws Exception {
        return directory.owner("stream", afresh).toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private void pass(Duration time) {
        nowNs.addAndGet(time.toNanos());
    }

    /** A look-up that was begun by a request is over. */
    private void settled() throws Exception {
        var _ = owner(/* afresh= */ true);
    }

    @Test
    void unknownId_isLookedUpOnceASecond() throws Exception {
        assertEquals(Optional.empty(), find("id"));
        assertEquals(Optional.empty(), find("id"));
        assertEquals(1, reads.get());
        row("id", "node-2");
        pass(Duration.ofMillis(1_001));

        assertTrue(find("id").isPresent());
    }

    @Test
    void streamOfAnotherNode_isFoundInMemoryAfterwards() throws Exception {
        row("id", "node-2");
        Found found = find("id").orElseThrow();

        assertEquals("stream", found.media().subject());
        assertEquals(PlaybackPolicy.PUBLIC, found.policy());
        assertTrue(found.viewers().isPresent());
        assertSame(found.media(), find("id").orElseThrow().media());
        assertEquals(1, reads.get());
        assertEquals(UpstreamAddress.of("http://127.0.0.1:8002"), owner(false));
    }

    @Test
    void streamOfThisNode_isNotServedByTheEdge() throws Exception {
        row("id", SELF);

        assertEquals(Optional.empty(), find("id"));
        assertEquals(UpstreamAddress.of("http://127.0.0.1:8001"), owner(false));
    }

    @Test
    void assetOfThisNode_isExpectedWhileItIsPlayable_andNoStreamOrUnknownIdIs() throws Exception {
        row("id", SELF);
        assertEquals(Optional.empty(), find("id"));
        assertFalse(isExpected("id"));
        assertFalse(isExpected("unknown"));
        assertFalse(isExpected("unknown"));
        assertEquals(2, reads.get());

        asset(SELF, /* isReady= */ false);
        assertFalse(isExpected("asset"));
        asset("node-2", /* isReady= */ true);
        pass(Duration.ofMillis(100));
        assertFalse(isExpected("asset"));
        asset(SELF, /* isReady= */ true);
        pass(Duration.ofMillis(100));
        assertTrue(isExpected("asset"));
        assertEquals(Optional.empty(), find("asset"));
    }

    /** The row that is known is one of before. */
    @Test
    void assetThatWasDeleted_isNotExpected() throws Exception {
        asset(SELF, /* isReady= */ true);
        assertTrue(isExpected("asset"));
        rows.clear();
        pass(Duration.ofMillis(100));

        assertFalse(isExpected("asset"));
        away = true;
        assertFalse(isExpected("asset"));
        asset(SELF, /* isReady= */ true);
        pass(Duration.ofMillis(1_001));
        assertThrows(ExecutionException.class, () -> isExpected("asset"));
    }

    @Test
    void framesOfANode_areAtItsAddress() throws Exception {
        row("id", "node-2");
        RemoteMedia frames = directory.frames("node-3");

        assertSame(frames, directory.frames("node-3"));
        for (boolean afresh : List.of(true, false)) {
            assertEquals(
                    UpstreamAddress.of("https://127.0.0.1:8003"),
                    directory
                            .owner(frames.subject(), afresh)
                            .toCompletableFuture()
                            .get(10, TimeUnit.SECONDS));
        }
        assertEquals(0, reads.get());
    }

    @Test
    void owner_isLookedUpAfreshAtMostTenTimesASecond() throws Exception {
        row("id", "node-2");
        assertTrue(find("id").isPresent());
        row("id", "node-3");

        assertEquals(UpstreamAddress.of("http://127.0.0.1:8002"), owner(true));
        pass(Duration.ofMillis(100));
        assertEquals(UpstreamAddress.of("https://127.0.0.1:8003"), owner(true));
        assertEquals(2, reads.get());
    }

    @Test
    void streamWithoutAnOwner_keepsItsLastOneForAWhile() throws Exception {
        row("id", "");
        assertEquals(Optional.empty(), find("id"), "never had one");
        row("id", "node-2");
        pass(Duration.ofSeconds(1));
        assertTrue(find("id").isPresent());
        row("id", "");
        directory.changed("stream");
        assertTrue(find("id").isPresent());
        assertEquals(UpstreamAddress.of("http://127.0.0.1:8002"), owner(false));
        pass(Duration.ofSeconds(60));
        directory.changed("stream");

        assertEquals(Optional.empty(), find("id"));
    }

    @Test
    void ownerThatHasEnded_hasNoAddress() throws Exception {
        row("id", "node-9");

        assertTrue(find("id").isPresent());
        assertEquals(Optional.empty(), owner(false));
    }

    @Test
    void deletedId_isGoneWhenTheChangeIsApplied() throws Exception {
        row("id", "node-2");
        Found found = find("id").orElseThrow();
        rows.clear();
        directory.changed("stream");

        assertEquals(Optional.empty(), find("id"));
        row("id", "node-2");
        pass(Duration.ofSeconds(1));
        assertFalse(found.media() == find("id").orElseThrow().media(), "the former one is closed");
    }

    @Test
    void databaseThatIsAway_leavesWhatIsKnown() throws Exception {
        row("id", "node-2");
        assertTrue(find("id").isPresent());
        away = true;
        pass(Duration.ofSeconds(5));

        assertTrue(find("id").isPresent());
        settled();
        assertTrue(find("id").isPresent());
        assertEquals(UpstreamAddress.of("http://127.0.0.1:8002"), owner(true));
        assertThrows(ExecutionException.class, () -> find("other"));
    }

    @Test
    void unusedIds_areForgotten() throws Exception {
        row("id", "node-2");
        assertTrue(find("id").isPresent());
        pass(Duration.ofSeconds(59));
        directory.tick();
        assertEquals(UpstreamAddress.of("http://127.0.0.1:8002"), owner(false));
        pass(Duration.ofSeconds(1));
        directory.tick();

        assertEquals(Optional.empty(), owner(false));
    }
}
