package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.egress.RawReceiver;

/** Events in the console: they come by themselves; an endpoint is added, tested and sent again. */
class EventsConsoleIT {
    private static final Duration SOON = Duration.ofMinutes(3);

    @TempDir private Path folder;

    private final RawReceiver receiver = new RawReceiver(RawReceiver.status(200));

    @AfterEach
    void close() {
        receiver.close();
    }

    @Test
    void operator_watchesEvents_addsAnEndpoint_andSendsAgain() throws Exception {
        try (TestServer server =
                        TestServer.start(folder, Map.of("TOUCHLINE_EGRESS_ALLOW", "127.0.0.0/8"));
                TestBrowser browser = TestBrowser.start()) {
            server.createStream("{\"title\": \"before\"}");
            browser.signIn(server);
            browser.evaluate("location.hash = '#/events'");
            browser.await("document.querySelectorAll('#events li').length === 1", SOON);
            browser.await("document.querySelector('#feed-state').textContent === 'Live'", SOON);

            String stream = server.createStream("{}").path("id").asText();
            browser.await("document.querySelectorAll('#events li').length === 2", SOON);
            assertTrue(
                    browser.evaluate("document.querySelector('#events li').textContent")
                            .asText()
                            .contains(stream));

            browser.fill("#new-webhook [name=url]", receiver.url("/hook").toString());
            browser.evaluate("document.querySelector('#new-webhook').requestSubmit()");
            browser.await("document.querySelector('#webhooks li a')", SOON);
            browser.save("events.png");
            browser.evaluate("location.hash = document.querySelector('#webhooks li a').hash");
            browser.await("document.querySelector('#deliveries')", SOON);
            browser.press("Send a test");
            browser.await("document.querySelector('#deliveries .badge.succeeded')", SOON);
            browser.evaluate("document.querySelector('#deliveries details').open = true");
            browser.evaluate("document.querySelector('#deliveries .actions button').click()");
            browser.await("document.querySelectorAll('#deliveries .attempt').length === 2", SOON);
            browser.save("webhook.png");
            assertEquals(2, receiver.requests().size());
            assertEquals(
                    receiver.requests().getFirst().body(), receiver.requests().getLast().body());

            browser.press("Disable");
            browser.await(
                    "document.querySelector('.head .badge').textContent === 'disabled'", SOON);
            browser.assertNoPolicyReports();
        }
    }
}
