package touchline.api.browser;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * One headless Chromium with one page. Owned by the test's thread; {@link #close} ends the process
 * and removes its profile.
 */
public final class Chromium implements AutoCloseable {
    private static final List<String> BINARIES =
            List.of("/usr/bin/chromium", "/usr/bin/chromium-browser");
    private static final Duration CALL = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(50);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Process process;
    private final Path profile;
    private final Messages messages;
    private final String page;

    private Chromium(Process process, Path profile, Messages messages) throws Exception {
        this.process = process;
        this.profile = profile;
        this.messages = messages;
        JsonNode target = messages.call("", "Target.createTarget", Map.of("url", "about:blank"));
        this.page =
                messages.call(
                                "",
                                "Target.attachToTarget",
                                Map.of(
                                        "targetId",
                                        target.path("targetId").asText(),
                                        "flatten",
                                        true))
                        .path("sessionId")
                        .asText();
        messages.call(page, "Page.enable", Map.of());
        messages.call(page, "Runtime.enable", Map.of());
        messages.call(page, "Log.enable", Map.of());
    }

    /** The browser of this machine, if there is one. */
    public static Optional<Path> binary() {
        return BINARIES.stream().map(Path::of).filter(Files::isExecutable).findFirst();
    }

    public static Chromium start() throws Exception {
        Path profile = Files.createTempDirectory("touchline-chromium");
        List<String> command =
                new ArrayList<>(
                        List.of(
                                binary().orElseThrow().toString(),
                                "--headless=new",
                                "--remote-debugging-port=0",
                                "--user-data-dir=" + profile,
                                "--no-sandbox",
                                "--disable-gpu",
                                "--disable-quic",
                                "--no-first-run",
                                "--disable-background-networking",
                                "--disable-component-update",
                                "--disable-sync",
                                "--window-size=1280,860",
                                "--autoplay-policy=no-user-gesture-required",
                                "about:blank"));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String address = devToolsAddress(process);
        Messages messages = new Messages();
        HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(URI.create(address), messages)
                .get(CALL.toSeconds(), TimeUnit.SECONDS);
        return new Chromium(process, profile, messages);
    }

    public void open(String address) throws Exception {
        messages.call(page, "Page.navigate", Map.of("url", address));
    }

    /** The value of a JavaScript expression; promises are awaited; an exception fails the test. */
    public JsonNode evaluate(String expression) throws Exception {
        JsonNode reply =
                messages.call(
                        page,
                        "Runtime.evaluate",
                        Map.of(
                                "expression",
                                expression,
                                "returnByValue",
                                true,
                                "awaitPromise",
                                true,
                                "userGesture",
                                true));
        if (reply.has("exceptionDetails")) {
            throw new AssertionError(expression + " threw " + reply.path("exceptionDetails"));
        }
        return reply.path("result").path("value");
    }

    /** Waits until an expression is truthy. */
    public void await(String expression, Duration atMost) throws Exception {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (!evaluate("Boolean(" + expression + ")").asBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError(
                        "not within "
                                + atMost
                                + ": "
                                + expression
                                + "; page says: "
                                + evaluate("document.body ? document.body.innerText : ''").asText()
                                + "; console says: "
                                + messages.problems);
            }
            Thread.sleep(POLL);
        }
    }

    /** What the page's console and the browser's log have complained of: errors, CSP reports. */
    public List<String> problems() {
        return List.copyOf(messages.problems);
    }

    public void screenshot(Path file) throws Exception {
        JsonNode reply = messages.call(page, "Page.captureScreenshot", Map.of("format", "png"));
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.write(file, Base64.getDecoder().decode(reply.path("data").asText()));
    }

    /** Light or dark, as the page's media queries see it. */
    public void colourScheme(String scheme) throws Exception {
        messages.call(
                page,
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    @Override
    public void close() throws IOException {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().join();
        try (Stream<Path> files = Files.walk(profile)) {
            files.sorted(Comparator.reverseOrder()).forEach(Chromium::delete);
        }
    }

    private static void delete(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String devToolsAddress(Process process) throws IOException {
        BufferedReader output = process.inputReader();
        List<String> seen = new ArrayList<>();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            seen.add(line);
            if (line.startsWith("DevTools listening on ")) {
                Thread.ofVirtual().start(() -> output.lines().forEach(_ -> {}));
                return line.substring("DevTools listening on ".length());
            }
        }
        throw new IOException("Chromium ended without a DevTools address: " + seen);
    }

    /** Requests, replies and events of one DevTools connection. */
    private static final class Messages implements WebSocket.Listener {
        private final AtomicInteger ids = new AtomicInteger();
        private final Map<Integer, CompletableFuture<JsonNode>> waiting = new ConcurrentHashMap<>();
        private final List<String> problems = new CopyOnWriteArrayList<>();
        private final StringBuilder text = new StringBuilder();
        private final CompletableFuture<WebSocket> socket = new CompletableFuture<>();

        JsonNode call(String session, String method, Map<String, Object> parameters)
                throws IOException, InterruptedException, ExecutionException, TimeoutException {
            int id = ids.incrementAndGet();
            ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
            message.set("params", JSON.valueToTree(parameters));
            if (!session.isEmpty()) {
                message.put("sessionId", session);
            }
            CompletableFuture<JsonNode> reply = new CompletableFuture<>();
            waiting.put(id, reply);
            socket.join()
                    .sendText(JSON.writeValueAsString(message), /* last= */ true)
                    .get(CALL.toSeconds(), TimeUnit.SECONDS);
            return reply.get(CALL.toSeconds(), TimeUnit.SECONDS);
        }

        @Override
        public void onOpen(WebSocket opened) {
            socket.complete(opened);
            opened.request(1);
        }

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                received(text.toString());
                text.setLength(0);
            }
            from.request(1);
            return CompletableFuture.completedFuture(data);
        }

        private void received(String message) {
            try {
                JsonNode tree = JSON.readTree(message);
                if (tree.has("id")) {
                    CompletableFuture<JsonNode> reply =
                            Objects.requireNonNull(waiting.remove(tree.path("id").asInt()));
                    if (tree.has("error")) {
                        reply.completeExceptionally(new IOException(tree.path("error").toString()));
                    } else {
                        reply.complete(tree.path("result"));
                    }
                } else if (tree.path("method").asText().equals("Runtime.exceptionThrown")
                        || tree.path("params")
                                .path("entry")
                                .path("level")
                                .asText()
                                .equals("error")) {
                    problems.add(tree.path("params").toString());
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
