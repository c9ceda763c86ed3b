package touchline.overlay.page;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import touchline.media.worker.EmptyNetwork;
import touchline.overlay.relay.NamespaceRelay;

/**
 * How a browser is started: headless, with its own profile, controlled over a pipe. So no port is
 * open to pages or other users. Immutable, any thread.
 *
 * @param binary the browser itself; Debian's wrapper in {@code /usr/bin} would add flags
 * @param sandboxed whether pages run in the browser's sandbox; without it only trusted pages may be
 *     opened. Chromium refuses to start as root with a sandbox
 * @param lowPriority whether the browser has a lower CPU priority than the video encoder
 * @param user the user it runs as, which requires a server that runs as root; empty for the
 *     server's own
 * @param flags added to the flags of every start
 * @param network the browser has no network but a relay to the proxies of its pages; empty for the
 *     server's network
 */
public record BrowserLaunch(
        Path binary,
        boolean sandboxed,
        boolean lowPriority,
        Optional<BrowserUser> user,
        List<String> flags,
        Optional<EmptyNetwork> network) {
    /** The two builds of Chromium. The first suffices for frames and needs half the memory. */
    public enum Kind {
        HEADLESS_SHELL,
        CHROMIUM;

        /** The installed binary, if there is one. */
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
     * The DevTools pipe uses descriptors 3 and 4, which a JVM cannot pass on: the shell duplicates
     * its own input and output. The browser's output goes to the error stream. When memory runs
     * out, the kernel kills the browser before the server (proc(5), oom_score_adj).
     */
    private static final String PIPE_TO_3_AND_4 =
            "echo 500 >/proc/self/oom_score_adj 2>/dev/null;"
                    + " exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null 1>&2";

    /** The only variables that the browser inherits from the server; none holds a secret. */
    private static final List<String> INHERITED =
            List.of("PATH", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH", "FONTCONFIG_PATH");

    /** Chromium obeys only the last list of a command line. */
    private static final String WITHOUT_FEATURES =
            "--disable-features=Translate,MediaRouter,OptimizationHints";

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
                    WITHOUT_FEATURES,
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
                /* lowPriority= */ false,
                /* user= */ Optional.empty(),
                /* flags= */ List.of(),
                /* network= */ Optional.empty());
    }

    /**
     * For trusted pages that play video, which may start by itself. There is no audio device and no
     * process for audio: when that process ends, each page that plays stands still for good.
     *
     * @throws IOException Chromium is not installed
     */
    public static BrowserLaunch ofPlayers() throws IOException {
        Path binary =
                Kind.CHROMIUM
                        .installed()
                        .orElseThrow(() -> new IOException("chromium is not installed"));
        return of(binary)
                .withoutSandbox()
                .with(
                        "--autoplay-policy=no-user-gesture-required",
                        "--disable-audio-output",
                        WITHOUT_FEATURES + ",AudioServiceOutOfProcess");
    }

    /** For trusted pages only. */
    public BrowserLaunch withoutSandbox() {
        return new BrowserLaunch(binary, /* sandboxed= */ false, lowPriority, user, flags, network);
    }

    public BrowserLaunch as(BrowserUser other) {
        return new BrowserLaunch(
                binary, sandboxed, lowPriority, Optional.of(other), flags, network);
    }

    BrowserLaunch withLowPriority() {
        return new BrowserLaunch(binary, sandboxed, /* lowPriority= */ true, user, flags, network);
    }

    public BrowserLaunch with(String... more) {
        List<String> all = new ArrayList<>(flags);
        all.addAll(List.of(more));
        return new BrowserLaunch(binary, sandboxed, lowPriority, user, all, network);
    }

    BrowserLaunch without(List<String> some) {
        List<String> fewer = new ArrayList<>(flags);
        fewer.removeAll(some);
        return new BrowserLaunch(binary, sandboxed, lowPriority, user, fewer, network);
    }

    BrowserLaunch in(EmptyNetwork other) {
        return new BrowserLaunch(binary, sandboxed, lowPriority, user, flags, Optional.of(other));
    }

    /** The networks of its own that this host may have, the best first. */
    List<EmptyNetwork> networks(boolean isRoot) {
        if (!NamespaceRelay.available()) {
            return List.of();
        }
        if (!isRoot) {
            return List.of(EmptyNetwork.AS_USER);
        }
        // A user namespace of root would be one in which the browser still is root.
        return user.isPresent()
                ? List.of(EmptyNetwork.AS_ROOT, EmptyNetwork.AS_USER)
                : List.of(EmptyNetwork.AS_ROOT);
    }

    /** Whether this is the build with half the memory and begin-frame control. */
    boolean isHeadlessShell() {
        return String.valueOf(binary.getFileName()).contains("headless-shell");
    }

    /**
     * Starts the process: its input and output are the DevTools pipe.
     *
     * @param folder the browser's own: its profile, home and temporary files
     */
    Process start(Path folder) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command(folder, BrowserUser.needed()));
        builder.directory(folder.toFile());
        Map<String, String> environment = builder.environment();
        environment.keySet().retainAll(INHERITED);
        environment.put("HOME", folder.toString());
        environment.put("TMPDIR", folder.toString());
        // There is no D-Bus; without this the browser searches for one.
        environment.put("DBUS_SESSION_BUS_ADDRESS", "disabled:");
        return builder.start();
    }

    /** Where the browser's process passes its listening socket, if it has a network of its own. */
    static Path relaySocket(Path folder) {
        return folder.resolve("relay");
    }

    /** The programs before the browser execute each other: one process becomes the browser. */
    List<String> command(Path folder, boolean isRoot) {
        List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", PIPE_TO_3_AND_4));
        if (lowPriority) {
            command.addAll(List.of("nice", "-n", "5"));
        }
        Path relay = relaySocket(folder);
        network.filter(EmptyNetwork.AS_ROOT::equals)
                .ifPresent(each -> command.addAll(each.before(relay)));
        if (user.isPresent()) {
            command.addAll(user.get().command(setuidSandbox().isEmpty()));
        } else if (lowPriority && isRoot) {
            command.addAll(BrowserUser.rootWithoutPriority());
        }
        network.filter(EmptyNetwork.AS_USER::equals)
                .ifPresent(each -> command.addAll(each.before(relay)));
        command.add(binary.toString());
        command.addAll(ALWAYS);
        command.add("--user-data-dir=" + folder.resolve("profile"));
        // The headless shell does not know this flag.
        if (!isHeadlessShell()) {
            command.add("--headless=new");
        }
        if (!sandboxed) {
            command.add("--no-sandbox");
        }
        command.addAll(flags);
        return command;
    }

    /** Chromium's sandbox helper for hosts without user namespaces, if installed. */
    Optional<Path> setuidSandbox() {
        return Optional.ofNullable(binary.getParent())
                .map(folder -> folder.resolve("chrome-sandbox"))
                .filter(Files::isExecutable);
    }
}
