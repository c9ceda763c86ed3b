package touchline.api.db;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import java.util.Optional;
import touchline.api.domain.Scoreboard;
import touchline.api.domain.Scoreboard.Goal;
import touchline.api.domain.Scoreboard.MatchClock;
import touchline.api.domain.Scoreboard.Side;
import touchline.api.domain.Scoreboard.Team;
import touchline.media.StreamId;

/** Contents of bundled scoreboards, one row for each stream that has set it. Any thread. */
public final class ScoreboardRepository {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Database database;

    public ScoreboardRepository(Database database) {
        this.database = database;
    }

    public Optional<Scoreboard> find(StreamId stream) {
        return database.with(
                handle ->
                        handle.createQuery(
                                        "SELECT state FROM scoreboards WHERE stream_id = :stream")
                                .bind("stream", stream.value())
                                .mapTo(String.class)
                                .findOne()
                                .map(ScoreboardRepository::read));
    }

    /** Requires that the stream exists and the caller has locked its row. */
    public void put(StreamId stream, Scoreboard scoreboard) {
        database.with(
                handle -> {
                    String state = json(scoreboard).toString();
                    int changed =
                            handle.createUpdate(
                                            "UPDATE scoreboards SET state = :state"
                                                    + " WHERE stream_id = :stream")
                                    .bind("state", state)
                                    .bind("stream", stream.value())
                                    .execute();
                    return changed > 0
                            ? changed
                            : handle.createUpdate(
                                            "INSERT INTO scoreboards (stream_id, state)"
                                                    + " VALUES (:stream, :state)")
                                    .bind("state", state)
                                    .bind("stream", stream.value())
                                    .execute();
                });
    }

    /** The JSON for the API and the page. */
    public static ObjectNode json(Scoreboard scoreboard) {
        ObjectNode json = JSON.createObjectNode();
        json.put("visible", scoreboard.visible());
        json.set("home", team(scoreboard.home()));
        json.set("away", team(scoreboard.away()));
        json.putObject("clock")
                .put("running", scoreboard.clock().running())
                .put("elapsed_ms", scoreboard.clock().elapsedMs())
                .put("at_ms", scoreboard.clock().atMs());
        json.put("period", scoreboard.period());
        json.putNull("goal");
        scoreboard
                .goal()
                .ifPresent(
                        goal ->
                                json.putObject("goal")
                                        .put("team", goal.team().name().toLowerCase(Locale.ROOT))
                                        .put("scorer", goal.scorer())
                                        .put("at_ms", goal.atMs()));
        return json;
    }

    private static ObjectNode team(Team team) {
        return JSON.createObjectNode()
                .put("name", team.name())
                .put("short_name", team.shortName())
                .put("color", team.color())
                .put("score", team.score());
    }

    private static Scoreboard read(String state) {
        JsonNode json;
        try {
            json = JSON.readTree(state);
        } catch (JsonProcessingException e) {
            throw new DatabaseException("scoreboards.state: " + e.getOriginalMessage(), e);
        }
        JsonNode clock = json.path("clock");
        JsonNode goal = json.path("goal");
        return new Scoreboard(
                json.path("visible").asBoolean(),
                readTeam(json.path("home")),
                readTeam(json.path("away")),
                new MatchClock(
                        clock.path("running").asBoolean(),
                        clock.path("elapsed_ms").asLong(),
                        clock.path("at_ms").asLong()),
                json.path("period").asText(),
                goal.isObject()
                        ? Optional.of(
                                new Goal(
                                        Side.valueOf(
                                                goal.path("team")
                                                        .asText()
                                                        .toUpperCase(Locale.ROOT)),
                                        goal.path("scorer").asText(),
                                        goal.path("at_ms").asLong()))
                        : Optional.empty());
    }

    private static Team readTeam(JsonNode json) {
        return new Team(
                json.path("name").asText(),
                json.path("short_name").asText(),
                json.path("color").asText(),
                json.path("score").asInt());
    }
}
