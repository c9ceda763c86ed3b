package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import touchline.overlay.scoreboard.ScoreboardSource;

/** Settings of an operator, and the updates to the pages of that stream. */
final class ScoreboardRoutesTest {
    private ApiFixture api;
    private String path;
    private String id;

    @BeforeEach
    void open() {
        api = new ApiFixture();
        id = api.post("/live/v1/live-streams", "{}").data().get("id").asText();
        path = "/live/v1/live-streams/" + id + "/scoreboard";
    }

    @AfterEach
    void close() {
        api.close();
    }

    private static JsonNode board(TestReply reply) {
        assertEquals(200, reply.status(), reply.text());
        return reply.data().path("scoreboard");
    }

    @Test
    void scoreboard_ofAStreamThatNeverSetIt_isTheDefault() {
        JsonNode board = board(api.get(path));

        assertTrue(board.path("visible").asBoolean());
        assertEquals("Home", board.path("home").path("name").asText());
        assertEquals(0, board.path("away").path("score").asInt());
        assertTrue(board.path("goal").isNull());
    }

    @Test
    void put_isMerged_andStored() {
        board(api.put(path, "{\"home\":{\"name\":\"Riverside\",\"color\":\"#00FF00\"}}"));
        board(api.put(path, "{\"home\":{\"score\":2},\"period\":\"2nd half\"}"));

        JsonNode home = board(api.get(path)).path("home");
        assertEquals("Riverside", home.path("name").asText());
        assertEquals("#00FF00", home.path("color").asText());
        assertEquals("HOM", home.path("short_name").asText());
        assertEquals(2, home.path("score").asInt());
        assertEquals("2nd half", board(api.get(path)).path("period").asText());
    }

    @Test
    void clock_goesOnFromWhatItShows_unlessATimeIsGiven() {
        JsonNode set =
                board(api.put(path, "{\"clock\":{\"running\":false,\"elapsed_ms\":2700000}}"));
        assertEquals(2_700_000, set.path("clock").path("elapsed_ms").asLong());

        JsonNode started = board(api.put(path, "{\"clock\":{\"running\":true}}")).path("clock");
        assertEquals(2_700_000, started.path("elapsed_ms").asLong());
        assertTrue(started.path("running").asBoolean());
    }

    @Test
    void goal_countsAndIsRemembered() {
        board(api.post(path + "/goals", "{\"team\":\"away\",\"scorer\":\"9 Keller\"}"));
        JsonNode board = board(api.post(path + "/goals", "{\"team\":\"away\"}"));

        assertEquals(2, board.path("away").path("score").asInt());
        assertEquals(0, board.path("home").path("score").asInt());
        assertEquals("away", board.path("goal").path("team").asText());
        assertEquals("", board.path("goal").path("scorer").asText());
    }

    @Test
    void pages_areUpdatedAtOnce_untilTheyDisconnect() {
        List<String> updates = new ArrayList<>();
        try (ScoreboardSource.Watch _ = api.dependencies.scoreboards().watch(id, updates::add)) {
            api.put(path, "{\"home\":{\"score\":1}}");
            api.post(path + "/goals", "{\"team\":\"home\"}");
        }
        api.put(path, "{\"home\":{\"score\":9}}");

        assertEquals(3, updates.size(), updates::toString);
        assertTrue(updates.getLast().contains("\"score\":2"), updates::toString);
    }

    @Test
    void scoreboard_goesWithItsStream() {
        api.put(path, "{\"visible\":false}");
        assertEquals(200, api.delete("/live/v1/live-streams/" + id).status());

        assertEquals(404, api.get(path).status());
        assertEquals(404, api.put(path, "{}").status());
        assertEquals(404, api.post(path + "/goals", "{\"team\":\"home\"}").status());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'home':{'score':-1}} | home.score",
                "{'home':{'color':'red'}} | home.color",
                "{'away':{'name':7}} | away.name",
                "{'clock':{'elapsed_ms':86400001}} | clock.elapsed_ms",
                "{'visible':'yes'} | visible"
            },
            quoteCharacter = '~')
    void put_badValue_isRefusedByItsName(String body, String field) {
        TestReply reply = api.put(path, body.replace('\'', '"'));

        assertEquals(400, reply.status(), reply.text());
        assertTrue(reply.text().contains("\"" + field + "\""), reply.text());
        assertEquals(0, board(api.get(path)).path("home").path("score").asInt());
    }

    @Test
    void goal_withoutTeam_isRefused() {
        assertEquals(400, api.post(path + "/goals", "{}").status());
        assertEquals(400, api.post(path + "/goals", "{\"team\":\"both\"}").status());
    }
}
