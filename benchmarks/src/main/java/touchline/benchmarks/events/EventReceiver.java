package touchline.benchmarks.events;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import touchline.benchmarks.load.Samples;

/**
 * A webhook endpoint on loopback that answers 200 and keeps an account of what came: when, how
 * often, in which order. One virtual thread for each connection.
 */
final class EventReceiver implements AutoCloseable {
    private static final byte[] OK =
            "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final ServerSocket server;
    private final Duration pause;
    private final ObjectMapper mapper = new ObjectMapper();
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by the lock.
    private final Map<String, String> bodies = new HashMap<>();
    private final Map<String, Long> lastSeq = new HashMap<>();
    private final Set<String> titles = new HashSet<>();
    private Samples delaysMs = new Samples();
    private long duplicates;
    private long disorder;
    private long altered;

    /** What has come so far. */
    record Account(int events, long duplicates, long disorder, long altered) {}

    /**
     * @param pause before every answer
     */
    EventReceiver(Duration pause) throws IOException {
        this.pause = pause;
        this.server = new ServerSocket(0, 1_000, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().name("receiver").start(this::accept);
    }

    String url() {
        return "http://127.0.0.1:" + server.getLocalPort() + "/";
    }

    Account account() {
        lock.lock();
        try {
            return new Account(bodies.size(), duplicates, disorder, altered);
        } finally {
            lock.unlock();
        }
    }

    /** Titles of live streams that have been told of. */
    boolean hasTitles(Set<String> wanted) {
        lock.lock();
        try {
            return titles.containsAll(wanted);
        } finally {
            lock.unlock();
        }
    }

    int missing(Set<String> wanted) {
        lock.lock();
        try {
            Set<String> left = new HashSet<>(wanted);
            left.removeAll(titles);
            return left.size();
        } finally {
            lock.unlock();
        }
    }

    /** From an event's time to its arrival, since the last call, first arrivals only. */
    Samples takeDelaysMs() {
        lock.lock();
        try {
            Samples taken = delaysMs;
            delaysMs = new Samples();
            return taken;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
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
            for (String body = read(in); body != null; body = read(in)) {
                note(body, Instant.now());
                Thread.sleep(pause);
                socket.getOutputStream().write(OK);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (IOException _) {
            // The server was killed, which is what is measured.
        }
    }

    private void note(String text, Instant at) {
        JsonNode body;
        try {
            body = mapper.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String id = body.path("id").asText();
        String stream = body.path("data").path("live_stream_id").asText();
        long seq = body.path("data").path("seq").asLong();
        Duration delay = Duration.between(Instant.parse(body.path("created_at").asText()), at);
        lock.lock();
        try {
            titles.add(body.at("/data/live_stream/title").asText());
            String known = bodies.putIfAbsent(id, text);
            if (known == null) {
                delaysMs.add(delay.toNanos() / 1e6);
            } else {
                duplicates++;
                altered += known.equals(text) ? 0 : 1;
            }
            if (seq < lastSeq.getOrDefault(stream, 0L)) {
                disorder++;
            }
            lastSeq.put(stream, seq);
        } finally {
            lock.unlock();
        }
    }

    private static @Nullable String read(InputStream in) throws IOException {
        int length = 0;
        String line = line(in);
        while (line != null && !line.isEmpty()) {
            if (line.regionMatches(true, 0, "content-length:", 0, 15)) {
                length = Integer.parseInt(line.substring(15).strip());
            }
            line = line(in);
        }
        return line == null ? null : new String(in.readNBytes(length), StandardCharsets.UTF_8);
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
        return line.toString(StandardCharsets.US_ASCII);
    }
}
