package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Signing keys in the console: make one, sign a link in the page, watch the stream, delete it. */
class SigningConsoleIT {
    private static final Duration SOON = Duration.ofMinutes(3);

    @TempDir private Path folder;

    @Test
    void operator_makesAKey_signsALink_watches_andDeletesTheKey() throws Exception {
        try (SignedStream live = SignedStream.start(folder);
                TestBrowser browser = TestBrowser.start()) {
            browser.signIn(live.server);
            record(browser);
            browser.evaluate("location.hash = '#/keys/" + live.signed + "'");
            browser.await("document.querySelector('#make-key')", SOON);
            browser.evaluate("document.querySelector('#make-key').click()");
            browser.await("document.querySelector('textarea[name=private_key]').value", SOON);
            String privateKey =
                    browser.evaluate("document.querySelector('textarea[name=private_key]').value")
                            .asText();

            browser.evaluate("document.querySelector('#sign-link').requestSubmit()");
            browser.await("document.querySelector('#signed-link output')", SOON);
            String link =
                    browser.evaluate("document.querySelector('#signed-link output').textContent")
                            .asText();
            assertTrue(link.contains(live.signed + ".m3u8?token=ey"), link);
            assertEquals(200, live.status(URI.create(link)));
            browser.evaluate("document.querySelector('#signed-link > button').click()");
            browser.await("document.querySelector('video').currentTime > 1", SOON);
            browser.save("signing-keys.png");
            assertNothingSent(browser, privateKey);

            browser.click("td button.danger");
            // The newest key, which has signed the link.
            browser.click("dialog[open] button[value=yes]");
            TestServer.await(
                    "the link is refused", SOON, () -> live.status(URI.create(link)) == 403);
            browser.assertNoPolicyReports();
        }
    }

    @Test
    void textThatIsNoKey_isSaidSo() throws Exception {
        try (TestServer server = TestServer.start(folder);
                TestBrowser browser = TestBrowser.start()) {
            browser.signIn(server);
            browser.evaluate("location.hash = '#/keys'");
            browser.await("document.querySelector('#sign-link')", SOON);
            for (String name : List.of("playback_id", "key_id", "private_key")) {
                browser.evaluate(
                        "document.querySelector('#sign-link [name=" + name + "]').value = 'x'");
            }
            browser.evaluate("document.querySelector('#sign-link').requestSubmit()");
            browser.await(
                    "document.querySelector('#sign-link .field-error').textContent.includes('private key')",
                    SOON);
            assertFalse(
                    browser.evaluate("Boolean(document.querySelector('#signed-link output'))")
                            .asBoolean());
        }
    }

    /** Keeps what the page sends from now on, by whatever way hls.js and the console have. */
    private static void record(TestBrowser browser) throws Exception {
        browser.evaluate(
                """
                (() => {
                  window.sent = [];
                  const fetched = window.fetch;
                  window.fetch = (address, options = {}) => {
                    window.sent.push(String(address) + JSON.stringify(options));
                    return fetched(address, options);
                  };
                  const opened = XMLHttpRequest.prototype.open;
                  XMLHttpRequest.prototype.open = function (method, address, ...more) {
                    window.sent.push(String(address));
                    return opened.call(this, method, address, ...more);
                  };
                })()""");
    }

    private static void assertNothingSent(TestBrowser browser, String privateKey) throws Exception {
        String sent = browser.evaluate("window.sent.join('\\n')").asText();
        assertTrue(sent.contains("/live/v1/signing-keys"), sent);
        assertTrue(sent.contains(".m3u8?token="), sent);
        assertFalse(sent.contains(privateKey.substring(200, 240)));
        String kept =
                browser.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
                        .asText();
        assertFalse(kept.contains(privateKey.substring(200, 240)));
    }
}
