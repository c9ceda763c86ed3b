package touchline.overlay.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import touchline.config.OverlayConfig;
import touchline.overlay.page.BrowserLaunch.Kind;

/** User and sandbox of the browser. */
class SandboxIT {
    @TempDir private Path dataFolder;

    private static OverlayConfig config(String user, boolean allowNoSandbox) {
        return new OverlayConfig(
                Kind.HEADLESS_SHELL.installed().map(Path::toString),
                allowNoSandbox,
                user,
                0,
                TestRenderer.LIMITS);
    }

    @Test
    void browser_runsSandboxed_andAsRootAsAnotherUser_withoutTheServersEnvironment()
            throws Exception {
        try (PageSite site = new PageSite().page("/", "<p>x");
                ChromiumRenderer renderer = TestRenderer.of(Kind.HEADLESS_SHELL)) {
            PageWitness witness = new PageWitness();
            try (RenderedPage _ = renderer.open(TestRenderer.request(site.url("/")), witness)) {
                witness.awaitEvent("loaded", 1);
                ProcessHandle browser = renderer.browserProcess().orElseThrow();
                List<Path> renderers = processes(browser, "--type=renderer");

                assertFalse(renderers.isEmpty());
                for (Path process : renderers) {
                    assertEquals("2", status(process, "Seccomp"), "a filter, seccomp(2)");
                    assertEquals("1", status(process, "NoNewPrivs"));
                }
                if (BrowserUser.needed()) {
                    for (Path process : processes(browser, "")) {
                        assertFalse(status(process, "Uid").startsWith("0"), process::toString);
                    }
                    Path first = Path.of("/proc/" + browser.pid());
                    assertEquals("0000000000000000", status(first, "CapEff"));
                    assertEquals("0000000000000000", status(first, "CapBnd"));
                    assertEquals("", status(first, "Groups"));
                }
                assertOwnNetwork(renderer.browser().orElseThrow(), browser);
                String environment =
                        Files.readString(Path.of("/proc/" + browser.pid() + "/environ"));
                assertFalse(environment.contains("JAVA"), environment);
            }
        }
    }

    private static void assertOwnNetwork(BrowserFacts facts, ProcessHandle browser)
            throws Exception {
        assertEquals(TakenOverBrowserIT.networksPermitted(), facts.ownNetwork());
        Path ofServer = Files.readSymbolicLink(Path.of("/proc/self/ns/net"));
        Path ofBrowser = Files.readSymbolicLink(Path.of("/proc/" + browser.pid(), "ns/net"));
        assertEquals(facts.ownNetwork(), !ofBrowser.equals(ofServer));
    }

    @ParameterizedTest
    @EnumSource
    void page_has_noGraphicsDriver(Kind kind) throws Exception {
        BrowserLaunch launch =
                new BrowserChoice(TestRenderer.config(kind, TestRenderer.LIMITS)).launch();
        try (Browser browser = Browser.start(launch);
                BrowserPage page = browser.openPage()) {
            for (String context : List.of("webgl", "webgl2")) {
                assertTrue(
                        page.evaluate(
                                        "document.createElement('canvas').getContext('%s') === null"
                                                .formatted(context))
                                .asBoolean(),
                        context);
            }
            assertTrue(
                    page.evaluate("document.createElement('canvas').getContext('2d') !== null")
                            .asBoolean());
        }
    }

    @Test
    void dataFolder_cannotBeReadByTheBrowsersUser() throws Exception {
        if (!BrowserUser.needed()) {
            return; // One user only: the browser's sandbox protects files from pages.
        }
        Path secret = dataFolder.resolve("data/admin-secret");
        Files.createDirectories(
                secret.getParent(),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.writeString(secret, "secret");
        BrowserUser user = BrowserUser.find("nobody").orElseThrow();
        List<String> command = user.command(/* permanently= */ true);
        Process cat =
                new ProcessBuilder(
                                Stream.concat(command.stream(), Stream.of("cat", secret.toString()))
                                        .toList())
                        .redirectErrorStream(true)
                        .start();
        String events = new String(cat.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(1, cat.waitFor(), events);
        assertTrue(events.contains("Permission denied"), events);
    }

    @Test
    void hostWithoutASandbox_isRefused_inWordsForItsOperator() throws Exception {
        Path browser =
                Files.writeString(
                        dataFolder.resolve("browser"),
                        "#!/bin/sh\necho 'No usable sandbox! If this is Debian' >&2; exit 1\n");
        assertTrue(browser.toFile().setExecutable(true));

        var refused =
                assertThrows(
                        DevToolsException.class,
                        () ->
                                RunningBrowser.start(
                                        BrowserLaunch.of(browser), /* allowNoSandbox= */ false));
        assertTrue(refused.toString().contains("overlay.allow-no-sandbox"), refused::toString);
    }

    @Test
    void probe_returnsTheBrowsersFacts() throws Exception {
        BrowserFacts facts = ChromiumRenderer.probe(config("nobody", true));

        assertTrue(facts.version().contains("Chrome"), facts::toString);
        assertTrue(facts.beginFrames(), facts::toString);
        assertEquals(BrowserUser.needed() ? Optional.of("nobody") : Optional.empty(), facts.user());
    }

    @Test
    void root_withoutAUserToBecome_isRefused_unlessAllowed() throws Exception {
        if (BrowserUser.needed()) {
            var refused =
                    assertThrows(
                            DevToolsException.class,
                            () -> ChromiumRenderer.probe(config("no-such-user", false)));
            assertTrue(refused.toString().contains("overlay.run-as"), refused::toString);
        }
        BrowserFacts facts = ChromiumRenderer.probe(config("no-such-user", true));
        assertEquals(!BrowserUser.needed(), facts.sandboxed());
    }

    private static List<Path> processes(ProcessHandle browser, String argument) throws IOException {
        return Stream.concat(Stream.of(browser), browser.descendants())
                .map(each -> Path.of("/proc/" + each.pid()))
                .filter(each -> read(each.resolve("cmdline")).contains(argument))
                .filter(each -> !read(each.resolve("status")).isEmpty())
                .toList();
    }

    private static String status(Path process, String name) {
        return read(process.resolve("status"))
                .lines()
                .filter(line -> line.startsWith(name + ":"))
                .findFirst()
                .orElse(":")
                .replaceFirst("[^:]*:\\s*", "");
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException _) {
            return ""; // It has ended meanwhile.
        }
    }
}
