package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.domain.Scope;

/** Access tokens in the console, and the API reference at {@code /docs}. */
class AccessConsoleIT {
    private static final Duration SOON = Duration.ofMinutes(3);

    @TempDir private static Path folder;

    private static TestServer server;
    private static TestBrowser browser;

    @BeforeAll
    static void start() throws Exception {
        server = TestServer.start(folder);
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
    void operator_createsAToken_seesItsUse_andRevokesIt() throws Exception {
        browser.signIn(server, server.mint("operator", "live:read", "system"));
        openTokens();
        assertEquals("This session", browser.text("tbody .badge.mine"));
        browser.click("#create-token");
        browser.await("document.activeElement === document.querySelector('[name=name]')", SOON);
        assertEquals(
                Arrays.stream(Scope.values()).map(Scope::wireName).collect(Collectors.joining(",")),
                browser.evaluate(
                                "[...document.querySelectorAll('[name=scopes]')].map(b => b.value).join()")
                        .asText());

        browser.fill("#new-token [name=name]", "scoreboard");
        submit();
        browser.await("document.activeElement === document.querySelector('[name=scopes]')", SOON);
        browser.click("[value='live:write']");
        submit();
        browser.await(
                "document.querySelector('#new-token').innerText.includes('lacks the scope live:write')",
                SOON);
        browser.save("create-token.png");
        browser.click("[value='live:write']");
        browser.click("[value='live:read']");
        browser.evaluate("document.querySelector('[name=expires]').selectedIndex = 2");
        submit();
        browser.await("document.querySelector('.fresh output')", SOON);
        assertFalse(browser.text(".fresh output").contains("tok_"), "hidden until asked for");
        browser.click(".fresh [aria-pressed]");
        String made = browser.text(".fresh output");
        assertTrue(made.matches("tok_\\w+\\.\\w+"), "shown");
        browser.save("tokens.png");

        assertEquals("Never", cell("scoreboard", 5));
        assertFalse(cell("scoreboard", 4).equals("Never"), "expires in 30 days");
        assertEquals(200, status(made));
        browser.await(
                "document.querySelector(\"[aria-label='Revoke scoreboard']\").closest('tr')"
                        + ".cells[4].textContent !== 'Never'",
                SOON);

        browser.click("[aria-label='Revoke scoreboard']");
        browser.click("dialog[open] button[value=yes]");
        browser.await("!document.querySelector(\"[aria-label='Revoke scoreboard']\")", SOON);
        assertEquals(401, status(made));
        browser.assertNoPolicyReports();
    }

    @Test
    void operator_revokesTheOwnToken_isSignedOut() throws Exception {
        browser.signIn(server, server.mint("own", "system"));
        openTokens();

        browser.click("[aria-label='Revoke own']");
        browser.await("document.querySelector('dialog').innerText.includes('signs you out')", SOON);
        browser.click("dialog[open] button[value=yes]");

        browser.await("document.querySelector('#token')", SOON);
    }

    @Test
    void tokens_withoutTheScope_areNotListed() throws Exception {
        browser.signIn(server, server.mint("viewer", "live:read"));
        browser.evaluate("location.hash = '#/tokens'");

        browser.awaitMissing("system");
    }

    @Test
    void reference_withoutAToken_showsOperationsAndSchemas() throws Exception {
        browser.open(server.api("/docs#/Live%20streams/createLiveStream").toString());

        browser.await("document.querySelectorAll('.opblock').length > 60", SOON);
        browser.await(
                "document.querySelector('#operations-Live_streams-createLiveStream.is-open"
                        + " .model-example, #operations-Live_streams-createLiveStream.is-open"
                        + " .highlight-code')",
                SOON);
        browser.save("reference-operation.png");
        browser.evaluate(
                "[...document.querySelectorAll('.tablinks')].find(t => t.textContent === 'Schema').click()");
        browser.await(
                "document.querySelector('.is-open .model-box, .is-open .json-schema-2020-12')"
                        + "?.innerText.includes('reconnect_window')",
                SOON);
        browser.save("reference-schema.png");

        browser.open("about:blank");
        browser.open(server.api("/docs#/System/live").toString());
        browser.click(".opblock.is-open .try-out__btn");
        browser.click(".opblock.is-open .execute");
        browser.await(
                "document.querySelector('.live-responses-table tbody .response-col_status')"
                        + "?.innerText.startsWith('200')",
                SOON);

        List<String> foreign =
                Arrays.stream(
                                browser.evaluate(
                                                "performance.getEntriesByType('resource')"
                                                        + ".map(e => e.name).join('\\n')")
                                        .asText()
                                        .split("\n"))
                        .filter(name -> !name.startsWith(server.api("/").toString()))
                        .filter(name -> !name.startsWith("data:"))
                        .toList();
        assertEquals(List.of(), foreign, "nothing comes from another host");
        browser.assertNoPolicyReports();
    }

    @Test
    void reference_hasAStricterPolicyThanTheConsole() {
        HttpResponse<String> page = server.get(server.api("/docs"));
        String policy = page.headers().firstValue("Content-Security-Policy").orElseThrow();

        assertEquals(200, page.statusCode());
        assertTrue(policy.startsWith("default-src 'none'; script-src 'self'; style-src 'self'"));
        assertFalse(policy.contains("unsafe"), policy);
        assertTrue(server.get(server.api("/")).body().contains("href=\"/docs\""), "linked");
    }

    private static void openTokens() throws Exception {
        browser.evaluate("location.hash = '#/tokens'");
        browser.await("document.querySelector('tbody .badge.mine')", SOON);
    }

    private static void submit() throws Exception {
        browser.evaluate("document.querySelector('#new-token').requestSubmit()");
    }

    /** A cell of the row of a token, from 1. */
    private static String cell(String name, int number) throws Exception {
        return browser.evaluate(
                        "document.querySelector(\"[aria-label='Revoke "
                                + name
                                + "']\").closest('tr').cells["
                                + (number - 1)
                                + "].textContent")
                .asText();
    }

    /** Of a call with the token. */
    private static int status(String token) throws Exception {
        URI streams = server.api("/live/v1/live-streams");
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(streams)
                                    .header("Authorization", "Bearer " + token)
                                    .build(),
                            HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        }
    }
}
