package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import touchline.api.db.ImageRepository;
import touchline.api.domain.Image;
import touchline.api.domain.ImageFile;
import touchline.api.domain.Session;
import touchline.media.SessionId;
import touchline.media.StreamId;

/** Sports, actions, undo, images and markers of scoreboards. */
final class ScoreboardSportsTest {
    private ApiFixture api;
    private String stream;
    private String path;

    @BeforeEach
    void open() {
        api = new ApiFixture();
        stream = api.create("{}").get("id").textValue();
        path = "/live/v1/live-streams/" + stream + "/scoreboard";
    }

    @AfterEach
    void close() {
        api.close();
    }

    private static JsonNode ok(TestReply reply) {
        assertEquals(200, reply.status(), reply.text());
        return reply.data();
    }

    private JsonNode put(String body) {
        return ok(api.put(path, body.replace('\'', '"')));
    }

    private TestReply act(String body) {
        return api.post(path + "/actions", body.replace('\'', '"'));
    }

    private JsonNode board() {
        return ok(api.get(path)).get("scoreboard");
    }

    private SessionId live() {
        SessionId session = api.live.start(new StreamId(stream)).session();
        api.store(Session.started(session, new StreamId(stream), api.now));
        return session;
    }

    private List<String> labels(SessionId session) {
        return ok(api.get("/live/v1/sessions/" + session + "/markers")).findValuesAsText("label");
    }

    @Test
    void sports_areListedWithTheirRules() {
        JsonNode sports = ok(api.call("GET", "/live/v1/sports", null, Map.of())).get("sports");

        assertEquals(
                List.of(
                        "football",
                        "basketball",
                        "handball",
                        "volleyball",
                        "tennis",
                        "ice_hockey",
                        "generic"),
                sports.findValuesAsText("sport"));
        assertEquals(
                List.of("up", "down", "up", "none", "none", "down", "up"),
                sports.findValuesAsText("direction"));
    }

