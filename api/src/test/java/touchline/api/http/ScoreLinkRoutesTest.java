package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import touchline.api.domain.Scope;
import touchline.api.domain.ScoreLink;

/** Score links, and what their tokens reach. */
final class ScoreLinkRoutesTest {
    private static final String BODY = "{\"name\": \"Phone\", \"expires_in\": 3600}";

    private ApiFixture api;
    private String stream;
    private String path;

    @BeforeEach
    void open() {
        api = new ApiFixture();
        stream = api.create("{}").get("id").textValue();
        path = "/live/v1/live-streams/" + stream;
    }

    @AfterEach
    void close() {
        api.close();
    }

    private JsonNode created() {
        TestReply reply = api.post(path + "/score-links", BODY);
        assertEquals(200, reply.status(), reply.text());
        return reply.data();
    }

    private static Map<String, String> with(JsonNode link) {
        String url = link.get("url").textValue();
        return Map.of("Authorization", "Bearer " + url.substring(url.lastIndexOf('/') + 1));
    }

    private TestReply get(JsonNode link, String at) {
        return api.call("GET", at, null, with(link));
    }

    @Test
    void create_answersTheAddressOnce_withTheTokenBehindTheFragment() {
        JsonNode link = created();

        String url = link.get("url").textValue();
        assertTrue(
                url.matches(
                        "http://api\\.test:8080/score/#"
                                + stream
                                + "/"
                                + link.get("id").textValue()
                                + "\\.[A-Za-z0-9]{43}"),
                url);
        assertEquals(ApiFixture.START.getEpochSecond() + 3600, link.get("expires_at").longValue());
        TestReply list = api.get(path + "/score-links");
        assertEquals("Phone", list.data().at("/0/name").textValue());
        assertFalse(list.text().contains(url.substring(url.lastIndexOf('.') + 1)), list.text());
    }

