package touchline.api.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.access.MasterKeys;
import touchline.api.access.SecretBox;
import touchline.api.access.StreamKeys;
import touchline.api.asset.AssetFiles;
import touchline.api.asset.AssetFolders;
import touchline.api.asset.AssetPlaybackIds;
import touchline.api.db.AssetRepository;
import touchline.api.db.Database;
import touchline.api.db.StreamRepository;
import touchline.api.domain.PlaybackId;
import touchline.api.domain.PlaybackPolicy;
import touchline.api.domain.StreamDefinition;
import touchline.api.domain.StreamSettings;
import touchline.api.session.LiveControl;
import touchline.api.session.RemotePlaybackIds;
import touchline.api.view.AssetView;
import touchline.config.DatabaseConfig;
import touchline.media.SessionId;
import touchline.packager.delivery.NettyMediaMemory;
import touchline.packager.edge.Edge;

final class WatchCatalogTest {
    private static final LiveControl NOTHING_LIVE =
            (LiveControl)
                    Proxy.newProxyInstance(
                            WatchCatalogTest.class.getClassLoader(),
                            new Class<?>[] {LiveControl.class},
                            (_, method, _) -> {
                                assertEquals("active", method.getName());
                                return Optional.empty();
                            });

    private final AtomicLong nowNs = new AtomicLong(7);
    private final Deque<Runnable> reads = new ArrayDeque<>();

    @TempDir Path folder;
    private final Map<String, RemotePlaybackIds.Found> others = new HashMap<>();
    private final Edge edge =
            new Edge(
                    new Edge.Dependencies(
                            (_, _) -> CompletableFuture.completedFuture(Optional.empty()),
                            (_, _) -> "signed",
                            new NettyMediaMemory(),
                            Optional.empty(),
                            1 << 20,
                            nowNs::get));
    private Database database;
    private StreamRepository streams;
    private WatchCatalog catalog;

    @BeforeEach
    void open() {
        database =
                Database.open(
                        new DatabaseConfig(
                                Optional.of("jdbc:h2:mem:" + UUID.randomUUID()),
                                Optional.of("sa"),
                                Optional.of(""),
                                4),
                        folder);
        streams =
                new StreamRepository(
                        database,
                        new StreamKeys(new SecretBox(MasterKeys.load(Optional.empty(), folder))));
        catalog =
                new WatchCatalog(
                        new WatchAnswers.Sources(
                                streams,
                                new AssetRepository(database, AssetView::of),
                                new AssetPlaybackIds(new AssetFolders(folder), AssetFiles.LOCAL),
                                () -> NOTHING_LIVE,
                                id ->
                                        CompletableFuture.completedFuture(
                                                Optional.ofNullable(others.get(id))),
                                _ -> Optional.of(new SessionId("ses_1"))),
                        nowNs::get,
                        reads::add);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private CompletionStage<Optional<Watched>> find(String id) {
        return catalog.find(id).orElseThrow();
    }

    /** Of another node, which cannot be reached. */
    private void elsewhere(String playbackId, String subject) {
        others.put(
                playbackId,
                new RemotePlaybackIds.Found(
                        edge.media(subject, playbackId), PlaybackPolicy.PUBLIC, Optional.empty()));
    }

    private Watched read(CompletionStage<Optional<Watched>> asked) {
        reads.remove().run();
        return asked.toCompletableFuture().join().orElseThrow();
    }

    @Test
    void streamOfANodeThatCannotBeReached_isInterrupted_andIdleForOtherNodes() {
        StreamDefinition stream =
                new StreamDefinition(
                        StreamDefinition.newId(),
                        StreamDefinition.DEFAULT_ACCOUNT,
                        StreamKeys.create(),
                        StreamSettings.DEFAULTS,
                        /* disabled= */ false,
                        List.of(PlaybackId.create(PlaybackPolicy.PUBLIC)),
                        Optional.empty(),
                        Optional.empty(),
                        Instant.EPOCH);
        streams.create(stream);
        String id = stream.playbackIds().getFirst().id();

        assertEquals(new Watched.Idle(), read(find(id)).now());
        elsewhere(id, stream.id().value());
        nowNs.addAndGet(TimeUnit.SECONDS.toNanos(1));
        assertEquals(
                new Watched.Live("ses_1", false, OptionalLong.empty(), OptionalLong.empty(), false),
                read(find(id)).now());
        assertEquals(new Watched.Idle(), read(catalog.findHere(id).orElseThrow()).now());
    }

    @Test
    void stateOfAnotherNode_isReadAsItWasWritten() throws Exception {
        for (Watched.Now now :
                List.of(
                        new Watched.Idle(),
                        new Watched.Disabled(),
                        new Watched.Live(
                                "ses_1", false, OptionalLong.empty(), OptionalLong.empty(), true),
                        new Watched.Live(
                                "ses_1",
                                true,
                                OptionalLong.of(1_234_567),
                                OptionalLong.of(10_000_033),
                                false))) {
            String json = WatchState.json(new Watched("Cup", PlaybackPolicy.PUBLIC, now));
            assertEquals(now, WatchState.of(new ObjectMapper().readTree(json)));
        }
    }

    @Test
    void find_anUnknownIdManyTimes_readsOnceASecond() {
        for (int i = 0; i < 100; i++) {
            find("nosuchid");
        }
        assertEquals(1, reads.size());
        reads.remove().run();
        assertEquals(Optional.empty(), find("nosuchid").toCompletableFuture().join());
        nowNs.addAndGet(TimeUnit.SECONDS.toNanos(1));
        find("nosuchid");
        assertEquals(1, reads.size());
    }

    @Test
    void find_moreIdsThanMayBeRead_refusesUntilOneIsRead() {
        int taken = 0;
        while (catalog.find("id" + taken).isPresent()) {
            taken++;
        }
        assertEquals(64, taken);
        reads.remove().run();
        assertTrue(catalog.find("other").isPresent());
    }

    @Test
    void find_whileTheDatabaseIsAway_failsAndAsksAgain() {
        database.close();
        CompletionStage<Optional<Watched>> asked = find("abc");
        reads.remove().run();
        assertTrue(asked.toCompletableFuture().isCompletedExceptionally());
        nowNs.addAndGet(TimeUnit.SECONDS.toNanos(1));
        find("abc");
        assertEquals(1, reads.size());
    }
}
