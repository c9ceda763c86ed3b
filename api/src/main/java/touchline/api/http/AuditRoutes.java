package touchline.api.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Method;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import touchline.api.db.AuditRunRepository;
import touchline.api.db.Database;
import touchline.api.db.ModerationRepository;
import touchline.api.db.RecordFilter;
import touchline.api.db.SampledFrames;
import touchline.api.db.SessionRepository;
import touchline.api.domain.ModerationRecord.Decision;
import touchline.api.domain.ModerationRecord.Review;
import touchline.api.domain.Page;
import touchline.api.domain.PageRequest;
import touchline.api.domain.SampledFrame;
import touchline.api.domain.Scope;
import touchline.media.SessionId;
import touchline.moderation.AlertType;

/** {@code /audit/v1}: moderation records, their review, the simulator, stopping. Any thread. */
final class AuditRoutes {
    private static final String RECORDS = "/audit/v1/records";
    private static final String SESSION = "stream_session_id";
    private static final String MODEL = "models.";
    private static final int MAX_NOTE_BYTES = 4_096;

    private final SessionRepository sessions;
    private final AuditRunRepository runs;
    private final ModerationRepository records;
    private final SampledFrames frames;
    private final ModerationApiDependencies dependencies;
    private final ModerationView view;
    private final InstantSource clock;

    AuditRoutes(Database database, ModerationApiDependencies dependencies, InstantSource clock) {
        this.sessions = new SessionRepository(database);
        this.runs = new AuditRunRepository(database);
        this.records = new ModerationRepository(database);
        this.frames = new SampledFrames(database);
        this.dependencies = dependencies;
        this.view = new ModerationView(dependencies.links());
        this.clock = clock;
    }

    List<ApiRoute> routes() {
        return List.of(
                ApiRoute.of(
                        Method.GET, RECORDS + "/moderation-records", Scope.AUDIT_READ, this::list),
                ApiRoute.of(Method.PUT, RECORDS + "/{id}/review", Scope.AUDIT_WRITE, this::review),
                ApiRoute.of(
                        Method.GET, RECORDS + "/sampled-frames", Scope.AUDIT_READ, this::timeline),
                ApiRoute.of(Method.GET, RECORDS + "/simulate", Scope.AUDIT_READ, this::simulate),
                ApiRoute.of(Method.GET, "/audit/v1/models", Scope.AUDIT_READ, this::models),
                ApiRoute.of(
                        Method.POST,
                        "/audit/v1/tasks/stop-audit-task",
                        Scope.AUDIT_WRITE,
                        this::stop));
    }

    /** The session may be deleted already. */
    private ApiReply list(ApiRequest request) {
        Optional<SessionId> session = request.query(SESSION).flatMap(id -> session(request, id));
        Optional<String> asked = request.query("alert_type");
        Optional<AlertType> type = asked.flatMap(AlertType::of);
        if (asked.isPresent() && type.isEmpty()) {
            request.problems().invalid("alert_type", "unknown value (expected: nude or weapon)");
        }
        PageRequest page = request.page();
        return new ApiReply.Listing(
                "get audit records success",
                records.list(new RecordFilter(session, type), page).map(view::of));
    }

    private static Optional<SessionId> session(ApiRequest request, String id) {
        if (!ApiRequest.ID.matcher(id).matches()) {
            request.problems().invalid(SESSION, "no id of a session");
            return Optional.empty();
        }
        return Optional.of(new SessionId(id));
    }

    private ApiReply review(ApiRequest request) {
        long id = recordId(request);
        JsonFields body = request.body();
        body.require("decision");
        Optional<Decision> decision =
                body.constant("decision", Decision::of, Decision.values(), Decision::wireName);
        Optional<String> note = body.text("note", MAX_NOTE_BYTES);
        request.problems().throwIfAny();
        Review review = new Review(decision.orElseThrow(), note.orElse(""), clock.instant());
        return ApiReply.ok(view.of(records.review(id, review).orElseThrow(AuditRoutes::noRecord)));
    }

    private static long recordId(ApiRequest request) {
        try {
            return Long.parseLong(request.id("id", "moderation record"));
        } catch (NumberFormatException _) {
            throw noRecord();
        }
    }

    private static ApiException noRecord() {
        return ApiException.notFound("moderation record");
    }

    /** Sampled frames with their results, newest first. */
    private ApiReply timeline(ApiRequest request) {
        Optional<SessionId> session = requiredSession(request);
        PageRequest page = request.page();
        SessionId id = session.orElseThrow();
        requireKnown(id);
        Page<SampledFrame> sampled = frames.list(id, page);
        if (sampled.items().isEmpty()) {
            return ApiReply.page(sampled.map(frame -> ModerationView.of(frame, null)));
        }
        Map<Instant, Long> recorded =
                records.idsByCapture(
                        id, sampled.items().getLast().at(), sampled.items().getFirst().at());
        return ApiReply.page(
                sampled.map(frame -> ModerationView.of(frame, recorded.get(frame.at()))));
    }

    private ApiReply simulate(ApiRequest request) {
        Optional<SessionId> session = requiredSession(request);
        Map<AlertType, Double> thresholds = thresholds(request);
        request.problems().throwIfAny();
        SessionId id = session.orElseThrow();
        requireKnown(id);
        ThresholdSimulation simulation =
                new ThresholdSimulation(thresholds, dependencies.moderation().rejectCutoff());
        frames.each(id, simulation::add);
        ObjectNode data = Json.object().put(SESSION, id.value());
        simulation.write(data);
        return ApiReply.ok(data);
    }

    private static Optional<SessionId> requiredSession(ApiRequest request) {
        Optional<String> id = request.query(SESSION);
        if (id.isEmpty()) {
            request.problems().missing(SESSION);
        }
        return id.flatMap(text -> session(request, text));
    }

    private static Map<AlertType, Double> thresholds(ApiRequest request) {
        Map<AlertType, Double> thresholds = new EnumMap<>(AlertType.class);
        List<String> names = request.queryNames(MODEL);
        for (String name : names) {
            Optional<AlertType> type = AlertType.of(name.substring(MODEL.length()));
            if (type.isEmpty()) {
                request.problems().invalid(name, "unknown model (expected: nude, weapon)");
            } else {
                request.fraction(name).ifPresent(value -> thresholds.put(type.get(), value));
            }
        }
        if (names.isEmpty()) {
            request.problems().missing("models");
        }
        return thresholds;
    }

    /** A session may be deleted with its stream while its moderation records are kept. */
    private void requireKnown(SessionId session) {
        if (sessions.find(session).isEmpty() && runs.of(session).isEmpty()) {
            throw ApiException.notFound("session");
        }
    }

    private ApiReply models(ApiRequest request) {
        ArrayNode models = Json.array();
        dependencies.moderation().models().forEach(model -> models.add(ModerationView.of(model)));
        return ApiReply.ok(models);
    }

    private ApiReply stop(ApiRequest request) {
        JsonFields body = request.body();
        body.require(SESSION);
        Optional<SessionId> session = body.text(SESSION, 256).map(AuditRoutes::named);
        request.problems().throwIfAny();
        SessionId id = session.orElseThrow();
        requireKnown(id);
        dependencies.control().stop(id);
        return new ApiReply.Message("stop audit task success");
    }

    private static SessionId named(String id) {
        if (!ApiRequest.ID.matcher(id).matches()) {
            throw ApiException.notFound("session");
        }
        return new SessionId(id);
    }
}
