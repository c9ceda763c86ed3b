package touchline.api.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Method;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import touchline.api.db.ScoreboardRepository;
import touchline.api.domain.Scope;
import touchline.api.domain.Scoreboard;
import touchline.api.domain.Scoreboard.Goal;
import touchline.api.domain.Scoreboard.MatchClock;
import touchline.api.domain.Scoreboard.Side;
import touchline.api.domain.Scoreboard.Team;
import touchline.api.scoreboard.Scoreboards;
import touchline.api.session.SessionMarkers;
import touchline.media.StreamId;

/** The content of a stream's bundled scoreboard, set by its operator. Any thread. */
final class ScoreboardRoutes {
    private static final String SCOREBOARD = LiveStreamRoutes.STREAM + "/scoreboard";
    private static final int MOST_NAME_BYTES = 64;
    private static final int MOST_SHORT_BYTES = 12;
    private static final int MOST_SCORER_BYTES = 128;
    private static final int MOST_SCORE = 999;
    private static final int MOST_ELAPSED_MS = 24 * 3_600_000;
    private static final Pattern COLOR = Pattern.compile("#[0-9a-fA-F]{6}");

    private static final String CLOCK = "clock";

    /** The call that changes what PUT does not. */
    private static final Map<String, String> CHANGED_BY =
            Map.of("goal", "POST " + SCOREBOARD + "/goals");

    private final Scoreboards scoreboards;
    private final SessionMarkers markers;
    private final InstantSource clock;

    /**
     * @param markers gets each change of the score
     */
    ScoreboardRoutes(Scoreboards scoreboards, SessionMarkers markers, InstantSource clock) {
        this.scoreboards = scoreboards;
        this.markers = markers;
        this.clock = clock;
    }

    List<ApiRoute> routes() {
        return List.of(
                ApiRoute.of(Method.GET, SCOREBOARD, Scope.LIVE_READ, this::find),
                ApiRoute.of(Method.PUT, SCOREBOARD, Scope.LIVE_WRITE, this::put),
                ApiRoute.creating(SCOREBOARD + "/goals", Scope.LIVE_WRITE, this::goal));
    }

    private ApiReply find(ApiRequest request) {
        StreamId stream = LiveStreamRoutes.streamId(request);
        return scoreboards
                .find(stream)
                .map(scoreboard -> reply(stream, scoreboard))
                .orElseThrow(LiveStreamRoutes::noStream);
    }

    /** An absent field keeps its value. */
    private ApiReply put(ApiRequest request) {
        StreamId stream = LiveStreamRoutes.streamId(request);
        JsonFields body = request.mergedBody();
        // All fields are checked before a row is locked; the stored values do not matter.
        merged(body, Scoreboard.DEFAULT);
        request.problems().throwIfAny();
        Scoreboard changed =
                scoreboards
                        .change(stream, marking(stream, before -> changed(body, before)))
                        .orElseThrow(LiveStreamRoutes::noStream);
        request.afterCommit(() -> scoreboards.publish(stream));
        return reply(stream, changed);
    }

    private ApiReply goal(ApiRequest request) {
        StreamId stream = LiveStreamRoutes.streamId(request);
        JsonFields body = request.body();
        body.require("team");
        Optional<Side> side =
                body.constant("team", ScoreboardRoutes::side, Side.values(), JsonFields::spelled);
        String scorer = body.text("scorer", MOST_SCORER_BYTES).orElse("");
        request.problems().throwIfAny();
        Goal goal = new Goal(side.orElseThrow(), scorer, clock.millis());
        Scoreboard changed =
                scoreboards
                        .change(stream, marking(stream, before -> before.scored(goal)))
                        .orElseThrow(LiveStreamRoutes::noStream);
        request.afterCommit(() -> scoreboards.publish(stream));
        return reply(stream, changed);
    }

    /** The change; a new score is marked in the stream's session. */
    private UnaryOperator<Scoreboard> marking(StreamId stream, UnaryOperator<Scoreboard> change) {
        return before -> {
            Scoreboard after = change.apply(before);
            markers.scoreChanged(stream, before, after);
            return after;
        };
    }

