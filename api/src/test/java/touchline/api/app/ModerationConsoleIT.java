package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.app.ColouredPush.Rectangle;

/** The moderation page in a real browser: timeline, evidence, review, simulator, settings. */
class ModerationConsoleIT {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Rectangle NUDE = new Rectangle(64, 48, 240, 160);
    private static final Rectangle WEAPON = new Rectangle(400, 200, 160, 120);

    @TempDir private Path folder;

    @Test
    void operator_looksAtEvidence_reviewsIt_triesThresholds_andChangesSettings() throws Exception {
        try (TestServer server = ModeratedServer.start(folder);
                TestBrowser browser = TestBrowser.start()) {
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