    @Test
    void sport_changed_beginsANewMatch_andKeepsTheTeams() {
        put(
                "{'home':{'name':'Hill','score':3,'counters':{'red_cards':1}},'period':'2nd half',"
                        + "'clock':{'running':true,'elapsed_ms':1000}}");

        JsonNode changed = put("{'sport':'basketball','away':{'score':7}}");

        JsonNode board = changed.get("scoreboard");
        assertEquals("Hill", board.at("/home/name").textValue());
        assertEquals(0, board.at("/home/score").intValue());
        assertEquals(7, board.at("/away/score").intValue());
        assertEquals("", board.get("period").textValue());
        assertEquals("{\"fouls\":0,\"timeouts\":0}", board.at("/home/counters").toString());
        assertEquals("down", board.at("/clock/direction").textValue());
        assertEquals(600_000, board.at("/clock/period_ms").intValue());
        assertTrue(!board.at("/clock/running").booleanValue());
        assertEquals("Basketball", changed.at("/rules/name").textValue());

        ok(act("{'action':'undo','change_id':'" + changed.get("change_id").textValue() + "'}"));
        assertEquals(3, board().at("/home/score").intValue());
        assertEquals("2nd half", board().get("period").textValue());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "football | {'sport':'cricket'} | sport",
                "football | {'home':{'counters':{'fouls':1}}} | home.counters.fouls",
                "basketball | {'away':{'counters':{'fouls':21}}} | away.counters.fouls",
                "football | {'sets':[{'home':1,'away':0}]} | sets",
                "volleyball | {'sets':[]} | sets",
                "volleyball | {'sets':[{'home':1}]} | sets[0].away",
                "tennis | {'sets':[{'home':100,'away':0}]} | sets[0].home",
                "tennis | {'home':{'score':3}} | home.score",
                "tennis | {'home':{'points':3}} | home.points",
                "football | {'serving':'home'} | serving",
                "football | {'period_number':6} | period_number",
                "volleyball | {'sets_to_win':5} | sets_to_win",
                "football | {'clock':{'direction':'sideways'}} | clock.direction",
                "football | {'clock':{'played_ms':1}} | clock.played_ms",
                "football | {'home':{'logo_image_id':'img_none'}} | home.logo_image_id",
                "football | {'sponsor_image_id':7} | sponsor_image_id",
                "football | {'revision':99} | revision",
                "handball | {'penalties':[{'id':'a'}]} | penalties"
            })
    void put_whatTheSportDoesNotHave_isRefusedByItsName(String sport, String body, String field) {
        put("{'sport':'" + sport + "'}");
        JsonNode before = board();

        TestReply reply = api.put(path, body.replace('\'', '"'));

        assertEquals(400, reply.status(), reply.text());
        assertEquals(List.of(field), reply.badFields());
        assertEquals(before, board());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{} | 40003 | action",
                "{'action':'dance'} | 40002 | action",
                "{'action':'score'} | 40003 | team",
                "{'action':'score','team':'both'} | 40002 | team",
                "{'action':'score','team':'home','points':100} | 40002 | points",
                "{'action':'score','team':'home','at_ms':1} | 40002 | at_ms",
                "{'action':'clock','elapsed_ms':-1} | 40002 | elapsed_ms",
                "{'action':'period'} | 40003 | number",
                "{'action':'count','team':'home'} | 40003 | counter",
                "{'action':'penalty','team':'home'} | 40003 | length_ms",
                "{'action':'undo'} | 40003 | change_id"
            })
    void action_withABadField_namesIt(String body, int code, String field) {
        TestReply reply = act(body);

        assertEquals(code, reply.code(), reply.text());
        assertEquals(List.of(field), reply.badFields());
        assertEquals(0, board().get("revision").intValue());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "football | {'action':'score','team':'home','points':2} | expected: one of [1]",
                "tennis | {'action':'score','team':'home','points':-1} | to correct, undo",
                "football | {'action':'period','number':6} | football has no such period",
                "football | {'action':'count','team':'home','counter':'fouls'} | no counter",
                "handball | {'action':'penalty','team':'home','length_ms':60000} | no penalty of",
                "football | {'action':'serve','team':'home'} | no serving side",
                "football | {'action':'end_set'} | football has no sets",
                "football | {'action':'undo','change_id':'chg_none'} | no such change"
            })
    void action_thatTheSportDoesNotHave_isAWrongState(String sport, String body, String message) {
        put("{'sport':'" + sport + "'}");

        TestReply reply = act(body);

        assertEquals(40901, reply.code(), reply.text());
        assertTrue(reply.json().get("message").textValue().contains(message), reply.text());
    }

    @Test
    void action_sentAgainWithItsKey_isAppliedOnce() {
        Map<String, String> headers =
                Map.of("Authorization", ApiFixture.ADMIN, "Idempotency-Key", "tap-1");
        String body = "{\"action\": \"score\", \"team\": \"away\"}";
        JsonNode first = ok(api.call("POST", path + "/actions", body, headers));
        JsonNode again = ok(api.call("POST", path + "/actions", body, headers));

        assertEquals(first, again);
        assertEquals(1, board().at("/away/score").intValue());
        assertEquals(1, board().get("revision").intValue());
    }

    @Test
    void action_thatWaited_hasItsOwnTime() {
        long then = api.now.toEpochMilli() - 30_000;
        ok(act("{'action':'clock','running':true,'at_ms':" + (then - 10_000) + "}"));
        ok(act("{'action':'score','team':'home','at_ms':" + then + "}"));

        JsonNode board = board();
        assertEquals(then, board.at("/goal/at_ms").longValue());
        assertEquals(then - 10_000, board.at("/clock/at_ms").longValue());
        // A phone whose clock is ahead.
        ok(act("{'action':'score','team':'home','at_ms':" + (api.now.toEpochMilli() + 900) + "}"));
        assertEquals(api.now.toEpochMilli(), board().at("/goal/at_ms").longValue());
    }

    @Test
    void action_thatChangesNothing_hasNoChangeAndNoRevision() {
        JsonNode reply = ok(act("{'action':'score','team':'home','points':-1}"));

        assertTrue(reply.path("change_id").isMissingNode());
        assertEquals(0, reply.at("/scoreboard/revision").intValue());
    }

    @Test
    void undo_takesBackOneChange_alsoBehindOthersOfOtherParts() {
        String goal = ok(act("{'action':'score','team':'home'}")).get("change_id").textValue();
        ok(act("{'action':'clock','running':true}"));
        put("{'home':{'name':'Hill'}}");

        JsonNode board = ok(act("{'action':'undo','change_id':'" + goal + "'}")).get("scoreboard");
        assertEquals(0, board.at("/home/score").intValue());
        assertTrue(board.get("goal").isNull());
        assertTrue(board.at("/clock/running").booleanValue());
        assertEquals("Hill", board.at("/home/name").textValue());
        assertEquals(4, board.get("revision").intValue());
        assertEquals(40901, act("{'action':'undo','change_id':'" + goal + "'}").code());
    }

    @Test
    void undo_ofAnOvertakenChange_isRefused_untilTheLaterOneIsUndone() {
        String first = ok(act("{'action':'score','team':'home'}")).get("change_id").textValue();
        String second = ok(act("{'action':'score','team':'away'}")).get("change_id").textValue();

        TestReply refused = act("{'action':'undo','change_id':'" + first + "'}");
        assertEquals(40901, refused.code());
        assertTrue(refused.text().contains("a later change"), refused.text());
        ok(act("{'action':'undo','change_id':'" + second + "'}"));
        ok(act("{'action':'undo','change_id':'" + first + "'}"));
        assertEquals(0, board().at("/home/score").intValue());
    }

    @Test
    void images_areShownByTheScoreboard_andNotDeletedMeanwhile() {
        Image logo = Image.create(64, 64, api.now);
        byte[] png = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
        new ImageRepository(api.database).create(logo, new ImageFile(png));
        put("{'home':{'logo_image_id':'" + logo.id() + "'}}");
        String image = "/live/v1/images/" + logo.id();

        assertEquals(logo.id(), board().at("/home/logo_image_id").textValue());
        assertEquals(
                "image/png",
                api.dependencies.scoreboards().image(stream, logo.id()).orElseThrow().mediaType());
        assertEquals("image/png", api.get(image).header("Content-Type").orElseThrow());
        assertTrue(api.dependencies.scoreboards().image("str_other", logo.id()).isEmpty());
        assertEquals(40901, api.delete(image).code());

        String change = put("{'home':{'logo_image_id':null}}").get("change_id").textValue();
        assertTrue(api.dependencies.scoreboards().image(stream, logo.id()).isEmpty());
        assertEquals(200, api.delete(image).status());
        // The image of before is gone; everything else comes back.
        ok(act("{'action':'undo','change_id':'" + change + "'}"));
        assertTrue(api.dependencies.scoreboards().image(stream, logo.id()).isEmpty());
    }

    @Test
    void scores_areMarkedInTheWordsOfTheSport_andUndoTakesTheMarkerBack() {
        SessionId session = live();
        api.live.positionsUs.put(session, 60_000_000L);
        put("{'sport':'tennis','home':{'name':'Lee'},'away':{'name':'Kim'}}");
        ok(act("{'action':'serve','team':'home'}"));
        assertEquals(List.of(), labels(session));
        put("{'sets':[{'home':6,'away':4},{'home':2,'away':1}],'home':{'score':1}}");
        String point =
                ok(act(
                                "{'action':'score','team':'away','at_ms':"
                                        + (api.now.toEpochMilli() - 20_000)
                                        + "}"))
                        .get("change_id")
                        .textValue();

        assertEquals(
                List.of("Lee 1:0 Kim (6:4, 2:1, 0:15)", "Lee 1:0 Kim (6:4, 2:1)"), labels(session));
        JsonNode markers = ok(api.get("/live/v1/sessions/" + session + "/markers"));
        assertEquals(40.0, markers.at("/0/time").doubleValue());
        assertEquals("score", markers.at("/0/kind").textValue());

        ok(act("{'action':'undo','change_id':'" + point + "'}"));
        assertEquals(List.of("Lee 1:0 Kim (6:4, 2:1)"), labels(session));
    }

    @Test
    void markers_ofSetsAndOfPlainScores_haveTheirOwnWords() {
        SessionId session = live();
        api.live.positionsUs.put(session, 60_000_000L);
        put("{'sport':'volleyball'}");
        ok(act("{'action':'score','team':'away'}"));
        put("{'sport':'basketball'}");
        ok(act("{'action':'score','team':'home','points':3}"));
        put("{'sport':'football'}");
        ok(act("{'action':'score','team':'home','scorer':'9 Keller'}"));

        assertEquals(
                List.of("Home 0:0 Away (0:1)", "Home 3:0 Away", "Home 1:0 Away, 9 Keller"),
                labels(session));
    }

    @Test
    void newMatch_byNulls_isTheStart() {
        put("{'sport':'handball','home':{'name':'Hill'}}");
        JsonNode start = board();
        ok(act("{'action':'period','number':2}"));
        ok(act("{'action':'score','team':'home'}"));
        ok(act("{'action':'count','team':'home','counter':'timeouts'}"));
        ok(act("{'action':'penalty','team':'home','length_ms':120000}"));

        put(
                "{'home':{'score':null,'counters':null},'away':{'score':null,'counters':null},"
                        + "'clock':null,'period':null,'period_number':null,'sets':null,'serving':null,"
                        + "'penalties':null}");

        for (String name :
                List.of("home", "away", "penalties", "period", "period_number", "sets")) {
            assertEquals(start.get(name), board().get(name), name);
        }
        assertEquals(0, board().at("/clock/elapsed_ms").intValue());
        assertEquals(1_800_000, board().at("/clock/period_ms").intValue());
    }
}
