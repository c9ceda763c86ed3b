package touchline.overlay.page;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import touchline.overlay.relay.NamespaceRelay;

/**
 * One headless browser process with its own profile. {@link #close} ends every process of it and
 * removes the profile. Any thread; a page belongs to its opener.
 */
public final class Browser implements AutoCloseable {
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

    /** A process that was killed ends as soon as it gets a processor, however busy the host is. */
    private static final Duration KILL_TIMEOUT = Duration.ofSeconds(5);

    private static final Duration POLL = Duration.ofMillis(5);

    private final Process process;
    private final BrowserFolder folder;
    private final Optional<NamespaceRelay> relay;
    private final BrowserErrors errors;
    private final DevToolsPipe pipe;

    private Browser(Process process, BrowserFolder folder, Optional<NamespaceRelay> relay) {
        this.process = process;
        this.folder = folder;
        this.relay = relay;
        this.errors = BrowserErrors.open(process.getErrorStream());
        this.pipe = DevToolsPipe.open(process.getInputStream(), process.getOutputStream());
    }

    /**
     * Starts the process and waits for its first answer; the caller closes the browser.
     *
     * @throws NetworkRefusedException the host refuses the network of the launch; the message has
     *     the reason
     * @throws DevToolsException the browser ended at once or does not answer; the message has its
     *     last output
     */
    public static Browser start(BrowserLaunch launch) throws IOException, InterruptedException {
        Browser browser = open(launch);
        try {
            if (browser.relay.isPresent()) {
                browser.relay.get().awaitListener(browser.process());
            }
            browser.version();
            return browser;
        } catch (IOException e) {
            browser.close();
            throw new NetworkRefusedException(
                    e.getMessage() + "; its output: " + browser.errors.afterEnd(), e);
        } catch (DevToolsException e) {
            browser.close();
            throw new DevToolsException(
                    e.getMessage() + "; its output: " + browser.errors.afterEnd(), e);
        } catch (InterruptedException e) {
            browser.close();
            throw e;
        }
    }

    private static Browser open(BrowserLaunch launch) throws IOException {
        BrowserFolder folder = BrowserFolder.open(launch.user().isEmpty());
        Optional<NamespaceRelay> relay = Optional.empty();
        try {
            if (launch.network().isPresent()) {
                // While the folder is the server's: its next owner could put a link in place.
                relay = Optional.of(relay(folder));
            }
            if (launch.user().isPresent()) {
                launch.user().get().makeOwner(folder.path());
            }
            return new Browser(launch.start(folder.path()), folder, relay);
        } catch (IOException e) {
            relay.ifPresent(NamespaceRelay::close);
            folder.close();
            throw e;
        }
    }

    private static NamespaceRelay relay(BrowserFolder folder) throws NetworkRefusedException {
        try {
            return NamespaceRelay.open(BrowserLaunch.relaySocket(folder.path()));
        } catch (IOException e) {
            throw new NetworkRefusedException("no relay", e);
        }
    }

    /** A blank page; the caller navigates it. */
    public BrowserPage openPage() throws InterruptedException {
        JsonNode target = call("", "Target.createTarget", Map.of("url", "about:blank"));
        String targetId = target.path("targetId").asText();
        JsonNode attached =
                call("", "Target.attachToTarget", Map.of("targetId", targetId, "flatten", true));
        return BrowserPage.open(this, targetId, attached.path("sessionId").asText());
    }

    /** Product name and version, from the browser. */
    public String version() throws InterruptedException {
        return call("", "Browser.getVersion", Map.of()).path("product").asText();
    }

    /** The root of the browser's process tree. */
    public ProcessHandle process() {
        return process.toHandle();
    }

    /**
     * Lets pages reach a proxy until {@link #withdraw}.
     *
     * @param port of the proxy, on 127.0.0.1 of the server
     * @param connections limit of connections at a time
     * @return the proxy's address for this browser
     */
    String admit(int port, int connections) {
        return "http://"
                + relay.map(each -> each.admit(port, connections)).orElse("127.0.0.1:" + port);
    }

    void withdraw(int port) {
        relay.ifPresent(each -> each.withdraw(port));
    }

    JsonNode call(String session, String method, Map<String, ?> parameters)
            throws InterruptedException {
        return pipe.call(session, method, parameters, CALL_TIMEOUT);
    }

    JsonNode call(String method, Map<String, ?> parameters, Duration atMost)
            throws InterruptedException {
        return pipe.call("", method, parameters, atMost);
    }

    /** Kills every process at once; {@link #close} must still be called. */
    void kill() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    DevToolsPipe pipe() {
        return pipe;
    }

    /**
     * Requests the browser to end with its children; kills the remaining processes after two
     * seconds.
     */
    @Override
    public void close() throws IOException {
        Set<ProcessHandle> tree = new LinkedHashSet<>(processes());
        try {
            pipe.call("", "Browser.close", Map.of(), CLOSE_TIMEOUT);
            // It has agreed to end, but ends only when its pipe is closed.
            process.getOutputStream().close();
            process.waitFor(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (DevToolsException _) {
            // It ended while answering, or hangs: both are handled below.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        tree.addAll(processes());
        tree.forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        awaitEnd(tree);
        relay.ifPresent(NamespaceRelay::close);
        folder.close();
    }

    /** Those that name the folder too: the parent of the crash handler has ended. */
    private List<ProcessHandle> processes() {
        try (Stream<ProcessHandle> below = process.descendants();
                Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
            return Stream.concat(
                            Stream.concat(below, Stream.of(process.toHandle())),
                            all.filter(this::namesFolder))
                    .toList();
        }
    }

    private boolean namesFolder(ProcessHandle other) {
        if (other.equals(ProcessHandle.current())) {
            return false;
        }
        try {
            return Files.readString(Path.of("/proc/" + other.pid() + "/cmdline"), ISO_8859_1)
                    .contains(folder.path() + "/");
        } catch (IOException _) {
            return false; // The process is gone, or another user's.
        }
    }

    private static void awaitEnd(Set<ProcessHandle> tree) {
        long deadlineNs = System.nanoTime() + KILL_TIMEOUT.toNanos();
        try {
            while (tree.stream().anyMatch(Browser::runs) && System.nanoTime() < deadlineNs) {
                Thread.sleep(POLL);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** A zombie does not count as running (proc(5)): it holds no resources until it is reaped. */
    private static boolean runs(ProcessHandle process) {
        try {
            String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
            return process.isAlive() && stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
        } catch (IOException _) {
            return false; // The process is gone.
        }
    }
}
