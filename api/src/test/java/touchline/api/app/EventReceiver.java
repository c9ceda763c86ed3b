package touchline.api.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A client's webhook: receives every event and records its arrival time. */
final class EventReceiver implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpServer server;

    /** Received events, oldest first. */
    final List<Received> received = new CopyOnWriteArrayList<>();

    /**
     * @param atMs Unix milliseconds at which its body was read
     */
    record Received(JsonNode event, long atMs) {}

    EventReceiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::take);
        server.start();
    }

    /** Asks a server for events of these types. */
    void register(TestServer touchline, String... types) throws Exception {
        touchline.call("POST", "/system/v1/webhooks", subscription(types), 200);
    }

    /** The body that asks a server for events of these types. */
    String subscription(String... types) {
        return "{\"url\": \"http://127.0.0.1:%d/\", \"events\": [\"%s\"]}"
                .formatted(server.getAddress().getPort(), String.join("\", \"", types));
    }

    List<JsonNode> events(String type) {
        return received.stream()
                .map(Received::event)
                .filter(event -> event.get("type").textValue().equals(type))
                .toList();
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            JsonNode event = JSON.readTree(exchange.getRequestBody());
            received.add(new Received(event, System.currentTimeMillis()));
            exchange.sendResponseHeaders(200, -1);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
