package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.app.ColouredPush.Rectangle;

/**
 * The moderation pages in a real browser: timeline, evidence, simulator, settings, and the queue.
 */
class ModerationConsoleIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final Rectangle NUDE = new Rectangle(64, 48, 240, 160);
    private static final Rectangle WEAPON = new Rectangle(400, 200, 160, 120);
    private static final String RECORDS_PATH = "/audit/v1/records/moderation-records";

    /** Reviewed by keys. */
    private static final int RECORDS = 40;

    private static final String SHOWN =
            "Number(document.querySelector('.review-frame')?.dataset.record)";
    private static final String FRAME =
            "document.querySelector('.review-frame img')?.naturalWidth === 640";
    private static final String IS_WARNED = "!document.querySelector('.notice[role=alert]').hidden";

    @TempDir private static Path folder;

    private static TestServer server;
    private static TestBrowser browser;

    @BeforeAll
    static void start() throws Exception {
        server = ModeratedServer.start(folder);
        browser = TestBrowser.start();
    }

    @AfterAll
    static void stop() throws Exception {
        browser.close();
        server.close();
    }

    @BeforeEach
    void signOut() throws Exception {
        browser.signOut(server);
    }

    @Test
    void operator_looksAtEvidence_reviewsIt_triesThresholds_andChangesSettings() throws Exception {
        ModeratedStream stream =
                ModeratedStream.create(
                        server,
                        """
                        "title": "Cup final", "audit_settings":
                          {"frame_interval": 1, "models": {"nude": 0.5, "weapon": 0.5}}
                        """);
        browser.signIn(server);
        browser.await("document.querySelector('.badge.idle')", SOON);
        browser.evaluate("location.hash = '#/moderation'");
        browser.await("document.querySelector('.demo-notice')", SOON);
        browser.save("moderation-models.png");

        try (Encoder encoder =
                new ColouredPush()
                        .with(ColouredPush.MAGENTA, NUDE, 2.5, 6.5)
                        .with(ColouredPush.CYAN, WEAPON, 4.5, 8.5)
                        .start(stream.push())) {
            browser.evaluate("location.hash = '#/moderation/" + stream.id + "'");
            browser.await("document.querySelectorAll('.frame.reject').length >= 6", SOON);
            browser.await("document.querySelectorAll('.frame.pass').length >= 4", SOON);
            lookAndReview(browser, stream);
            simulate(browser);
            changeSettings(browser, stream);
            assertTrue(encoder.isRunning(), encoder::output);
        }
        browser.assertNoPolicyReports();
    }

    /** Two streams at once, four frames a second each: the queue grows while it is reviewed. */
    @Test
    void recordsOfAllStreams_areReviewedByKeys_oneAfterTheOther() throws Exception {
        ModeratedStream first = moderated("Semi-final court 1");
        ModeratedStream second = moderated("Semi-final court 2");
        browser.signIn(server);
        try (Encoder one = painted(first);
                Encoder two = painted(second)) {
            TestServer.await("enough records", SOON, () -> open().size() >= RECORDS);
            browser.evaluate("location.hash = '#/review'");
            browser.await("document.querySelector('.review-frame')", SOON);
            search("no such stream");
            browser.await(
                    "document.querySelector('.review-frame').textContent.startsWith('Nothing to')",
                    SOON);
            search("semi-FINAL");
            browser.await(
                    FRAME
                            + " && document.querySelector('.review-facts').textContent.includes('Semi-final')",
                    SOON);
            stayWhileOthersArrive();
            List<Long> reviewed = reviewByKeys();
            undoAndSkip(reviewed.getLast());
            losesToAnother();
            disableByTwoPresses(first, second);
            assertTrue(two.isRunning() || one.isRunning(), two::output);
        }
        browser.assertNoPolicyReports();
    }

    private static void search(String text) throws Exception {
        browser.fill("[name=search]", text);
        browser.evaluate(
                "document.querySelector('[name=search]').dispatchEvent(new Event('input'))");
    }

    private static ModeratedStream moderated(String title) throws Exception {
        return ModeratedStream.create(
                server,
                """
                "title": "%s", "reconnect_window": 0, "audit_settings":
                  {"frame_interval": 1, "samples": 4, "models": {"nude": 0.5, "weapon": 0.5}}
                """
                        .formatted(title));
    }

    private static Encoder painted(ModeratedStream stream) throws Exception {
        return new ColouredPush()
                .with(ColouredPush.MAGENTA, NUDE, 0, 600)
                .with(ColouredPush.CYAN, WEAPON, 0, 600)
                .start(stream.push());
    }

    /** The first hundred ids of the queue. */
    private static List<Long> open() {
        return listed("review=open&order=oldest").stream()
                .map(each -> each.get("id").asLong())
                .toList();
    }

    private static List<JsonNode> listed(String query) {
        try {
            List<JsonNode> found = new ArrayList<>();
            server.call("GET", RECORDS_PATH + "?search=semi-final&limit=100&" + query, "", 200)
                    .path("data")
                    .forEach(found::add);
            return found;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static void awaitShown(long id) throws Exception {
        browser.await(SHOWN + " === " + id + " && " + FRAME, SOON);
    }

    private static long shown() throws Exception {
        return browser.evaluate(SHOWN).asLong();
    }

    private static void press(String key) throws Exception {
        browser.evaluate(keyDown(key) + "null");
    }

    private static String keyDown(String key) {
        return "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '"
                + key
                + "', bubbles: true, cancelable: true}));";
    }

    private static void stayWhileOthersArrive() throws Exception {
        long id = shown();
        String open =
                "Number(/(\\d+) open/.exec(document.querySelector('#review-count').textContent)[1])";
        browser.evaluate("window.before = " + open);
        browser.await(open + " > window.before + 4", SOON);
        assertEquals(id, shown());
        assertEquals(
                2, browser.evaluate("document.querySelectorAll('.frame .box').length").asInt());
        browser.viewport(1440, 900);
        browser.save("review-1440.png");
        assertEquals(List.of(), browser.findings());
        browser.viewport(390, 844);
        browser.save("review-390.png");
        assertEquals(List.of(), browser.findings());
        browser.viewport(1280, 860);
    }

    /** Each is decided when its frame is there: passed and rejected in turns. */
    private static List<Long> reviewByKeys() throws Exception {
        List<Long> decided = new ArrayList<>();
        while (decided.size() < RECORDS) {
            long before = decided.isEmpty() ? 0 : decided.getLast();
            browser.await(SHOWN + " !== " + before + " && " + FRAME, SOON);
            decided.add(shown());
            press(decided.size() % 2 == 0 ? "a" : "R");
        }
        TestServer.await("all decisions", SOON, () -> listed("review=reviewed").size() == RECORDS);
        Map<Long, Integer> statuses = new HashMap<>();
        listed("review=reviewed")
                .forEach(
                        each ->
                                statuses.put(
                                        each.get("id").asLong(),
                                        each.get("detect_status").asInt()));
        for (int i = 0; i < RECORDS; i++) {
            assertEquals(i % 2 == 0 ? 3 : 1, statuses.get(decided.get(i)), "decision " + i);
        }
        return decided;
    }

    private static void undoAndSkip(long last) throws Exception {
        press("z");
        awaitShown(last);
        TestServer.await("the record is open again", SOON, () -> open().contains(last));
        press("s");
        browser.await(SHOWN + " !== " + last + " && " + FRAME, SOON);
        assertTrue(open().contains(last));
    }

    /** Another person decides the record that is shown. */
    private static void losesToAnother() throws Exception {
        long id = shown();
        server.call("PUT", "/audit/v1/records/" + id + "/review", "{\"decision\": \"pass\"}", 200);
        press("r");
        browser.await(
                "/another person has decided|already reviewed: pass by admin/.test(document.querySelector('#toasts').textContent)",
                SOON);
        browser.await(SHOWN + " !== " + id + " && " + FRAME, SOON);
        assertEquals(
                1,
                listed("review=reviewed").stream()
                        .filter(each -> each.get("id").asLong() == id)
                        .findFirst()
                        .orElseThrow()
                        .get("detect_status")
                        .asInt());
    }

    private static void disableByTwoPresses(ModeratedStream first, ModeratedStream second)
            throws Exception {
        long id = shown();
        assertTrue(browser.evaluate(keyDown("d") + IS_WARNED).asBoolean());
        assertEquals(0, disabled(first, second));
        // Both without a pause: the first press may have been too long ago.
        browser.evaluate("if (!(" + IS_WARNED + ")) {" + keyDown("d") + "}" + keyDown("d"));
        TestServer.await("one stream is disabled", SOON, () -> disabled(first, second) == 1);
        press("z");
        TestServer.await("it is enabled again", SOON, () -> disabled(first, second) == 0);
        awaitShown(id);
    }

    private static int disabled(ModeratedStream... streams) {
        int count = 0;
        for (ModeratedStream each : streams) {
            String status =
                    each.call("/live/v1/live-streams/" + each.id).at("/data/status").asText();
            count += status.equals("disable") ? 1 : 0;
        }
        return count;
    }

    private static void lookAndReview(TestBrowser browser, ModeratedStream stream)
            throws Exception {
        long both =
                stream.records().stream()
                        .filter(r -> r.alert("nude").isObject() && r.alert("weapon").isObject())
                        .findFirst()
                        .orElseThrow()
                        .record()
                        .get("id")
                        .longValue();
        browser.evaluate(
                "document.querySelector('.frame[data-record=\""
                        + both
                        + "\"]').dispatchEvent(new MouseEvent('click', {bubbles: true}))");
        browser.await("document.querySelector('.frame img')?.naturalWidth === 640", SOON);
        assertEquals(
                2, browser.evaluate("document.querySelectorAll('.frame .box').length").asInt());
        browser.colourScheme("dark");
        browser.save("moderation-evidence.png");
        assertEquals(List.of(), browser.findings());

        browser.fill("input[name=note]", "a poster");
        browser.evaluate("document.querySelector('#review-pass').click()");
        browser.await(
                "document.querySelector('.review p')?.textContent.startsWith('Reviewed')", SOON);
        browser.await(
                "[...document.querySelectorAll('#records td')].some(t => t.textContent === 'a person')",
                SOON);
        browser.save("moderation-reviewed.png");
        var reviewed =
                stream.records().stream()
                        .filter(r -> r.record().get("id").longValue() == both)
                        .findFirst()
                        .orElseThrow();
        assertEquals(1, reviewed.status());
        assertEquals("a poster", reviewed.record().get("review_note").textValue());
    }

    private static void simulate(TestBrowser browser) throws Exception {
        slide(browser, 0.5);
        browser.await(level("reject") + " >= 6", SOON);
        slide(browser, 1);
        browser.await(level("reject") + " === 0 && " + level("pass") + " >= 10", SOON);
        browser.save("moderation-simulated.png");
    }

    private static void slide(TestBrowser browser, double threshold) throws Exception {
        for (String type : List.of("nude", "weapon")) {
            browser.fill("#simulate-" + type, String.valueOf(threshold));
            browser.evaluate(
                    "document.querySelector('#simulate-"
                            + type
                            + "').dispatchEvent(new Event('input'))");
        }
    }

    private static String level(String name) {
        return "Number(document.querySelector('#simulation [data-level="
                + name
                + "]')?.textContent)";
    }

    private static void changeSettings(TestBrowser browser, ModeratedStream stream)
            throws Exception {
        browser.fill("#audit-settings input[name=frame_interval]", "2");
        browser.fill("#audit-settings input[name=nude]", "0.75");
        browser.evaluate("document.querySelector('#audit-settings').requestSubmit()");
        TestServer.await(
                "stored settings",
                SOON,
                () ->
                        stream.call("/live/v1/live-streams/" + stream.id)
                                        .at("/data/audit_settings/models/nude")
                                        .asDouble()
                                == 0.75);
        browser.click("#stop-audit");
        TestServer.await(
                "moderation is stopped",
                SOON,
                () -> stream.session().get("moderation").asText().equals("stopped"));
        browser.await("document.querySelector('#stop-audit').hidden", SOON);
        browser.colourScheme("light");
        browser.save("moderation-stopped.png");
    }
}
