package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.http.ScoreCases;

/** The page of a score link on a phone of 360 pixels, whose network comes and goes. */
class ScoreLinkPageIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Controls that a thumb would miss. */
    private static final String SMALL =
            """
            [...document.querySelectorAll('button, select, summary, input:not([type=checkbox])')]
              .filter((each) => each.offsetParent && (each.offsetHeight < 48 || each.offsetWidth < 48))
              .map((each) => each.outerHTML)""";

    @TempDir private static Path folder;

    private static TestServer server;
    private static TestBrowser browser;

    private String stream;
    private String path;
    private JsonNode link;

    @BeforeAll
    static void start() throws Exception {
        server = TestServer.start(folder);
        browser = TestBrowser.start();
        browser.viewport(360, 740);
    }

    @AfterAll
    static void stop() throws Exception {
        browser.close();
        server.close();
    }

    @BeforeEach
    void openLink() throws Exception {
        stream = server.createStream("{}").path("id").asText();
        path = "/live/v1/live-streams/" + stream;
        link =
                server.call(
                                "POST",
                                path + "/score-links",
                                "{\"name\":\"Scorer at the touchline\",\"expires_in\":3600}",
                                200)
                        .get("data");
        show();
    }

    @AfterEach
    void leave() throws Exception {
        browser.offline(false);
        browser.open("about:blank");
    }

    private void show() throws Exception {
        browser.open("about:blank");
        browser.open(link.get("url").textValue());
        browser.await("document.querySelector('#state').textContent === 'Connected'", SOON);
    }

    private JsonNode board() throws Exception {
        return server.call("GET", path + "/scoreboard", "", 200).at("/data/scoreboard");
    }

    private static void tap(String side, int step) throws Exception {
        browser.click("[data-side=%s][data-step='%d']".formatted(side, step));
    }

    private static void awaitState(String text) throws Exception {
        browser.await("document.querySelector('#state').textContent === '" + text + "'", SOON);
    }

    private static String shown(String side) throws Exception {
        return browser.evaluate(
                        "document.querySelector('[data-side=%s]').closest('.team')".formatted(side)
                                + ".querySelector('.value').textContent")
                .asText();
    }

    @Test
    void page_ofEachSport_fits_hasLargeControls_andNoFindings() throws Exception {
        List<String> findings = new ArrayList<>();
        for (String sport :
                List.of(
                        "football",
                        "basketball",
                        "handball",
                        "volleyball",
                        "tennis",
                        "ice_hockey",
                        "generic")) {
            server.call("PUT", path + "/scoreboard", "{\"sport\":\"" + sport + "\"}", 200);
            browser.await("document.querySelector('main').dataset.sport === '" + sport + "'", SOON);
            browser.findings().forEach(each -> findings.add(sport + ": " + each));
            browser.evaluate(SMALL).forEach(each -> findings.add(sport + " small: " + each));
            browser.save("score-360-" + sport + ".png");
        }
        browser.evaluate("document.querySelector('details').open = true");
        browser.await("document.querySelector('[name=sport]').length === 7", SOON);
        browser.findings().forEach(each -> findings.add("settings: " + each));
        browser.evaluate(SMALL).forEach(each -> findings.add("settings small: " + each));
        browser.evaluate("document.querySelector('details').scrollIntoView(); null");
        browser.save("score-360-settings.png");

        assertEquals("", String.join("\n", findings));
        browser.assertNoPolicyReports();
        assertEquals(
                "[]",
                browser.evaluate(
                                "performance.getEntriesByType('resource').map((e) => e.name)"
                                        + ".filter((e) => !e.startsWith(location.origin))")
                        .toString());
    }

    /** The page shows a change before the server has it: both must make the same of it. */
    @Test
    void rulesOfThePage_andOfTheServer_areTheSame() throws Exception {
        List<ScoreCases.Case> cases = ScoreCases.all();
        ArrayNode given = JSON.createArrayNode();
        for (ScoreCases.Case match : cases) {
            ObjectNode each = given.addObject();
            each.set("start", match.start());
            each.set("rules", match.rules());
            match.actions().forEach(each.putArray("actions")::add);
        }

        JsonNode ends =
                browser.evaluate(
                        "import('/score/score-rules.js').then(({ apply }) => "
                                + given
                                + ".map(({ start, rules, actions }) => actions.reduce("
                                + "(board, action) => apply(board, rules, action, action.at_ms),"
                                + " start)))");

        for (int i = 0; i < cases.size(); i++) {
            assertEquals(
                    JSON.readTree(cases.get(i).end().toString()), ends.get(i), cases.get(i).name());
        }
    }

    @Test
    void changes_withoutNetwork_wait_surviveAReload_andArriveOnceInTheirOrder() throws Exception {
        tap("home", 1);
        awaitState("Connected");
        browser.offline(true);
        tap("home", 1);
        tap("home", 1);
        tap("away", 1);
        browser.click("#clock");
        tap("away", 1);
        // The last one was not sent: it leaves the queue.
        browser.click("#undo");
        awaitState("No connection: 4 changes waiting");
        assertEquals("3", shown("home"));
        assertEquals("1", shown("away"));
        assertEquals("Undo: Start clock", browser.text("#undo"));
        browser.save("score-360-offline.png");
        assertEquals(1, board().at("/home/score").intValue());

        // The browser throws the page away before the network is back.
        browser.open("about:blank");
        browser.offline(false);
        show();
        browser.await("document.querySelector('#undo').textContent === 'Undo: Start clock'", SOON);

        JsonNode board = board();
        assertEquals(3, board.at("/home/score").intValue());
        assertEquals(1, board.at("/away/score").intValue());
        assertTrue(board.at("/clock/running").booleanValue());
        assertEquals(5, board.get("revision").intValue());
        browser.click("#undo");
        browser.await("document.querySelector('#clock').textContent === 'Start clock'", SOON);
        TestServer.await("the undo", SOON, () -> !running());
    }

    private boolean running() {
        try {
            return board().at("/clock/running").booleanValue();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** The server has the change, and the phone does not know. */
    @Test
    void change_whoseAnswerIsLost_isSentAgain_andCountsOnce() throws Exception {
        browser.evaluate(
                """
                window.lost = 0;
                const real = window.fetch;
                window.fetch = async (path, options) => {
                  const reply = await real(path, options);
                  if (options?.method === 'POST' && window.lost < 4) {
                    window.lost += 1;
                    throw new TypeError('the answer is lost');
                  }
                  return reply;
                };
                null""");
        tap("home", 1);
        tap("home", 1);
        tap("away", 1);
        browser.await("window.lost === 4", SOON);
        awaitState("Connected");

        assertEquals(2, board().at("/home/score").intValue());
        assertEquals(1, board().at("/away/score").intValue());
        assertEquals("2", shown("home"));
        assertEquals(3, board().get("revision").intValue());
    }

    @Test
    void change_thatTheSportNoLongerHas_isNamed_andTheOthersGoOn() throws Exception {
        browser.offline(true);
        browser.click("[aria-label='+ Red cards, home']");
        tap("away", 1);
        awaitState("No connection: 2 changes waiting");
        server.call("PUT", path + "/scoreboard", "{\"sport\":\"handball\"}", 200);
        browser.offline(false);

        browser.await(
                "document.querySelector('#problem').textContent.includes('Not taken: +1 Red cards')",
                SOON);
        awaitState("Connected");
        assertEquals(1, board().at("/away/score").intValue());
    }

    @Test
    void link_deletedOrExpired_saysSo() throws Exception {
        String id = link.get("id").textValue();
        server.call("DELETE", path + "/score-links/" + id, "", 200);
        browser.await("document.querySelector('.end')", SOON);
        String text = browser.text("main");
        assertTrue(text.contains("This link was deleted"), text);
        assertFalse(
                browser.evaluate("document.querySelector('#footer').hidden === false").asBoolean());
        browser.save("score-360-deleted.png");

        // The same refusal, and the page knows that its time is over.
        browser.evaluate(
                "localStorage.setItem('touchline.score.%s.offset', '%d')"
                        .formatted(id, Duration.ofHours(2).toMillis()));
        browser.open("about:blank");
        browser.open(link.get("url").textValue());
        browser.await("document.querySelector('.end')", SOON);
        assertTrue(browser.text("main").contains("This link expired on"), browser.text("main"));
    }
}
