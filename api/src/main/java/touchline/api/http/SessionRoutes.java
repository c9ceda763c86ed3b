package touchline.api.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Method;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import touchline.api.db.AuditRunRepository;
import touchline.api.db.Database;
import touchline.api.db.SessionListing;
import touchline.api.db.SessionRecordings;
import touchline.api.db.SessionRepository;
import touchline.api.db.StreamRepository;
import touchline.api.db.StreamTitles;
import touchline.api.domain.Asset;
import touchline.api.domain.AuditRun;
import touchline.api.domain.ModerationState;
import touchline.api.domain.Page;
import touchline.api.domain.PageRequest;
import touchline.api.domain.Scope;
import touchline.api.domain.Session;
import touchline.api.domain.SessionReport;
import touchline.api.session.LiveControl;
import touchline.api.view.AssetView;
import touchline.api.view.RenditionsView;
import touchline.api.view.StandbyView;
import touchline.api.view.TracksView;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.hub.IngestReport;
import touchline.media.hub.Standby;
import touchline.moderation.AlertType;

/** Sessions of live streams: times and measured ingest. Any thread. */
final class SessionRoutes {
    private static final Set<String> STATUSES = Set.of("active", "ended");

    private final StreamRepository streams;
    private final SessionRepository sessions;
    private final AuditRunRepository audits;
    private final StreamTitles titles;
    private final SessionRecordings recordings;
    private final LiveControl live;

    SessionRoutes(Database database, StreamRepository streams, LiveControl live) {
        this.streams = streams;
        this.sessions = new SessionRepository(database);
        this.audits = new AuditRunRepository(database);
        this.titles = new StreamTitles(database);
        this.recordings = new SessionRecordings(database);
        this.live = live;
    }

    List<ApiRoute> routes() {
        return List.of(
                ApiRoute.of(
                        Method.GET,
                        LiveStreamRoutes.STREAM + "/sessions",
                        Scope.LIVE_READ,
                        this::list),
                ApiRoute.of(Method.GET, "/live/v1/sessions", Scope.LIVE_READ, this::listAll),
                ApiRoute.of(
                        Method.GET, "/live/v1/sessions/{session_id}", Scope.LIVE_READ, this::find));
    }

    private ApiReply list(ApiRequest request) {
        StreamId stream = LiveStreamRoutes.streamId(request);
        PageRequest page = request.page();
        if (!streams.exists(stream)) {
            throw LiveStreamRoutes.noStream();
        }
        Page<Session> listed = sessions.list(stream, page);
        Map<SessionId, AuditRun> runs =
                audits.latest(listed.items().stream().map(Session::id).toList());
        return ApiReply.page(
                listed.map(session -> shown(session, Optional.ofNullable(runs.get(session.id())))));
    }

    /** Of all live streams, with what a list of them shows. */
    private ApiReply listAll(ApiRequest request) {
        Optional<String> status = request.query("status");
        if (status.isPresent() && !STATUSES.contains(status.get())) {
            request.problems().invalid("status", "unknown value (expected: active or ended)");
        }
        SessionListing listing =
                new SessionListing(
                        Optional.empty(), status.map("active"::equals), request.search());
        PageRequest page = request.page();
        Page<Session> listed = sessions.list(listing, page);
        List<SessionId> ids = listed.items().stream().map(Session::id).toList();
        Map<SessionId, AuditRun> runs = audits.latest(ids);
        Map<StreamId, String> names =
                titles.of(listed.items().stream().map(Session::stream).toList());
        Map<SessionId, Asset> recorded =
                request.allows(Scope.ASSETS_READ) ? recordings.of(ids) : Map.of();
        return ApiReply.page(
                listed.map(
                        session -> {
                            ObjectNode json =
                                    shown(session, Optional.ofNullable(runs.get(session.id())));
                            json.put("live_stream_title", names.getOrDefault(session.stream(), ""));
                            json.set("recording", recording(recorded.get(session.id())));
                            return json;
                        }));
    }

