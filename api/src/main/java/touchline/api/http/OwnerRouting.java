package touchline.api.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.cluster.NodeCallException;
import touchline.api.cluster.NodeClient;
import touchline.api.cluster.NodeRequest;
import touchline.api.db.AssetRepository;
import touchline.api.db.ClusterStreams;
import touchline.api.db.Database;
import touchline.api.db.SessionRepository;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetId;
import touchline.api.domain.ClusterNode;
import touchline.api.view.AssetView;
import touchline.media.SessionId;
import touchline.media.StreamId;

/**
 * Passes requests about a running session to the node that has it, with the client's own
 * credential, and returns its answer. A request that no other node can answer is handled here: the
 * owner then obeys the change in the database, or is fenced. Any thread.
 */
final class OwnerRouting {
    private static final Logger log = LoggerFactory.getLogger(OwnerRouting.class);
    private static final String SESSION = "/live/v1/sessions/{session_id}";
    private static final String ASSET = "/video-streams/v1/assets/{asset_id}";

    private static final Set<String> READING = Set.of("GET", "HEAD");

    /** Passed on, beside the address of the client. */
    private static final List<String> HEADERS =
            List.of(
                    "Authorization",
                    "Content-Type",
                    "Content-Encoding",
                    "Accept",
                    "Idempotency-Key");

    private final Subjects subjects;
    private final Function<StreamId, Optional<ClusterNode>> owners;
    private final NodeClient client;
    private final Duration patience;

    /**
     * What a client has asked for.
     *
     * @param target path and query
     * @param client its address
     */
    record Origin(String target, String client) {}

    /** The streams that requests are about. */
    record Subjects(SessionRepository sessions, AssetRepository assets) {}

    /**
     * @param owners the other node that works with a stream and can be reached; empty where none
     *     does
     * @param patience with the answer of a node
     */
    OwnerRouting(
            Subjects subjects,
            Function<StreamId, Optional<ClusterNode>> owners,
            NodeClient client,
            Duration patience) {
        this.subjects = subjects;
        this.owners = owners;
        this.client = client;
        this.patience = patience;
    }

    static OwnerRouting of(Database database, ClusterLinks links) {
        ClusterStreams rows = new ClusterStreams(database);
        return new OwnerRouting(
                new Subjects(
                        new SessionRepository(database),
                        new AssetRepository(database, AssetView::of)),
                stream ->
                        rows.owner(stream)
                                .flatMap(
                                        id ->
                                                links.directory().others().stream()
                                                        .filter(node -> node.id().equals(id))
                                                        .findFirst()),
                links.client(),
                links.patience());
    }

    /**
     * The answer of the node that has the session.
     *
     * @return empty where the request is handled here
     * @throws ApiException 50301 if it is unknown whether the node has done what must not be done
     *     twice
     */
    Optional<ApiReply> answer(ApiRoute route, ApiRequest request, Origin origin) {
        return subject(route, request).flatMap(stream -> forwarded(stream, request, origin));
    }

    private Optional<ApiReply> forwarded(StreamId stream, ApiRequest request, Origin origin) {
        Optional<ClusterNode> owner = owners.apply(stream);
        if (owner.isEmpty()) {
            return Optional.empty();
        }
        Map<String, String> headers = new HashMap<>();
        HEADERS.forEach(name -> request.header(name).ifPresent(it -> headers.put(name, it)));
        headers.put("X-Forwarded-For", origin.client());
        NodeRequest passed =
                new NodeRequest(request.method(), origin.target(), headers, request.bytes());
        try {
            return Optional.of(
                    new ApiReply.Forwarded(client.forward(owner.get(), passed, patience)));
        } catch (NodeCallException e) {
            if (e.wasSent() && mayStillHappen(stream, owner.get(), request)) {
                log.warn("{}; the request is refused", e.getMessage());
                throw ApiException.retryLater(
                        ErrorCode.OVERLOADED,
                        "the server that has the live stream does not answer; try again",
                        Duration.ofSeconds(1));
            }
            log.warn("{}; the request is handled here", e.getMessage());
            return Optional.empty();
        }
    }

    /**
     * Whether the owner may have done the request, or may do it later. An owner without its lease
     * stores nothing more, and what it stored before, the same request stores again, unless it
     * creates something.
     */
    private boolean mayStillHappen(StreamId stream, ClusterNode asked, ApiRequest request) {
        if (READING.contains(request.method())) {
            return false;
        }
        return request.method().equals("POST")
                || owners.apply(stream).filter(now -> now.id().equals(asked.id())).isPresent();
    }

    /** The stream whose session the request may touch. */
    private Optional<StreamId> subject(ApiRoute route, ApiRequest request) {
        String path = route.path();
        if (path.startsWith(LiveStreamRoutes.STREAM)) {
            return id(request.pathText("id")).map(StreamId::new);
        }
        if (path.startsWith(SESSION)) {
            return id(request.pathText("session_id")).flatMap(this::ofSession);
        }
        if (path.startsWith(ASSET)) {
            return id(request.pathText("asset_id")).flatMap(this::ofAsset);
        }
        return switch (path) {
            case AuditRoutes.STOP -> field(request, AuditRoutes.SESSION).flatMap(this::ofSession);
            case ClipRoutes.CLIP -> clipped(request).flatMap(this::ofAsset);
            default -> Optional.empty();
        };
    }

    private Optional<StreamId> ofSession(String id) {
        return subjects.sessions()
                .find(new SessionId(id))
                .filter(session -> session.end().isEmpty())
                .map(session -> session.stream());
    }

    /** While it is recorded. */
    private Optional<StreamId> ofAsset(String id) {
        return subjects.assets()
                .find(new AssetId(id))
                .filter(asset -> asset.state().live())
                .map(Asset::stream);
    }

    private static Optional<String> field(ApiRequest request, String name) {
        return id(body(request).path(name).asText());
    }

    /** The asset, or that of the first range. */
    private static Optional<String> clipped(ApiRequest request) {
        JsonNode body = body(request);
        JsonNode first = body.path(ClipRoutes.RANGES).path(0);
        return id((first.isMissingNode() ? body : first).path(ClipRange.ASSET).asText());
    }

    /** The handler reports what is wrong with it. */
    private static JsonNode body(ApiRequest request) {
        try {
            return Json.parse(request.bytes());
        } catch (ApiException _) {
            return MissingNode.getInstance();
        }
    }

    private static Optional<String> id(String text) {
        return Optional.of(text).filter(it -> ApiRequest.ID.matcher(it).matches());
    }
}