    @Test
    void create_repeatedWithItsKey_answersNoToken() {
        Map<String, String> headers =
                Map.of("Authorization", ApiFixture.ADMIN, "Idempotency-Key", "once");
        JsonNode first = api.call("POST", path + "/score-links", BODY, headers).data();
        JsonNode second = api.call("POST", path + "/score-links", BODY, headers).data();

        assertEquals(first.get("id"), second.get("id"));
        assertTrue(first.get("url").textValue().contains("#"));
        assertEquals("http://api.test:8080/score/", second.get("url").textValue());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"expires_in\": 60}|name",
                "{\"name\": \"x\"}|expires_in",
                "{\"name\": \" \", \"expires_in\": 60}|name",
                "{\"name\": \"x\", \"expires_in\": 59}|expires_in",
                "{\"name\": \"x\", \"expires_in\": 34560001}|expires_in",
                "{\"name\": \"x\", \"expires_in\": \"soon\"}|expires_in"
            })
    void create_withABadField_namesIt(String body, String field) {
        TestReply reply = api.post(path + "/score-links", body);

        assertEquals(400, reply.status(), reply.text());
        assertEquals(List.of(field), reply.badFields());
    }

    @Test
    void create_beyondTheLimit_isRefused_untilSomeExpire() {
        for (int i = 0; i < ScoreLink.MAX_PER_STREAM; i++) {
            created();
        }
        assertEquals(40901, api.post(path + "/score-links", BODY).code());

        api.now = api.now.plusSeconds(3600);
        created();
        assertEquals(1, api.get(path + "/score-links").json().get("total").intValue());
    }

    @Test
    void link_runsTheScoreboardOfItsStream() {
        JsonNode link = created();
        String board = path + "/scoreboard";

        JsonNode shown = get(link, board).data();
        assertEquals("Phone", shown.at("/link/name").textValue());
        assertEquals(link.get("expires_at"), shown.at("/link/expires_at"));
        assertEquals(ApiFixture.START.toEpochMilli(), shown.get("now_ms").longValue());
        assertEquals(
                200,
                api.call("PUT", board, "{\"home\": {\"name\": \"Hill\"}}", with(link)).status());
        assertEquals(
                200,
                api.call("POST", board + "/goals", "{\"team\": \"home\"}", with(link)).status());
        assertEquals(
                200,
                api.call(
                                "POST",
                                board + "/actions",
                                "{\"action\": \"score\", \"team\": \"home\"}",
                                with(link))
                        .status());

        JsonNode now = api.get(board).data();
        assertEquals(2, now.at("/scoreboard/home/score").intValue());
        assertTrue(now.path("link").isMissingNode());
        assertEquals(
                ApiFixture.START.getEpochSecond(),
                api.get(path + "/score-links").data().at("/0/last_used_at").longValue());
        assertEquals(
                3,
                api.registry
                        .get("touchline.scoreboard.changes")
                        .tag("by", "link")
                        .counter()
                        .count());
    }

    /** Every route of the interface, for the link's stream and for another one. */
    @Test
    void link_onEveryOtherRoute_isRefused() {
        JsonNode link = created();
        String other = api.create("{}").get("id").textValue();
        Set<String> reached = new TreeSet<>();
        Set<String> openRoutes = new TreeSet<>();
        List<String> secrets = List.of(api.get(path).data().get("stream_key").textValue(), other);
        for (ApiRoute route : api.routing.routes()) {
            String call = route.method().text() + " " + route.path();
            for (String id : List.of(stream, other)) {
                String at = route.path().replace("{id}", id).replaceAll("\\{[a-z_]+}", id);
                TestReply reply = api.call(route.method().text(), at, null, with(link));
                secrets.forEach(secret -> assertFalse(reply.text().contains(secret), call));
                if (route.scopes().isEmpty()) {
                    openRoutes.add(call);
                } else if (reply.status() == 403) {
                    assertEquals(40301, reply.code(), call);
                    assertEquals(
                            "a score link reaches only the scoreboard of its stream",
                            reply.json().get("message").textValue(),
                            call);
                } else {
                    assertEquals(stream, id, call + ": " + reply.text());
                    reached.add(call);
                }
            }
        }

        String board = "/live/v1/live-streams/{id}/scoreboard";
        assertEquals(
                Set.of(
                        "GET " + board,
                        "PUT " + board,
                        "POST " + board + "/goals",
                        "POST " + board + "/actions"),
                reached);
        // What needs no credential at all.
        assertEquals(
                Set.of(
                        "GET /live/v1/sports",
                        "GET /observe/health/live",
                        "GET /observe/health/ready",
                        "GET /observe/metrics",
                        "GET /openapi",
                        "GET /schemas/events/{file}"),
                openRoutes);
    }

    @Test
    void link_deletedOrExpired_isRefusedAtOnce() {
        JsonNode deleted = created();
        JsonNode expiring = created();
        String board = path + "/scoreboard";
        assertEquals(200, get(deleted, board).status());

        String id = deleted.get("id").textValue();
        assertEquals(200, api.delete(path + "/score-links/" + id).status());
        assertEquals(40102, get(deleted, board).code());
        assertEquals(404, api.delete(path + "/score-links/" + id).status());

        api.now = api.now.plusSeconds(3599);
        assertEquals(200, get(expiring, board).status());
        api.now = api.now.plusSeconds(1);
        assertEquals(40102, get(expiring, board).code());
    }

    @Test
    void link_withAWrongSecretOrOfADeletedStream_isRefused() {
        JsonNode link = created();
        String id = link.get("id").textValue();
        Map<String, String> wrong = Map.of("Authorization", "Bearer " + id + ".wrong");
        assertEquals(40102, api.call("GET", path + "/scoreboard", null, wrong).code());

        assertEquals(200, api.delete(path).status());
        assertEquals(40102, get(link, path + "/scoreboard").code());
    }

    @Test
    void link_ofAnotherStream_cannotBeDeletedThroughThisOne() {
        JsonNode link = created();
        String other = api.create("{}").get("id").textValue();

        assertEquals(
                404,
                api.delete(
                                "/live/v1/live-streams/"
                                        + other
                                        + "/score-links/"
                                        + link.get("id").textValue())
                        .status());
        assertEquals(200, get(link, path + "/scoreboard").status());
    }

    @Test
    void token_withScoreWrite_reachesScoreboardsOnly() {
        Map<String, String> token = Map.of("Authorization", api.bearer(Scope.SCORE_WRITE));
        String other = api.create("{}").get("id").textValue();
        List<String> reached = new ArrayList<>();
        for (ApiRoute route : api.routing.routes()) {
            String at = route.path().replace("{id}", other).replaceAll("\\{[a-z_]+}", "x");
            TestReply reply = api.call(route.method().text(), at, null, token);
            if (!route.scopes().isEmpty() && reply.status() != 403) {
                reached.add(route.path());
            }
        }

        assertEquals(
                Set.of(
                        "/live/v1/live-streams/{id}/scoreboard",
                        "/live/v1/live-streams/{id}/scoreboard/goals",
                        "/live/v1/live-streams/{id}/scoreboard/actions"),
                reached.stream().collect(Collectors.toSet()));
    }
}
