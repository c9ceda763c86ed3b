package touchline.api.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Method;
import java.util.List;
import touchline.api.db.SessionRepository;
import touchline.api.db.StreamRepository;
import touchline.api.domain.PageRequest;
import touchline.api.domain.Scope;
import touchline.api.domain.Session;
import touchline.api.domain.SessionReport;
import touchline.api.session.LiveControl;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.hub.IngestReport;

/** Sessions of live streams: when they ran and what was pushed. Any thread. */
final class SessionService {
    private final StreamRepository streams;
    private final SessionRepository sessions;
    private final LiveControl live;

    SessionService(StreamRepository streams, SessionRepository sessions, LiveControl live) {
        this.streams = streams;
        this.sessions = sessions;
        this.live = live;
    }

    List<ApiRoute> routes() {
        return List.of(
                ApiRoute.of(
                        Method.GET,
                        LiveStreamService.STREAM + "/sessions",
                        Scope.LIVE_READ,
                        this::list),
                ApiRoute.of(
                        Method.GET, "/live/v1/sessions/{session_id}", Scope.LIVE_READ, this::find));
    }

    private ApiReply list(ApiRequest request) {
        StreamId stream = LiveStreamService.streamId(request);
        PageRequest page = request.page();
        if (streams.find(stream).isEmpty()) {
            throw LiveStreamService.noStream();
        }
        return ApiReply.page(sessions.list(stream, page).map(this::shown));
    }

    private ApiReply find(ApiRequest request) {
        SessionId id = new SessionId(request.id("session_id", "session"));
        return ApiReply.ok(
                shown(sessions.find(id).orElseThrow(() -> ApiException.notFound("session"))));
    }

    private ObjectNode shown(Session session) {
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
        json.put("width", report.width());
        json.put("height", report.height());
        json.put("frame_rate", report.frameRate());
        json.put("video_bitrate", report.videoBitrateBps());
        json.put("audio_bitrate", report.audioBitrateBps());
        ArrayNode warnings = json.putArray("warnings");
        for (IngestReport.Warning warning : report.warnings()) {
            warnings.addObject()
                    .put("code", warning.code())
                    .put("message", warning.message())
                    .put("at", warning.at().getEpochSecond());
        }
        return json;
    }
}