    private static JsonNode recording(@Nullable Asset asset) {
        if (asset == null) {
            return Json.object().nullNode();
        }
        ObjectNode json = AssetView.of(asset);
        json.retain("asset_id", "status", "playback_ids");
        return json;
    }

    private ApiReply find(ApiRequest request) {
        SessionId id = new SessionId(request.id("session_id", "session"));
        Session session = sessions.find(id).orElseThrow(() -> ApiException.notFound("session"));
        return ApiReply.ok(shown(session, Optional.ofNullable(audits.latest(List.of(id)).get(id))));
    }

    private boolean hasBackup(Session session) {
        return streams.find(session.stream()).filter(it -> it.backup().isOn()).isPresent();
    }

    private static void show(Optional<AuditRun> audit, SessionReport report, ObjectNode json) {
        ModerationState state = ModerationState.of(audit, report.isAudioOnly());
        json.put("moderation", state.wireName());
        if (state == ModerationState.UNAVAILABLE || state == ModerationState.BLIND) {
            json.put("moderation_reason", reason(state, audit.orElseThrow(), report));
        }
    }

    private static String reason(ModerationState state, AuditRun run, SessionReport report) {
        if (state == ModerationState.BLIND) {
            return AuditRun.BLIND_REASON + refusal(report);
        }
        if (run.unserved().isEmpty()) {
            return "the session has no video";
        }
        String types =
                run.unserved().stream()
                        .sorted()
                        .map(AlertType::wireName)
                        .collect(Collectors.joining(", "));
        return "no model serves the alert type " + types + " (see docs/models.md)";
    }

    private static String refusal(SessionReport report) {
        return report.warnings().stream()
                .filter(warning -> IngestReport.REFUSALS.contains(warning.code()))
                .map(warning -> "; " + warning.message())
                .collect(Collectors.joining());
    }

    private Optional<Standby.Status> standby(Session session) {
        return live.active(session.stream())
                .filter(running -> running.session().equals(session.id()))
                .flatMap(running -> running.standby().status());
    }

    private ObjectNode shown(Session session, Optional<AuditRun> audit) {
        ObjectNode json = Json.object();
        json.put("id", session.id().value());
        json.put("live_stream_id", session.stream().value());
        json.put("status", session.end().isPresent() ? "ended" : "active");
        json.put("started_at", session.startedAt().getEpochSecond());
        json.put("ended_at", session.end().map(e -> e.at().getEpochSecond()).orElse(null));
        json.put("end_reason", session.end().map(e -> e.reason().wireName()).orElse(null));
        SessionReport report = live.report(session.id()).orElse(session.report());
        ArrayNode codecs = json.putArray("codecs");
        report.codecs().forEach(codecs::add);
        json.put("audio", report.audio().wireName());
        live.sources()
                .status(session.id())
                .ifPresent(status -> SourceRoutes.show(status, hasBackup(session), json));
        json.put("width", report.width());
        json.put("height", report.height());
        json.put("frame_rate", report.frameRate());
        json.put("video_bitrate", report.videoBitrateBps());
        json.put("audio_bitrate", report.audioBitrateBps());
        json.set("renditions", RenditionsView.of(live.renditions(session.id())));
        json.set("signal", SignalView.of(live.signals().history(session.id())));
        json.set("tracks", TracksView.of(live.tracks(session.id())));
        standby(session).ifPresent(now -> json.set("active_standby", StandbyView.of(now)));
        show(audit, report, json);
        json.set("warnings", warnings(report.warnings()));
        return json;
    }

    /** What the encoder should change, and faults of the signal. */
    static ArrayNode warnings(List<IngestReport.Warning> all) {
        ArrayNode json = Json.array();
        for (IngestReport.Warning warning : all) {
            ObjectNode each =
                    json.addObject()
                            .put("code", warning.code())
                            .put("message", warning.message())
                            .put("at", warning.at().getEpochSecond());
            warning.endedAt().ifPresent(at -> each.put("ended_at", at.getEpochSecond()));
        }
        return json;
    }
}
