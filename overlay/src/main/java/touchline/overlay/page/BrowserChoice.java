package touchline.overlay.page;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import touchline.config.OverlayConfig;

/** Selects the browser of this host and the user it runs as. Any thread. */
final class BrowserChoice {
    private static final String INSTALL =
            "html scoreboards need Chromium: apt-get install -y chromium-headless-shell (or"
                    + " chromium), or set overlay.chromium";

    /** Flags of a browser for overlay pages, added to those of every browser. */
    private static final List<String> FLAGS =
            List.of(
                    // Each page has its own proxy; requests of no page have none and fail.
                    "--proxy-server=http://127.0.0.1:1",
                    "--proxy-bypass-list=<-loopback>",
                    // Addresses of proxies; no name ends with a number.
                    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.*.*.1",
                    // Each of the two builds obeys a different flag.
                    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
                    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
                    // No page reaches a graphics driver, nor its replacement in software.
                    "--disable-3d-apis",
                    "--disable-software-rasterizer",
                    "--deny-permission-prompts",
                    "--autoplay-policy=no-user-gesture-required",
                    "--js-flags=--max-old-space-size=256");

    private final OverlayConfig config;

    BrowserChoice(OverlayConfig config) {
        this.config = config;
    }

    /** The binary, if one is installed. */
    Optional<Path> binary() {
        if (config.chromium().isPresent()) {
            return named(config.chromium().get());
        }
        return Stream.of(BrowserLaunch.Kind.values())
                .map(BrowserLaunch.Kind::installed)
                .flatMap(Optional::stream)
                .findFirst()
                .or(() -> named("chromium-headless-shell"))
                .or(() -> named("chromium"));
    }

    /**
     * The command that starts it, in its sandbox.
     *
     * @throws DevToolsException it cannot be started; the message is for the operator
     */
    BrowserLaunch launch() throws InterruptedException {
        Path binary =
                binary().orElseThrow(
                                () ->
                                        new DevToolsException(
                                                config.chromium()
                                                                .map(
                                                                        name ->
                                                                                name
                                                                                        + " is no"
                                                                                        + " program."
                                                                                        + " ")
                                                                .orElse("")
                                                        + INSTALL));
        BrowserLaunch launch =
                BrowserLaunch.of(binary).withLowPriority().with(FLAGS.toArray(String[]::new));
        if (!BrowserUser.needed()) {
            return launch;
        }
        Optional<BrowserUser> user = BrowserUser.find(config.runAs());
        if (user.isPresent()) {
            return launch.as(user.get());
        }
        if (config.allowNoSandbox()) {
            return launch.withoutSandbox();
        }
        throw new DevToolsException(
                "the server runs as root, and there is no user "
                        + config.runAs()
                        + " to run Chromium as: set overlay.run-as, or run the server as another"
                        + " user");
    }

    /**
     * A path, or a name on PATH. A Debian wrapper in /usr/bin is replaced by the binary it starts.
     */
    private static Optional<Path> named(String name) {
        Optional<Path> found =
                name.contains("/")
                        ? Optional.of(Path.of(name)).filter(Files::isExecutable)
                        : onPath(name);
        return found.map(
                path -> {
                    Path real = Path.of("/usr/lib/chromium").resolve(path.getFileName());
                    boolean wrapper = path.startsWith("/usr/bin") && Files.isExecutable(real);
                    return wrapper ? real : path;
                });
    }

    private static Optional<Path> onPath(String name) {
        String path = System.getenv().getOrDefault("PATH", "");
        return Stream.of(path.split(":", -1))
                .map(folder -> Path.of(folder.isEmpty() ? "." : folder, name))
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                .findFirst();
    }
}
