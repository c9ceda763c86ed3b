package touchline.overlay.page;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which browser is started, and how: headless, on a profile of its own, spoken to over a pipe, so
 * that no port is open which a page or another user could try. Immutable, any thread.
 *
 * @param binary the browser itself; Debian's wrapper in {@code /usr/bin} would add flags
 * @param sandboxed whether pages run in the browser's sandbox; without it only own pages may be
 *     opened. Chromium refuses to start as root with it
 * @param polite whether it gives way where processors are short: to the encoding of video
 * @param user whom it runs as, which takes a server that runs as root; empty for the server's own
 * @param flags added to those that every start has
 */
public record BrowserLaunch(
        Path binary,
        boolean sandboxed,
        boolean polite,
        Optional<BrowserUser> user,
        List<String> flags) {
    /** The two builds of Chromium; what needs frames only takes the first, at half the memory. */
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
     * own input and output there. What the browser prints goes to the error stream. Where memory
     * ends, the kernel takes the browser before the server (proc(5), oom_score_adj).
     */
    private static final String PIPE_TO_3_AND_4 =
            "echo 500 >/proc/self/oom_score_adj 2>/dev/null;"
                    + " exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null 1>&2";

    /** All of the server's environment that the browser is given: nothing in it is a secret. */
    private static final List<String> INHERITED =
            List.of("PATH", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH", "FONTCONFIG_PATH");

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
        return new BrowserLaunch(
                binary,
                /* sandboxed= */ true,
                /* polite= */ false,
                Optional.empty(),
                /* flags= */ List.of());
    }

    /** For pages that come with this program only. */
    public BrowserLaunch withoutSandbox() {
        return new BrowserLaunch(binary, /* sandboxed= */ false, polite, user, flags);
    }

    public BrowserLaunch as(BrowserUser other) {
        return new BrowserLaunch(binary, sandboxed, polite, Optional.of(other), flags);
    }

    BrowserLaunch politely() {
        return new BrowserLaunch(binary, sandboxed, /* polite= */ true, user, flags);
    }

    public BrowserLaunch with(String... more) {
        List<String> all = new ArrayList<>(flags);
        all.addAll(List.of(more));
        return new BrowserLaunch(binary, sandboxed, polite, user, all);
    }

    /** Whether it is the build that needs half the memory and knows begin-frame control. */
    boolean isHeadlessShell() {
        return String.valueOf(binary.getFileName()).contains("headless-shell");
    }

    /**
     * Starts the process: its input and output are the DevTools pipe.
     *
     * @param folder the browser's own: its profile, home and temporary files
     */
    Process start(Path folder) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command(folder.resolve("profile")));
        builder.directory(folder.toFile());
        Map<String, String> environment = builder.environment();
        environment.keySet().retainAll(INHERITED);
        environment.put("HOME", folder.toString());
        environment.put("TMPDIR", folder.toString());
        // There is none to speak to; without this it looks for one.
        environment.put("DBUS_SESSION_BUS_ADDRESS", "disabled:");
        return builder.start();
    }

    List<String> command(Path profile) {
        List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", PIPE_TO_3_AND_4));
        if (polite) {
            command.addAll(List.of("nice", "-n", "5"));
        }
        user.ifPresent(each -> command.addAll(each.command(setuidSandbox().isEmpty())));
        command.add(binary.toString());
        command.addAll(ALWAYS);
        command.add("--user-data-dir=" + profile);
        // The shell is headless by nature and does not know the flag.
        if (!isHeadlessShell()) {
            command.add("--headless=new");
        }
        if (!sandboxed) {
            command.add("--no-sandbox");
        }
        command.addAll(flags);
        return command;
    }

    /** Chromium's helper for hosts without user namespaces, where it is installed. */
    Optional<Path> setuidSandbox() {
        return Optional.ofNullable(binary.getParent())
                .map(folder -> folder.resolve("chrome-sandbox"))
                .filter(Files::isExecutable);
    }
}
