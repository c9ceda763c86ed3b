package touchline.api.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Peers of transcoding: a web server with inputs, and a receiver of notifications. */
final class VodPeers implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** A notification as it came. */
    record Notice(Map<String, List<String>> headers, String body) {
        JsonNode json() {
            try {
                return JSON.readTree(body);
            } catch (IOException e) {
                throw new AssertionError(body, e);
            }
        }

        String header(String name) {
            return headers.entrySet().stream()
                    .filter(each -> each.getKey().equalsIgnoreCase(name))
                    .map(each -> each.getValue().getFirst())
                    .findFirst()
                    .orElse("");
        }
    }

    final List<Notice> notices = new CopyOnWriteArrayList<>();

    /** So many notifications are answered 500 first. */
    final AtomicInteger refusals = new AtomicInteger();

    private final HttpServer server;
    private final Path folder;

    /**
     * @param folder of the inputs
     */
    VodPeers(Path folder) throws IOException {
        this.folder = folder;
        this.server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/done", this::notified);
        server.createContext("/files/", this::file);
        server.createContext("/inside", exchange -> redirect(exchange, "http://10.1.2.3/a.mp4"));
        server.createContext("/endless", VodPeers::endless);
        server.start();
    }

    URI at(String path) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    }

    private void notified(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        notices.add(new Notice(Map.copyOf(exchange.getRequestHeaders()), body));
        boolean refused = refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
        answer(exchange, refused ? 500 : 200, refused ? "{}" : "{\"ack\": true}");
    }

    private void file(HttpExchange exchange) throws IOException {
        Path file =
                folder.resolve(exchange.getRequestURI().getPath().substring("/files/".length()));
        if (!Files.isRegularFile(file)) {
            answer(exchange, 404, "nothing here");
            return;
        }
        exchange.sendResponseHeaders(200, Files.size(file));
        try (OutputStream out = exchange.getResponseBody()) {
            Files.copy(file, out);
        }
    }

    private static void redirect(HttpExchange exchange, String to) throws IOException {
        exchange.getResponseHeaders().add("Location", to);
        answer(exchange, 302, "");
    }

    private static void endless(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, 0);
        byte[] block = new byte[64 * 1024];
        try (OutputStream out = exchange.getResponseBody()) {
            while (!Thread.currentThread().isInterrupted()) {
                out.write(block);
            }
        } catch (IOException _) {
            // The reader has had enough.
        }
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
