package touchline.overlay.page;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * One headless browser process with a profile of its own, which {@link #close} removes together
 * with every process of it. Any thread; the pages belong to who opened them.
 */
public final class Browser implements AutoCloseable {
    private static final Duration CALL = Duration.ofSeconds(30);
    private static final Duration GRACE = Duration.ofSeconds(2);
    private static final Duration POLL = Duration.ofMillis(5);

    private final Process process;
    private final BrowserFolder folder;
    private final BrowserErrors errors;
    private final DevToolsPipe pipe;

    private Browser(Process process, BrowserFolder folder) {
        this.process = process;
        this.folder = folder;
        this.errors = BrowserErrors.open(process.getErrorStream());
        this.pipe = DevToolsPipe.open(process.getInputStream(), process.getOutputStream());
    }

    /**
     * Starts the process and waits for its first answer; the caller closes it.
     *
     * @throws DevToolsException it ended at once or does not answer; the message holds its last
     *     lines
     */
    public static Browser start(BrowserLaunch launch) throws IOException, InterruptedException {
        BrowserFolder folder = BrowserFolder.open();
        Process process;
        try {
            if (launch.user().isPresent()) {
                launch.user().get().own(folder.path());
            }
            process = launch.start(folder.path());
        } catch (IOException e) {
            folder.close();
            throw e;
        }
        Browser browser = new Browser(process, folder);
        try {
            browser.version();
            return browser;
        } catch (DevToolsException e) {
            browser.close();
            throw new DevToolsException(
                    e.getMessage() + "; it said: " + browser.errors.afterEnd(), e);
        } catch (InterruptedException e) {
            browser.close();
            throw e;
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

    /** As the browser names itself, with its version. */
    public String version() throws InterruptedException {
        return call("", "Browser.getVersion", Map.of()).path("product").asText();
    }

    /** The first process of the browser's tree: for accounting. */
    public ProcessHandle process() {
        return process.toHandle();
    }

    JsonNode call(String session, String method, Map<String, ?> parameters)
            throws InterruptedException {
        return pipe.call(session, method, parameters, CALL);
    }

    JsonNode call(String method, Map<String, ?> parameters, Duration atMost)
            throws InterruptedException {
        return pipe.call("", method, parameters, atMost);
    }

    /** Ends every process at once, whatever it is doing; {@link #close} is still to be called. */
    void kill() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    DevToolsPipe pipe() {
        return pipe;
    }

    /**
     * Asks the browser to end, so that it takes its children along, and kills what is left after
     * two seconds.
     */
    @Override
    public void close() throws IOException {
        List<ProcessHandle> tree =
                Stream.concat(process.descendants(), Stream.of(process.toHandle())).toList();
        try {
            pipe.call("", "Browser.close", Map.of(), GRACE);
            // It has said goodbye, but ends only with its pipe.
            process.getOutputStream().close();
            process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (DevToolsException _) {
            // It ended while answering, or hangs: both end below.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        Stream.concat(process.descendants(), tree.stream())
                .toList()
                .forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        awaitEnd(tree);
        folder.close();
    }

    private static void awaitEnd(List<ProcessHandle> tree) {
        long deadlineNs = System.nanoTime() + GRACE.toNanos();
        try {
            while (tree.stream().anyMatch(Browser::runs) && System.nanoTime() < deadlineNs) {
                Thread.sleep(POLL);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Not so a zombie (proc(5)): it holds nothing, and lasts until somebody reaps it. */
    private static boolean runs(ProcessHandle process) {
        try {
            String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
            return process.isAlive() && stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
        } catch (IOException _) {
            return false; // It is gone.
        }
    }
}
