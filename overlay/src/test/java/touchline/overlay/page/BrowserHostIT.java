package touchline.overlay.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import touchline.config.OverlayConfig;

/** A browser that starts and never answers: its start takes 30 s until it fails. */
class BrowserHostIT {
    /** Far below the time that the start takes, far above what a call needs. */
    private static final Duration SOON = Duration.ofMinutes(3);

    @TempDir private Path folder;
    private Path started;
    private OverlayConfig config;

    @BeforeEach
    void hungBrowser() throws Exception {
        started = folder.resolve("started");
        assertEquals(0, new ProcessBuilder("mkfifo", started.toString()).start().waitFor());
        Path browser =
                Files.createFile(
                        folder.resolve("chromium"),
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rwx------")));
        Files.writeString(browser, "#!/bin/sh\necho > '%s'\nexec sleep 600\n".formatted(started));
        config =
                new OverlayConfig(
                        Optional.of(browser.toString()),
                        /* allowNoSandbox= */ true,
                        "no-such-user",
                        /* maxCompositors= */ 0,
                        TestRenderer.LIMITS);
    }

    private void awaitStart() throws IOException {
        assertEquals("\n", Files.readString(started));
    }

    @Test
    @Timeout(480)
    void browserThatHangsAtItsStart_delaysNeitherOpeningNorReportsNorClosing() throws Exception {
        ChromiumRenderer renderer = new ChromiumRenderer(config, TestRenderer.rules(), Map.of());
        PageRequest request = TestRenderer.request("http://127.0.0.1:1/");
        RenderedPage first = renderer.open(request, new PageWitness());
        awaitStart();

        assertTimeoutPreemptively(
                SOON,
                () -> {
                    assertEquals(Optional.empty(), renderer.unavailable());
                    RenderedPage second = renderer.open(request, new PageWitness());
                    second.reload();
                    second.close();
                    first.close();
                    renderer.close();
                });
    }

    @Test
    @Timeout(480)
    @SuppressWarnings("try") // The explicit close is what is tested.
    void browserThatHangsAtItsStart_isNotWaitedForByTheWatch() throws Exception {
        try (BrowserHost host = new BrowserHost(new BrowserChoice(config), true)) {
            Thread page =
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        try {
                                            host.acquire();
                                        } catch (InterruptedException | DevToolsException _) {
                                            // Closed while it started.
                                        }
                                    });
            awaitStart();

            assertTimeoutPreemptively(
                    SOON,
                    () -> {
                        host.endIfIdle();
                        assertEquals(Optional.empty(), host.running());
                        assertEquals(Optional.empty(), host.problem());
                        host.close();
                        page.join();
                    });
        }
    }
}
