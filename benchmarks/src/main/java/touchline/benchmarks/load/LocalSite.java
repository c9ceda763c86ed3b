package touchline.benchmarks.load;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;

/** A website on a free port of loopback: pages, files, webhook endpoints. A virtual thread each. */
public final class LocalSite implements AutoCloseable {
    private static final int BACKLOG = 1_000;

    private final HttpServer server;

    /** Handles one request; the reply is 200. */
    @FunctionalInterface
    public interface Receiver {
        /**
         * @param body of the request
         */
        void received(byte[] body) throws IOException, InterruptedException;
    }

    /** Starts it; the caller closes it. */
    public LocalSite() throws IOException {
        server =
                HttpServer.create(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    /** Serves a text. */
    public LocalSite page(String path, String type, String text) {
        return page(path, type, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Serves bytes. */
    public LocalSite page(String path, String type, byte[] body) {
        server.createContext(
                path,
                exchange -> {
                    try (exchange) {
                        exchange.getRequestBody().readAllBytes();
                        exchange.getResponseHeaders().set("Content-Type", type);
                        exchange.sendResponseHeaders(200, body.length);
                        exchange.getResponseBody().write(body);
                    }
                });
        return this;
    }

    /** Hands the bodies of requests to a receiver and then replies. */
    public LocalSite receive(String path, Receiver receiver) {
        return receive(path, "", receiver);
    }

    /**
     * The same with a reply.
     *
     * @param reply JSON, or empty
     */
    public LocalSite receive(String path, String reply, Receiver receiver) {
        byte[] bytes = reply.getBytes(StandardCharsets.UTF_8);
        server.createContext(path, exchange -> reply(exchange, bytes, receiver));
        return this;
    }

    private static void reply(HttpExchange exchange, byte[] reply, Receiver receiver)
            throws IOException {
        try (exchange) {
            receiver.received(exchange.getRequestBody().readAllBytes());
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, reply.length == 0 ? -1 : reply.length);
            exchange.getResponseBody().write(reply);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    public String address(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    @Override
    public void close() {
        server.stop(/* delay= */ 0);
    }
}
