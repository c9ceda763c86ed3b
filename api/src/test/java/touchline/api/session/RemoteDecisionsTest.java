package touchline.api.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import touchline.api.access.TestViewers;
import touchline.api.access.TokenForge;
import touchline.api.asset.AssetFiles;
import touchline.api.asset.AssetFolders;
import touchline.api.asset.AssetPlaybackIds;
import touchline.api.asset.FakeChapters;
import touchline.api.domain.PlaybackId;
import touchline.api.domain.PlaybackPolicy;
import touchline.api.scoreboard.ShownSession;
import touchline.media.StreamId;
import touchline.packager.audience.Audience;
import touchline.packager.delivery.FrameDecision;
import touchline.packager.delivery.NettyMediaMemory;
import touchline.packager.delivery.PlaybackDecision;
import touchline.packager.delivery.PlaybackDecision.Live;
import touchline.packager.delivery.PlaybackDecision.Refused;
import touchline.packager.delivery.PlaybackDecision.Remote;
import touchline.packager.delivery.PlaybackRequest;
import touchline.packager.edge.Edge;

/** What the resolver decides where other nodes have streams too. */
final class RemoteDecisionsTest {
    private static final StreamId STREAM = new StreamId("str_1");
    private static final long FAR = 4_000_000_000L;
    private static final PlaybackId OPEN = new PlaybackId("open", PlaybackPolicy.PUBLIC);
    private static final PlaybackId SIGNED = new PlaybackId("closed", PlaybackPolicy.SIGNED);
    private static final TokenForge FORGE = TokenForge.create("key_1");

    private final Edge edge =
            new Edge(
                    new Edge.Dependencies(
                            (_, _) -> CompletableFuture.completedFuture(Optional.empty()),
                            (_, _) -> "signed",
                            new NettyMediaMemory(),
                            Optional.empty(),
                            1 << 20,
                            System::nanoTime));
    private final Map<String, CompletionStage<Optional<RemotePlaybackIds.Found>>> others =
            new HashMap<>();
    private final Map<String, CompletionStage<Boolean>> expected = new HashMap<>();
    private int asked;
    private final PlaybackResolver resolver =
            new PlaybackResolver(
                    TestViewers.knowing(FORGE),
                    new AssetPlaybackIds(new AssetFolders(Path.of("none")), AssetFiles.LOCAL),
                    new FakeChapters(),
                    new Audience(
                            new Audience.Limits(() -> 0, _ -> true),
                            System::nanoTime,
                            InstantSource.system()),
                    _ -> CompletableFuture.completedFuture(FrameDecision.Refused.NOT_FOUND),
                    new RemotePlaybackIds() {
                        @Override
                        public CompletionStage<Optional<Found>> find(String id) {
                            asked++;
                            return others.getOrDefault(
                                    id, CompletableFuture.completedFuture(Optional.empty()));
                        }

                        @Override
                        public CompletionStage<Boolean> isExpected(String id) {
                            return expected.getOrDefault(
                                    id, CompletableFuture.completedFuture(false));
                        }
                    });
    private final ShownSession session = new ShownSession("ses_1");

    private void elsewhere(PlaybackId id) {
        others.put(
                id.id(),
                CompletableFuture.completedFuture(
                        Optional.of(
                                new RemotePlaybackIds.Found(
                                        edge.media(STREAM.value(), id.id()),
                                        id.policy(),
                                        Optional.empty()))));
    }

    private static PlaybackRequest request(PlaybackId id, String token) {
        return new PlaybackRequest(
                id.id(),
                PlaybackRequest.Resource.MULTIVARIANT,
                Optional.of(token).filter(text -> !text.isEmpty()),
                Optional.empty(),
                InetAddress.getLoopbackAddress(),
                Optional.empty());
    }

    private PlaybackDecision resolve(PlaybackId id, String token) {
        return resolver.resolve(request(id, token)).toCompletableFuture().join();
    }

    private PlaybackDecision forNode(PlaybackId id) {
        return resolver.resolveForNode(request(id, "")).toCompletableFuture().join();
    }

    @Test
    void streamThatRunsHere_isNotLookedForElsewhere() {
        elsewhere(OPEN);
        resolver.open(STREAM, List.of(OPEN), session);

        assertInstanceOf(Live.class, resolve(OPEN, ""));
        assertEquals(0, asked);
    }

    @Test
    void streamOfAnotherNode_isShown_openOrWithItsToken() {
        elsewhere(OPEN);
        elsewhere(SIGNED);

        Remote open = assertInstanceOf(Remote.class, resolve(OPEN, ""));
        assertFalse(open.restricted());
        assertEquals(STREAM.value(), open.media().subject());
        assertEquals(403, assertInstanceOf(Refused.class, resolve(SIGNED, "")).status());
        Remote signed =
                assertInstanceOf(Remote.class, resolve(SIGNED, FORGE.good(SIGNED.id(), FAR)));
        assertTrue(signed.restricted());
        assertTrue(signed.grant().isPresent());
    }

    @Test
    void streamThatHasMoved_isServedByItsNewOwner() {
        resolver.open(STREAM, List.of(OPEN), session);
        resolver.ended(STREAM, session.session());
        assertFalse(assertInstanceOf(Live.class, resolve(OPEN, "")).running());
        elsewhere(OPEN);

        assertInstanceOf(Remote.class, resolve(OPEN, ""));
    }

    @Test
    void idThatCannotBeLookedUp_is503() {
        others.put(
                OPEN.id(), CompletableFuture.failedFuture(new IllegalStateException("database")));
        Refused refused = assertInstanceOf(Refused.class, resolve(OPEN, ""));
        assertEquals(503, refused.status());
        assertEquals(1, refused.retryAfterSeconds().orElse(0));
        assertEquals(Refused.NOT_FOUND, resolve(SIGNED, ""));
    }

    /** The row of an asset names this node before its files are opened here. */
    @Test
    void assetThatThisNodeIsAboutToOpen_is503_forViewersAndNodes_andOthersStay404() {
        expected.put(OPEN.id(), CompletableFuture.completedFuture(true));
        for (PlaybackDecision decision : List.of(resolve(OPEN, ""), forNode(OPEN))) {
            Refused refused = assertInstanceOf(Refused.class, decision);
            assertEquals(503, refused.status());
            assertEquals(1, refused.retryAfterSeconds().orElse(0));
        }
        expected.put(
                OPEN.id(), CompletableFuture.failedFuture(new IllegalStateException("database")));
        assertEquals(503, assertInstanceOf(Refused.class, resolve(OPEN, "")).status());
        assertEquals(503, assertInstanceOf(Refused.class, forNode(OPEN)).status());
        assertEquals(Refused.NOT_FOUND, resolve(SIGNED, ""));
        assertEquals(Refused.NOT_FOUND, forNode(SIGNED));
    }

    @Test
    void node_getsWhatRunsHere_withoutTokenAndUncounted_andNothingElse() {
        elsewhere(OPEN);
        assertEquals(Refused.NOT_FOUND, forNode(OPEN));
        assertEquals(0, asked);
        resolver.open(STREAM, List.of(OPEN, SIGNED), session);

        Live open = assertInstanceOf(Live.class, forNode(OPEN));
        assertEquals(Optional.empty(), open.viewers());
        assertFalse(open.restricted());
        Live signed = assertInstanceOf(Live.class, forNode(SIGNED));
        assertTrue(signed.restricted());
        assertEquals(Optional.empty(), signed.grant());
    }
}
