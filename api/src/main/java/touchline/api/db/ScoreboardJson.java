package touchline.api.db;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import touchline.api.sport.Scoreboard;
import touchline.api.sport.Scoreboard.Extras;
import touchline.api.sport.Scoreboard.Goal;
import touchline.api.sport.Scoreboard.Look;
import touchline.api.sport.Scoreboard.MatchClock;
import touchline.api.sport.Scoreboard.Pair;
import touchline.api.sport.Scoreboard.Penalty;
import touchline.api.sport.Scoreboard.Play;
import touchline.api.sport.Scoreboard.Score;
import touchline.api.sport.Scoreboard.Side;
import touchline.api.sport.Scoreboard.Team;
import touchline.api.sport.Sport;
import touchline.api.sport.SportRules.Counter;
import touchline.api.sport.SportRules.Direction;

/**
 * Contents of bundled scoreboards as JSON, for the database, the API and the pages. A content
 * without {@code sport} is of football: earlier versions had nothing else.
 */
public final class ScoreboardJson {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String HOME = "home";
    private static final String AWAY = "away";
    private static final String TEAM = "team";
    private static final String POINTS = "points";

    private ScoreboardJson() {}

    public static ObjectNode write(Scoreboard board) {
        ObjectNode json = JSON.createObjectNode();
        json.put("sport", board.sport().wireName());
        json.put("revision", board.revision());
        json.put("visible", board.look().visible());
        json.set(HOME, team(board, Side.HOME));
        json.set(AWAY, team(board, Side.AWAY));
        MatchClock clock = board.play().clock();
        json.putObject("clock")
                .put("running", clock.running())
                .put("elapsed_ms", clock.elapsedMs())
                .put("at_ms", clock.atMs())
                .put("played_ms", clock.playedMs())
                .put("direction", name(clock.direction()))
                .put("period_ms", clock.periodMs());
        json.put("period", board.play().period());
        json.put("period_number", board.play().number());
        ArrayNode sets = json.putArray("sets");
        for (Pair set : board.score().sets()) {
            sets.addObject().put(HOME, set.home()).put(AWAY, set.away());
        }
        json.put("sets_to_win", board.score().setsToWin());
        json.put("serving", board.score().serving().map(ScoreboardJson::name).orElse(null));
        ArrayNode penalties = json.putArray("penalties");
        for (Penalty each : board.extras().penalties()) {
            penalties
                    .addObject()
                    .put("id", each.id())
                    .put(TEAM, name(each.team()))
                    .put("player", each.player())
                    .put("length_ms", each.lengthMs())
                    .put("ends_played_ms", each.endsPlayedMs());
        }
        json.putNull("goal");
        board.score()
                .goal()
                .ifPresent(
                        goal ->
                                json.putObject("goal")
                                        .put(TEAM, name(goal.team()))
                                        .put("scorer", goal.scorer())
                                        .put("at_ms", goal.atMs()));
        json.put("sponsor_image_id", board.look().sponsorImageId().orElse(null));
        return json;
    }

    private static ObjectNode team(Scoreboard board, Side side) {
        Team team = board.team(side);
        ObjectNode json =
                JSON.createObjectNode()
                        .put("name", team.name())
                        .put("short_name", team.shortName())
                        .put("color", team.color())
                        .put("logo_image_id", team.logoImageId().orElse(null))
                        .put("score", board.score().of(side))
                        .put(POINTS, board.score().points().of(side))
                        .put("points_text", board.pointsText(side));
        ObjectNode counters = json.putObject("counters");
        for (Counter counter : board.sport().rules().counters()) {
            counters.put(counter.name(), board.extras().of(side).getOrDefault(counter.name(), 0));
        }
        return json;
    }

    private static String name(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    static Scoreboard read(String state) {
        JsonNode json;
        try {
            json = JSON.readTree(state);
        } catch (JsonProcessingException e) {
            throw new DatabaseException("scoreboards.state: " + e.getOriginalMessage(), e);
        }
        Sport sport = Sport.of(json.path("sport").asText("football")).orElse(Sport.FOOTBALL);
        Look look =
                new Look(
                        json.path("visible").asBoolean(),
                        team(json.path(HOME)),
                        team(json.path(AWAY)),
                        text(json.path("sponsor_image_id")));
        Scoreboard blank = Scoreboard.of(sport, look, json.path("revision").asLong());
        return blank.with(score(json, blank.score()))
                .with(
                        new Play(
                                clock(json.path("clock"), blank.play().clock()),
                                json.path("period_number").asInt(),
                                json.path("period").asText()))
                .with(
                        new Extras(
                                counters(sport, json.path(HOME)),
                                counters(sport, json.path(AWAY)),
                                penalties(json.path("penalties"))));
    }

    private static Team team(JsonNode json) {
        return new Team(
                json.path("name").asText(),
                json.path("short_name").asText(),
                json.path("color").asText(),
                text(json.path("logo_image_id")));
    }

    private static Optional<String> text(JsonNode json) {
        return json.isTextual() ? Optional.of(json.textValue()) : Optional.empty();
    }

    private static Score score(JsonNode json, Score blank) {
        List<Pair> sets = new ArrayList<>();
        json.path("sets")
                .forEach(set -> sets.add(new Pair(set.path(HOME).asInt(), set.path(AWAY).asInt())));
        JsonNode goal = json.path("goal");
        return new Score(
                json.path(HOME).path("score").asInt(),
                json.path(AWAY).path("score").asInt(),
                new Pair(
                        json.path(HOME).path(POINTS).asInt(), json.path(AWAY).path(POINTS).asInt()),
                sets.isEmpty() ? blank.sets() : sets,
                json.path("sets_to_win").asInt(blank.setsToWin()),
                text(json.path("serving")).map(ScoreboardJson::side),
                goal.isObject()
                        ? Optional.of(
                                new Goal(
                                        side(goal.path(TEAM).asText()),
                                        goal.path("scorer").asText(),
                                        goal.path("at_ms").asLong()))
                        : Optional.empty());
    }

    private static Side side(String name) {
        return Side.valueOf(name.toUpperCase(Locale.ROOT));
    }

    private static MatchClock clock(JsonNode json, MatchClock blank) {
        return new MatchClock(
                json.path("running").asBoolean(),
                json.path("elapsed_ms").asLong(),
                json.path("at_ms").asLong(),
                json.path("played_ms").asLong(),
                text(json.path("direction"))
                        .map(name -> Direction.valueOf(name.toUpperCase(Locale.ROOT)))
                        .orElse(blank.direction()),
                json.path("period_ms").asLong(blank.periodMs()));
    }

    private static Map<String, Integer> counters(Sport sport, JsonNode team) {
        Map<String, Integer> counters = new HashMap<>();
        for (Counter counter : sport.rules().counters()) {
            int value = team.path("counters").path(counter.name()).asInt();
            if (value > 0) {
                counters.put(counter.name(), value);
            }
        }
        return counters;
    }

    private static List<Penalty> penalties(JsonNode json) {
        List<Penalty> penalties = new ArrayList<>();
        json.forEach(
                each ->
                        penalties.add(
                                new Penalty(
                                        each.path("id").asText(),
                                        side(each.path(TEAM).asText()),
                                        each.path("player").asText(),
                                        each.path("length_ms").asLong(),
                                        each.path("ends_played_ms").asLong())));
        return penalties;
    }
}
