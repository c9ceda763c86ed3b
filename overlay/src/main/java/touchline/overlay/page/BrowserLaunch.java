package touchline.overlay.page;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which browser is started, and how: headless, on a profile of its own, spoken to over a pipe, so
 * that no port is open which a page or another user could try. Immutable, any thread.
 *
 * @param binary the browser itself; Debian's wrapper in {@code /usr/bin} would add flags
 * @param sandboxed whether pages run in the browser's sandbox; without it only own pages may be
 *     opened. Chromium refuses to start as root with it
 * @param flags added to those that every start has
 */
public record BrowserLaunch(Path binary, boolean sandboxed, List<String> flags) {
    /** The two builds of Chromium; what needs pictures only takes the first, at half the memory. */
    public enum Kind {
        HEADLESS_SHELL,
        CHROMIUM;

        /** The browser of this machine, if there is one. */
        public Optional<Path> installed() {
            List<String> places =
                    switch (this) {
                        case HEADLESS_SHELL ->
                                List.of(
                                        "/usr/lib/chromium/chromium-headless-shell",
                                        "/usr/bin/chromium-headless-shell");
                        case CHROMIUM ->
                                List.of(
                                        "/usr/lib/chromium/chromium",
                                        "/usr/lib/chromium-browser/chromium-browser",
                                        "/usr/bin/chromium",
                                        "/usr/bin/chromium-browser");
                    };
            return places.stream().map(Path::of).filter(Files::isExecutable).findFirst();
        }
    }

    /**
     * The DevTools pipe is descriptors 3 and 4, which a JVM cannot hand over: the shell puts its
     * own input and output there. What the browser prints goes to the error stream.
     */
    private static final String PIPE_TO_3_AND_4 = "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null 1>&2";

    private static final List<String> ALWAYS =
            List.of(
                    "--remote-debugging-pipe",
                    "--disable-gpu",
                    "--ozone-platform=headless",
                    "--hide-scrollbars",
                    "--mute-audio",
                    "--no-first-run",
                    "--no-default-browser-check",
                    "--disable-background-networking",
                    "--disable-breakpad",
                    "--disable-component-update",
                    "--disable-default-apps",
                    "--disable-extensions",
                    "--disable-quic",
                    "--disable-sync",
                    "--disable-features=Translate,MediaRouter,OptimizationHints",
                    "--password-store=basic",
                    "--force-color-profile=srgb",
                    "--disable-background-timer-throttling",
                    "--disable-backgrounding-occluded-windows",
                    "--disable-renderer-backgrounding");

    public BrowserLaunch {
        flags = List.copyOf(flags);
    }

    /** Sandboxed, without flags of its own. */
    public static BrowserLaunch of(Path binary) {
        return new BrowserLaunch(binary, /* sandboxed= */ true, List.of());
    }

    /** For pages that come with this program only. */
    public BrowserLaunch withoutSandbox() {
        return new BrowserLaunch(binary, /* sandboxed= */ false, flags);
    }

    public BrowserLaunch with(String... more) {
        List<String> all = new ArrayList<>(flags);
        all.addAll(List.of(more));
        return new BrowserLaunch(binary, sandboxed, all);
    }

    /** Starts the process: its input and output are the DevTools pipe. */
    Process start(Path profile, Path errors) throws IOException {
        return new ProcessBuilder(command(profile)).redirectError(errors.toFile()).start();
    }

    List<String> command(Path profile) {
        List<String> command =
                new ArrayList<>(List.of("/bin/sh", "-c", PIPE_TO_3_AND_4, binary.toString()));
        command.addAll(ALWAYS);
        command.add("--user-data-dir=" + profile);
        // The shell is headless by nature and does not know the flag.
        if (!binary.getFileName().toString().contains("headless-shell")) {
            command.add("--headless=new");
        }
        if (!sandboxed) {
            command.add("--no-sandbox");
        }
        command.addAll(flags);
        return command;
    }
}
