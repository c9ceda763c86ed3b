package touchline.api.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Method;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
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

    private final Scoreboards scoreboards;
    private final InstantSource clock;

    ScoreboardRoutes(Scoreboards scoreboards, InstantSource clock) {
        this.scoreboards = scoreboards;
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
        JsonFields body = request.body();
        // All fields are checked before a row is locked; the stored values do not matter.
        merged(body, Scoreboard.DEFAULT);
        request.problems().throwIfAny();
        Scoreboard changed =
                scoreboards
                        .change(stream, before -> merged(body, before))
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
                        .change(stream, before -> before.scored(goal))
                        .orElseThrow(LiveStreamRoutes::noStream);
        request.afterCommit(() -> scoreboards.publish(stream));
        return reply(stream, changed);
    }

    private Scoreboard merged(JsonFields body, Scoreboard before) {
        return new Scoreboard(
                body.flag("visible").orElse(before.visible()),
                body.object("home").map(it -> team(it, before.home())).orElse(before.home()),
                body.object("away").map(it -> team(it, before.away())).orElse(before.away()),
                body.object("clock").map(it -> clock(it, before.clock())).orElse(before.clock()),
                body.text("period", MOST_NAME_BYTES).orElse(before.period()),
                before.goal());
    }

    private static Team team(JsonFields fields, Team before) {
        Optional<String> color = fields.text("color", MOST_SHORT_BYTES);
        if (color.isPresent() && !COLOR.matcher(color.get()).matches()) {
            fields.problems().invalid(fields.pathOf("color"), "expected: #rrggbb");
        }
        return new Team(
                fields.text("name", MOST_NAME_BYTES).orElse(before.name()),
                fields.text("short_name", MOST_SHORT_BYTES).orElse(before.shortName()),
                color.orElse(before.color()),
                fields.integer("score", 0, MOST_SCORE).orElse(before.score()));
    }

    /** Starts or stops the clock at its current value, or sets a given time. */
    private MatchClock clock(JsonFields fields, MatchClock before) {
        long nowMs = clock.millis();
        OptionalInt elapsed = fields.integer("elapsed_ms", 0, MOST_ELAPSED_MS);
        return new MatchClock(
                fields.flag("running").orElse(before.running()),
                elapsed.isPresent() ? elapsed.getAsInt() : before.shownMs(nowMs),
                nowMs);
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
