package touchline.overlay.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import touchline.overlay.page.BrowserLaunch.Kind;

/** Real browsers of both kinds with pages of the test. */
class BrowserIT {
    private static final Duration SOON = Duration.ofMinutes(3);

    private static BrowserLaunch launch(Kind kind) {
        return BrowserLaunch.of(kind.installed().orElseThrow()).withoutSandbox();
    }

    @ParameterizedTest
    @EnumSource
    void page_isNavigatedEvaluatedAndFramed(Kind kind) throws Exception {
        try (Browser browser = Browser.start(launch(kind));
                BrowserPage page = browser.openPage()) {
            page.viewport(320, 200);
            page.navigate("data:text/html,<title>scores</title><p>2:1</p>");
            page.await("document.title === 'scores'", SOON);

            assertEquals("2:1", page.evaluate("document.body.innerText").asText());
            assertEquals(320, page.evaluate("innerWidth").asInt());
            assertEquals(5, page.evaluate("new Promise(done => done(5))").asInt());
            page.colourScheme("dark");
            assertTrue(
                    page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
                            .asBoolean());
            byte[] frame = page.screenshot();
            assertEquals("PNG", new String(frame, 1, 3, UTF_8));
        }
    }

    @ParameterizedTest
    @EnumSource
    void close_leavesNoProcessAndNoFolder(Kind kind) throws Exception {
        List<ProcessHandle> tree;
        Path profile;
        try (Browser browser = Browser.start(launch(kind));
                BrowserPage page = browser.openPage()) {
            assertEquals(2, page.evaluate("1 + 1").asInt());
            profile = profileOf(browser.process());
            tree =
                    Stream.concat(Stream.of(browser.process()), browser.process().descendants())
                            .toList();
            assertTrue(tree.size() > 2, "a page has processes of its own: " + tree);
        }
        // A zombie has no command line any more.
        assertEquals(
                List.of(),
                tree.stream().map(BrowserIT::commandLine).filter(each -> !each.isBlank()).toList());
        assertEquals(List.of(), processesNaming(profile));
        assertFalse(Files.exists(profile.getParent()));
    }

    @Test
    void expressionThatThrows_andConsoleErrors_areReported() throws Exception {
        try (Browser browser = Browser.start(launch(Kind.CHROMIUM));
                BrowserPage page = browser.openPage()) {
            var thrown =
                    assertThrows(
                            DevToolsException.class,
                            () -> page.evaluate("(() => { throw new Error('own goal') })()"));
            assertTrue(thrown.toString().contains("own goal"), thrown::toString);

            page.navigate(
                    "data:text/html,<script>document.title='run';throw new"
                            + " Error('offside')</script>");
            page.await("document.title === 'run'", SOON);
            assertTrue(page.problems().toString().contains("offside"), page.problems()::toString);
            var late =
                    assertThrows(
                            DevToolsException.class,
                            () -> page.await("false", Duration.ofMillis(1)));
            assertTrue(late.toString().contains("offside"), late::toString);
        }
    }

    @Test
    void browserOfPlayers_playsAudioWithoutAProcessForIt() throws Exception {
        try (Browser browser = Browser.start(BrowserLaunch.ofPlayers());
                BrowserPage page = browser.openPage()) {
            page.navigate("data:text/html,<script>var audio = new AudioContext()</script>");
            page.await("audio.currentTime > 0.1", SOON);

            List<String> all = browser.process().descendants().map(BrowserIT::commandLine).toList();
            assertTrue(all.stream().anyMatch(each -> each.contains("--utility-sub-type=")));
            assertFalse(all.stream().anyMatch(each -> each.contains("-type=audio")), all::toString);
        }
    }

    @Test
    void browserThatIsKilled_isSaidToHaveEnded() throws Exception {
        try (Browser browser = Browser.start(launch(Kind.HEADLESS_SHELL))) {
            BrowserPage page = browser.openPage();
            browser.process().destroyForcibly();
            assertEquals("the browser has ended", browser.pipe().ended().get(20, TimeUnit.SECONDS));
            assertThrows(DevToolsException.class, () -> page.evaluate("1"));
        }
    }

    @Test
    void binaryThatIsNoBrowser_failsWithWhatItSaid() {
        BrowserLaunch launch = BrowserLaunch.of(Path.of("/bin/ls"));
        var thrown = assertThrows(DevToolsException.class, () -> Browser.start(launch));
        assertTrue(thrown.toString().contains("its output: "), thrown::toString);
        assertTrue(thrown.toString().contains("ls: "), thrown::toString);
    }

    private static Path profileOf(ProcessHandle browser) throws IOException {
        String command = commandLine(browser);
        String flag = "--user-data-dir=";
        int start = command.indexOf(flag) + flag.length();
        return Path.of(command.substring(start, command.indexOf(' ', start)));
    }

    private static List<ProcessHandle> processesNaming(Path profile) {
        try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
            return all.filter(each -> commandLine(each).contains(profile.toString())).toList();
        }
    }

    private static String commandLine(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"))
                    .replace('\0', ' ');
        } catch (IOException _) {
            return ""; // It has ended meanwhile.
        }
    }
}