    /**
     * @throws ApiException 40002 if the body gives another goal: nothing is stored
     */
    private Scoreboard changed(JsonFields body, Scoreboard before) {
        Scoreboard changed = merged(body, before);
        ObjectNode shown = ScoreboardRepository.json(before);
        body.refuseChanges(shown, CHANGED_BY);
        if (body.hasValue(CLOCK)) {
            body.object(CLOCK)
                    .ifPresent(it -> it.refuseChanges((ObjectNode) shown.get(CLOCK), Map.of()));
        }
        body.problems().throwIfAny();
        return changed;
    }

    private Scoreboard merged(JsonFields body, Scoreboard before) {
        Scoreboard defaults = Scoreboard.DEFAULT;
        return new Scoreboard(
                body.orDefault("visible", defaults.visible(), body::flag).orElse(before.visible()),
                team(body, "home", before.home(), defaults.home()),
                team(body, "away", before.away(), defaults.away()),
                body.orDefault(
                                CLOCK,
                                new MatchClock(false, 0, clock.millis()),
                                name -> body.object(name).map(it -> clock(it, before.clock())))
                        .orElse(before.clock()),
                body.orDefault(
                                "period",
                                defaults.period(),
                                name -> body.text(name, MOST_NAME_BYTES))
                        .orElse(before.period()),
                before.goal());
    }

    private static Team team(JsonFields body, String name, Team before, Team defaults) {
        return body.orDefault(
                        name,
                        defaults,
                        it -> body.object(it).map(fields -> team(fields, before, defaults)))
                .orElse(before);
    }

    private static Team team(JsonFields fields, Team before, Team defaults) {
        return new Team(
                text(fields, "name", MOST_NAME_BYTES, defaults.name()).orElse(before.name()),
                text(fields, "short_name", MOST_SHORT_BYTES, defaults.shortName())
                        .orElse(before.shortName()),
                fields.orDefault("color", defaults.color(), name -> color(fields, name))
                        .orElse(before.color()),
                fields.orDefault("score", defaults.score(), name -> score(fields, name))
                        .orElse(before.score()));
    }

    private static Optional<String> text(
            JsonFields fields, String name, int maxBytes, String standard) {
        return fields.orDefault(name, standard, it -> fields.text(it, maxBytes));
    }

    private static Optional<String> color(JsonFields fields, String name) {
        Optional<String> color = fields.text(name, MOST_SHORT_BYTES);
        if (color.isPresent() && !COLOR.matcher(color.get()).matches()) {
            fields.problems().invalid(fields.pathOf(name), "expected: #rrggbb");
        }
        return color;
    }

    private static Optional<Integer> score(JsonFields fields, String name) {
        return fields.integer(name, 0, MOST_SCORE).stream().boxed().findFirst();
    }

    /** Starts or stops the clock at its current value, or sets a given time. */
    private MatchClock clock(JsonFields fields, MatchClock before) {
        long nowMs = clock.millis();
        Optional<Long> elapsed =
                fields.orDefault("elapsed_ms", 0L, name -> elapsedMs(fields, name));
        return new MatchClock(
                fields.orDefault("running", false, fields::flag).orElse(before.running()),
                elapsed.orElseGet(() -> before.shownMs(nowMs)),
                nowMs);
    }

    private static Optional<Long> elapsedMs(JsonFields fields, String name) {
        return fields.integer(name, 0, MOST_ELAPSED_MS).stream()
                .mapToObj(ms -> (long) ms)
                .findFirst();
    }

    private static Optional<Side> side(String text) {
        return Stream.of(Side.values())
                .filter(side -> side.name().toLowerCase(Locale.ROOT).equals(text))
                .findFirst();
    }

    private static ApiReply reply(StreamId stream, Scoreboard scoreboard) {
        ObjectNode data = Json.object().put("live_stream_id", stream.value());
        data.set("scoreboard", ScoreboardRepository.json(scoreboard));
        return ApiReply.ok(data);
    }
}
