package touchline.benchmarks.events;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import touchline.benchmarks.load.LocalSite;
import touchline.benchmarks.load.Samples;

/**
 * A webhook endpoint on loopback that records time, number and order of the received events. Any
 * thread.
 */
public final class EventReceiver implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final LocalSite site;
    private final Duration pause;
    private final Map<String, String> bodies = new HashMap<>();
    private final Map<String, Long> lastSeq = new HashMap<>();
    private final Set<String> titles = new HashSet<>();
    private Samples delaysMs = new Samples();
    private long duplicates;

    /** Deliveries with a lower number than one of the same stream before. */
    private long disorder;

    private long altered;

    /** The counts so far. */
    public record Account(int events, long duplicates, long disorder, long altered) {}

    /**
     * @param pause before every answer
     */
    public EventReceiver(Duration pause) throws IOException {
        this.pause = pause;
        this.site = new LocalSite().receive("/", this::received);
    }

    /** Where it listens. */
    public String url() {
        return site.address("/");
    }

    /** What was received so far. */
    public synchronized Account account() {
        return new Account(bodies.size(), duplicates, disorder, altered);
    }

    /** Whether events with all these titles were received. */
    public synchronized boolean hasTitles(Set<String> expected) {
        return titles.containsAll(expected);
    }

    /** Number of these titles that were not received. */
    public synchronized int missing(Set<String> expected) {
        Set<String> left = new HashSet<>(expected);
        left.removeAll(titles);
        return left.size();
    }

    /** Whether an event was received. */
    public synchronized boolean hasEvent(String id) {
        return bodies.containsKey(id);
    }

    /** From an event's time to its first arrival, since the last call. */
    public synchronized Samples takeDelaysMs() {
        Samples taken = delaysMs;
        delaysMs = new Samples();
        return taken;
    }

    @Override
    public void close() {
        site.close();
    }

    private void received(byte[] bytes) throws IOException, InterruptedException {
        Instant now = Instant.now();
        count(new String(bytes, StandardCharsets.UTF_8), now);
        Thread.sleep(pause);
    }

    private synchronized void count(String text, Instant at) throws IOException {
        JsonNode body = JSON.readTree(text);
        String id = body.path("id").asText();
        String stream = body.path("data").path("live_stream_id").asText();
        long seq = body.path("data").path("seq").asLong();
        titles.add(body.at("/data/live_stream/title").asText());
        String known = bodies.putIfAbsent(id, text);
        if (known == null) {
            Instant created = Instant.parse(body.path("created_at").asText());
            delaysMs.add(Duration.between(created, at).toNanos() / 1e6);
        } else {
            duplicates++;
            altered += known.equals(text) ? 0 : 1;
        }
        if (seq < lastSeq.getOrDefault(stream, 0L)) {
            disorder++;
        }
        lastSeq.put(stream, seq);
    }
}
