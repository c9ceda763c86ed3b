package touchline.api.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Method;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.regex.Pattern;
import touchline.api.db.AuditRunRepository;
import touchline.api.db.Database;
import touchline.api.db.ModerationRepository;
import touchline.api.db.RecordFilter;
import touchline.api.db.SampledFrames;
import touchline.api.db.SessionRepository;
import touchline.api.db.StreamTitles;
import touchline.api.domain.ModerationRecord;
import touchline.api.domain.Page;
import touchline.api.domain.PageRequest;
import touchline.api.domain.SampledFrame;
import touchline.api.domain.Scope;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.moderation.AlertType;

/** {@code /audit/v1}: moderation records, the simulator, stopping. Any thread. */
final class AuditRoutes {
    private static final String RECORDS = "/audit/v1/records";
    static final String STOP = "/audit/v1/tasks/stop-audit-task";
    static final String SESSION = "stream_session_id";
    private static final String MODEL = "models.";
    private static final String STREAM = "live_stream_id";

    /** Within a long. */
    private static final Pattern WHOLE = Pattern.compile("[0-9]{1,18}");

    private final SessionRepository sessions;
    private final AuditRunRepository runs;
    private final ModerationRepository records;
    private final SampledFrames frames;
    private final ModerationApiDependencies dependencies;
    private final ModerationView view;
    private final StreamTitles titles;

    AuditRoutes(Database database, ModerationApiDependencies dependencies) {
        this.sessions = new SessionRepository(database);
        this.runs = new AuditRunRepository(database);
        this.records = new ModerationRepository(database);
        this.frames = new SampledFrames(database);
        this.dependencies = dependencies;
        this.view = new ModerationView(dependencies.links());
        this.titles = new StreamTitles(database);
    }

    List<ApiRoute> routes() {
        return List.of(
                ApiRoute.of(
                        Method.GET, RECORDS + "/moderation-records", Scope.AUDIT_READ, this::list),
                ApiRoute.of(
                        Method.GET, RECORDS + "/sampled-frames", Scope.AUDIT_READ, this::timeline),
                ApiRoute.of(Method.GET, RECORDS + "/simulate", Scope.AUDIT_READ, this::simulate),
                ApiRoute.of(Method.GET, "/audit/v1/models", Scope.AUDIT_READ, this::models),
                ApiRoute.of(Method.POST, STOP, Scope.AUDIT_WRITE, this::stop));
    }

    /** The session may be deleted already. */
    private ApiReply list(ApiRequest request) {
        RecordFilter filter = filter(request);
        PageRequest page = request.page();
        Page<ModerationRecord> listed = records.list(filter, page);
        Map<StreamId, String> names =
                titles.of(listed.items().stream().map(ModerationRecord::stream).toList());
        return new ApiReply.Listing(
                "get audit records success",
                listed.map(it -> view.of(it, names.getOrDefault(it.stream(), ""))));
    }

    private static RecordFilter filter(ApiRequest request) {
        return new RecordFilter(
                request.query(SESSION).flatMap(id -> session(request, id)),
                request.query(STREAM).filter(id -> isId(request, STREAM, id)).map(StreamId::new),
                choice(request, "alert_type", AlertType::of, "nude or weapon"),
                choice(request, "review", AuditRoutes::reviewed, "open or reviewed"),
                request.search(),
                wholeNumber(request, "from").stream().mapToObj(Instant::ofEpochMilli).findFirst(),
                wholeNumber(request, "after"),
                choice(request, "order", AuditRoutes::order, "newest or oldest")
                        .orElse(RecordFilter.Order.NEWEST));
    }

    /** A query parameter that names one of some values. */
    private static <T> Optional<T> choice(
            ApiRequest request, String name, Function<String, Optional<T>> parse, String expected) {
        Optional<String> asked = request.query(name);
        Optional<T> found = asked.flatMap(parse);
        if (asked.isPresent() && found.isEmpty()) {
            request.problems().invalid(name, "unknown value (expected: " + expected + ")");
        }
        return found;
    }

    private static Optional<Boolean> reviewed(String text) {
        return switch (text) {
            case "open" -> Optional.of(false);
            case "reviewed" -> Optional.of(true);
            default -> Optional.empty();
        };
    }

    private static Optional<RecordFilter.Order> order(String text) {
        return switch (text) {
            case "newest" -> Optional.of(RecordFilter.Order.NEWEST);
            case "oldest" -> Optional.of(RecordFilter.Order.OLDEST);
            default -> Optional.empty();
        };
    }

    /** A query parameter that is a whole number from 0 on, such as Unix milliseconds or an id. */
    static OptionalLong wholeNumber(ApiRequest request, String name) {
        Optional<String> text = request.query(name);
        if (text.isEmpty()) {
            return OptionalLong.empty();
        }
        if (WHOLE.matcher(text.get()).matches()) {
            return OptionalLong.of(Long.parseLong(text.get()));
        }
        request.problems().invalid(name, "not accepted (expected: a whole number from 0 on)");
        return OptionalLong.empty();
    }

    private static boolean isId(ApiRequest request, String name, String id) {
        boolean is = ApiRequest.ID.matcher(id).matches();
        if (!is) {
            request.problems().invalid(name, "no id of a live stream");
        }
        return is;
    }

    private static Optional<SessionId> session(ApiRequest request, String id) {
        if (!ApiRequest.ID.matcher(id).matches()) {
            request.problems().invalid(SESSION, "no id of a session");
            return Optional.empty();
        }
        return Optional.of(new SessionId(id));
    }

    /** Sampled frames with their results, newest first. */
    private ApiReply timeline(ApiRequest request) {
        Optional<SessionId> session = requiredSession(request);
        PageRequest page = request.page();
        SessionId id = session.orElseThrow();
        requireKnown(id);
        dependencies.storeScores().run();
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
        dependencies.storeScores().run();
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
