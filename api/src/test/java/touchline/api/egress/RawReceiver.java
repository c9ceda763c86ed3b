package touchline.api.egress;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A receiver on loopback with prepared replies, byte by byte if need be. Connections are kept open
 * where the reply permits it.
 */
public final class RawReceiver implements AutoCloseable {
    /** A request as it came. */
    public record Request(String line, Map<String, String> headers, String body) {
        public String header(String name) {
            return headers.getOrDefault(name, "");
        }
    }

    /** Writes an answer; may leave it unfinished. */
    @FunctionalInterface
    public interface Behaviour {
        /**
         * @return whether the connection is kept
         */
        boolean answer(Request request, OutputStream out) throws IOException;
    }

    private final ServerSocket server;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();
    private volatile Behaviour behaviour;

    public RawReceiver(Behaviour behaviour) {
        this.behaviour = behaviour;
        try {
            this.server = new ServerSocket(0, 100, InetAddress.ofLiteral("127.0.0.1"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().name("receiver").start(this::accept);
    }

    /** Answers with this status and nothing else. */
    public static Behaviour status(int status, String... headers) {
        return (_, out) -> {
            write(out, head(status, 0, headers));
            return true;
        };
    }

    public static String head(int status, long lengthBytes, String... headers) {
        StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " Whatever\r\n");
        for (String header : headers) {
            head.append(header).append("\r\n");
        }
        return head.append("Content-Length: ").append(lengthBytes).append("\r\n\r\n").toString();
    }

    public static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    public void behave(Behaviour next) {
        behaviour = next;
    }

    public int port() {
        return server.getLocalPort();
    }

    public URI url(String path) {
        return URI.create("http://127.0.0.1:" + port() + path);
    }

    /** Received requests so far, oldest first. */
    public List<Request> requests() {
        return List.copyOf(requests);
    }

    public int connections() {
        return connections.get();
    }

    /** Waits until the receiver is closed: for answers that never come. */
    public boolean never() {
        try {
            closing.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    @Override
    public void close() {
        closing.countDown();
        try {
            server.close();
            for (Socket socket : open) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                connections.incrementAndGet();
                open.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException _) {
            // Closed.
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            boolean kept = true;
            while (kept) {
                Request request = read(in);
                if (request == null) {
                    return;
                }
                requests.add(request);
                kept = behaviour.answer(request, socket.getOutputStream());
            }
        } catch (IOException _) {
            // The client has gone, which may be what is tested.
        } finally {
            open.remove(socket);
        }
    }

    private static @Nullable Request read(InputStream in) throws IOException {
        String line = line(in);
        if (line == null) {
            return null;
        }
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String header = line(in); header != null && !header.isEmpty(); header = line(in)) {
            int colon = header.indexOf(':');
            headers.put(header.substring(0, colon), header.substring(colon + 1).strip());
        }
        int length = Integer.parseInt(headers.getOrDefault("Content-Length", "0"));
        return new Request(
                line, headers, new String(in.readNBytes(length), StandardCharsets.UTF_8));
    }

    private static @Nullable String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                return null;
            }
            if (next != '\r') {
                line.write(next);
            }
        }
        return line.toString(StandardCharsets.UTF_8);
    }
}
