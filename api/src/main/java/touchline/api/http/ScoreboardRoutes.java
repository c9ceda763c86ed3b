package touchline.api.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Method;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import touchline.api.db.ScoreboardJson;
import touchline.api.domain.Scope;
import touchline.api.scoreboard.Scoreboards;
import touchline.api.session.SessionMarkers;
import touchline.api.sport.Scoreboard;
import touchline.api.sport.Scoreboard.Side;
import touchline.api.sport.ScoreboardAction;
import touchline.api.sport.ScoreboardActions;
import touchline.api.view.SportJson;
import touchline.media.StreamId;

/** The content of a stream's bundled scoreboard, set by its operators. Any thread. */
final class ScoreboardRoutes {
    private static final String SCOREBOARD = LiveStreamRoutes.STREAM + "/scoreboard";
    static final String ACTIONS = SCOREBOARD + "/actions";

    private static final String GOALS = SCOREBOARD + "/goals";

    /** What a score link reaches. */
    private static final Set<String> PATHS = Set.of(SCOREBOARD, ACTIONS, GOALS);

    private static final int MAX_SCORER_BYTES = 128;

    private final Scoreboards scoreboards;
    private final SessionMarkers markers;
    private final ScoreboardFields fields;
    private final InstantSource clock;
    private final Counter byLinks;
    private final Counter byTokens;

    /**
     * @param markers gets each change of the score
     * @param imageExists whether the server has an image of this id
     */
    ScoreboardRoutes(
            Scoreboards scoreboards,
            SessionMarkers markers,
            Predicate<String> imageExists,
            MeterRegistry registry,
            InstantSource clock) {
        this.scoreboards = scoreboards;
        this.markers = markers;
        this.fields = new ScoreboardFields(imageExists, clock);
        this.clock = clock;
        this.byLinks = changes(registry, "link");
        this.byTokens = changes(registry, "token");
    }

    private static Counter changes(MeterRegistry registry, String by) {
        return Counter.builder("touchline.scoreboard.changes")
                .description("Changes of bundled scoreboards")
                .tag("by", by)
                .register(registry);
    }

    /** Whether the route is one of a scoreboard's content. */
    static boolean isScoreboard(ApiRoute route) {
        return PATHS.contains(route.path());
    }

    List<ApiRoute> routes() {
        return List.of(
                ApiRoute.of(Method.GET, SCOREBOARD, Scope.LIVE_READ, this::find)
                        .orWith(Scope.SCORE_WRITE),
                ApiRoute.of(Method.PUT, SCOREBOARD, Scope.LIVE_WRITE, this::put)
                        .orWith(Scope.SCORE_WRITE),
                ApiRoute.creating(GOALS, Scope.LIVE_WRITE, this::goal).orWith(Scope.SCORE_WRITE),
                ApiRoute.creating(ACTIONS, Scope.LIVE_WRITE, this::act).orWith(Scope.SCORE_WRITE));
    }

    private ApiReply find(ApiRequest request) {
        StreamId stream = LiveStreamRoutes.streamId(request);
        return scoreboards
                .find(stream)
                .map(board -> reply(request, stream, board, Optional.empty()))
                .orElseThrow(LiveStreamRoutes::noStream);
    }

    /** An absent field keeps its value. */
    private ApiReply put(ApiRequest request) {
        StreamId stream = LiveStreamRoutes.streamId(request);
        JsonFields body = request.mergedBody();
        request.problems().throwIfAny();
        Scoreboards.Changed changed =
                scoreboards
                        .change(
                                stream,
                                before -> fields.changed(body, before),
                                (before, after) ->
                                        markers.scoreChanged(stream, before, after, clock.millis()))
                        .orElseThrow(LiveStreamRoutes::noStream);
        return changed(request, stream, changed);
    }

    private ApiReply goal(ApiRequest request) {
        JsonFields body = request.body();
        body.require("team");
        Optional<Side> side = ScoreboardFields.side(body, "team");
        String scorer = body.text("scorer", MAX_SCORER_BYTES).orElse("");
        request.problems().throwIfAny();
        return apply(
                request, new ScoreboardAction.Score(side.orElseThrow(), 1, scorer), clock.millis());
    }

    private ApiReply act(ApiRequest request) {
        JsonFields body = request.body();
        long atMs = ScoreboardActionFields.atMs(body, clock.millis());
        return switch (ScoreboardActionFields.read(body)) {
            case ScoreboardActionFields.Given.Act(ScoreboardAction action) ->
                    apply(request, action, atMs);
            case ScoreboardActionFields.Given.Undo(String changeId) -> undo(request, changeId);
        };
    }

    private ApiReply apply(ApiRequest request, ScoreboardAction action, long atMs) {
        StreamId stream = LiveStreamRoutes.streamId(request);
        Scoreboards.Changed changed =
                scoreboards
                        .change(
                                stream,
                                before -> applied(before, action, atMs),
                                (before, after) ->
                                        markers.scoreChanged(stream, before, after, atMs))
                        .orElseThrow(LiveStreamRoutes::noStream);
        return changed(request, stream, changed);
    }

    /**
     * @throws ApiException 40901 if the sport does not have the action
     */
    private static Scoreboard applied(Scoreboard before, ScoreboardAction action, long atMs) {
        Optional<String> problem = ScoreboardActions.problem(before.sport(), action);
        if (problem.isPresent()) {
            throw ApiException.wrongState(problem.get());
        }
        return ScoreboardActions.apply(before, action, atMs);
    }

    private ApiReply undo(ApiRequest request, String changeId) {
        StreamId stream = LiveStreamRoutes.streamId(request);
        return switch (scoreboards.undo(stream, changeId).orElseThrow(LiveStreamRoutes::noStream)) {
            case Scoreboards.Undo.NotFound() ->
                    throw ApiException.wrongState(
                            "change_id: there is no such change to undo; it may be undone already,"
                                    + " or too many have followed");
            case Scoreboards.Undo.Overtaken() ->
                    throw ApiException.wrongState(
                            "a later change has changed the same part of the scoreboard: undo that"
                                    + " first, or set the value");
            case Scoreboards.Undo.Undone(Scoreboard board) ->
                    changed(request, stream, new Scoreboards.Changed(board, Optional.empty()));
        };
    }

    private ApiReply changed(ApiRequest request, StreamId stream, Scoreboards.Changed changed) {
        request.afterCommit(
                () -> {
                    scoreboards.publish(stream);
                    (request.link().isPresent() ? byLinks : byTokens).increment();
                });
        return reply(request, stream, changed.board(), changed.changeId());
    }

    private ApiReply reply(
            ApiRequest request, StreamId stream, Scoreboard board, Optional<String> changeId) {
        ObjectNode data = Json.object().put("live_stream_id", stream.value());
        data.set("scoreboard", ScoreboardJson.write(board));
        data.set("rules", SportJson.of(board.sport()));
        data.put("now_ms", clock.millis());
        changeId.ifPresent(id -> data.put("change_id", id));
        request.link()
                .ifPresent(
                        link ->
                                data.putObject("link")
                                        .put("name", link.name())
                                        .put("expires_at", link.expiresAt().getEpochSecond()));
        return ApiReply.ok(data);
    }
}
