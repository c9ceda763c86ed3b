package touchline.api.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Method;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import touchline.api.asset.AssetMarkers;
import touchline.api.asset.AssetService;
import touchline.api.db.MarkerRepository;
import touchline.api.db.MarkerRepository.Owner;
import touchline.api.db.SessionRepository;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetId;
import touchline.api.domain.Marker;
import touchline.api.domain.PageRequest;
import touchline.api.domain.Scope;
import touchline.api.domain.Session;
import touchline.api.session.LiveControl;
import touchline.api.view.AssetView;
import touchline.media.SessionId;

/** Markers of sessions and of assets: named moments, such as goals. Any thread. */
final class MarkerRoutes {
    private static final String MARKERS = "/live/v1/sessions/{session_id}/markers";
    private static final String MARKER = MARKERS + "/{marker_id}";
    private static final String OF_ASSET = "/video-streams/v1/assets/{asset_id}/markers";
    private static final String LABEL = "label";
    private static final String TIME = "time";
    private static final int MAX_LABEL_BYTES = 256;
    private static final int MAX_KIND_BYTES = 32;

    private final MarkerRepository markers;
    private final SessionRepository sessions;
    private final AssetService assets;
    private final LiveControl live;
    private final InstantSource clock;

    MarkerRoutes(
            MarkerRepository markers,
            SessionRepository sessions,
            AssetService assets,
            LiveControl live,
            InstantSource clock) {
        this.markers = markers;
        this.sessions = sessions;
        this.assets = assets;
        this.live = live;
        this.clock = clock;
    }

    List<ApiRoute> routes() {
        return List.of(
                ApiRoute.creating(MARKERS, Scope.LIVE_WRITE, this::create),
                ApiRoute.of(Method.GET, MARKERS, Scope.LIVE_READ, this::list),
                ApiRoute.of(Method.DELETE, MARKER, Scope.LIVE_WRITE, this::delete),
                ApiRoute.of(Method.GET, OF_ASSET, Scope.ASSETS_READ, this::ofAsset));
    }

    private ApiReply create(ApiRequest request) {
        JsonFields body = request.body();
        body.require(LABEL);
        Optional<String> label = body.text(LABEL, MAX_LABEL_BYTES);
        String kind = body.text("kind", MAX_KIND_BYTES).orElse("");
        OptionalLong given = body.secondsUs(TIME);
        if (label.isPresent() && label.get().isBlank()) {
            request.problems().invalid(LABEL, "empty (expected: a text)");
        }
        request.problems().throwIfAny();
        Session session = session(request);
        long timeUs = timeUs(request, session, given);
        Marker marker = Marker.create(label.orElseThrow(), kind, timeUs, clock.instant());
        if (!markers.create(Owner.of(session.id()), marker)) {
            throw ApiException.wrongState(
                    "the session has "
                            + MarkerRepository.MAX_MARKERS
                            + " markers: delete one of them first");
        }
        return ApiReply.ok(shown(marker));
    }

    /** The given time, which must lie in the session, or now. */
    private long timeUs(ApiRequest request, Session session, OptionalLong given) {
        OptionalLong now = live.positionUs(session.id());
        if (given.isEmpty()) {
            if (session.end().isPresent()) {
                request.problems().invalid(TIME, "required: the session has ended");
                request.problems().throwIfAny();
            }
            return now.orElseThrow(
                    () -> ApiException.wrongState("the session has not shown a frame yet"));
        }
        long endUs = now.orElseGet(() -> lengthUs(session));
        if (given.getAsLong() > endUs) {
            request.problems()
                    .invalid(
                            TIME,
                            "behind the end of the session (expected: at most "
                                    + AssetView.seconds(endUs)
                                    + ")");
            request.problems().throwIfAny();
        }
        return given.getAsLong();
    }

    /** By the wall clock: the recording may be shorter. */
    private long lengthUs(Session session) {
        return Duration.between(
                                session.startedAt(),
                                session.end().map(Session.Ended::at).orElseGet(clock::instant))
                        .toNanos()
                / 1_000;
    }

    private ApiReply list(ApiRequest request) {
        PageRequest page = request.page();
        return ApiReply.page(
                markers.list(Owner.of(session(request).id()), page).map(MarkerRoutes::shown));
    }

    private ApiReply delete(ApiRequest request) {
        SessionId session = session(request).id();
        if (!markers.delete(Owner.of(session), request.id("marker_id", "marker"))) {
            throw ApiException.notFound("marker");
        }
        return ApiReply.done();
    }

    private ApiReply ofAsset(ApiRequest request) {
        PageRequest page = request.page();
        Asset asset =
                assets.find(new AssetId(request.id("asset_id", "asset")))
                        .orElseThrow(AssetRoutes::noAsset);
        return ApiReply.page(
                markers.list(AssetMarkers.owner(asset), page).map(MarkerRoutes::shown));
    }

    private Session session(ApiRequest request) {
        return sessions.find(new SessionId(request.id("session_id", "session")))
                .orElseThrow(() -> ApiException.notFound("session"));
    }

    private static ObjectNode shown(Marker marker) {
        ObjectNode json = Json.object();
        json.put("id", marker.id());
        json.put("label", marker.label());
        json.put("kind", marker.kind());
        json.put("time", AssetView.seconds(marker.timeUs()));
        json.put("created_at", marker.createdAt().getEpochSecond());
        return json;
    }
}
