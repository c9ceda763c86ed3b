package touchline.packager.delivery;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** Counters of the playback plane since its start, for the metrics page. Any thread. */
public final class DeliveryCounters {
    /** Kind of a request. */
    public enum Kind {
        MULTIVARIANT,
        MEDIA_PLAYLIST,
        INIT,
        SEGMENT,
        PART,
        MP4,
        THUMBNAIL,
        CHAPTERS,
        FRAME,
        /** Watch pages and their files. */
        PAGE,
        PREFLIGHT,
        /** Unknown paths and malformed requests. */
        OTHER
    }

    /** Protocol of a request; HTTP/1.0 counts as HTTP/1.1. */
    public enum Protocol {
        HTTP_1,
        HTTP_2
    }

    /** Label of media that is not of a rendition. */
    public static final String SOURCE = "source";

    /** Label of renditions after the first {@value #MAX_RENDITIONS} names. */
    public static final String OTHER_RENDITION = "other";

    private static final int MAX_RENDITIONS = 32;
    private static final int CLASSES = 6;

    private final Map<Kind, LongAdder> requests = new EnumMap<>(Kind.class);
    private final Map<String, LongAdder> renditions = new ConcurrentHashMap<>();
    private final List<Consumer<String>> renditionListeners = new CopyOnWriteArrayList<>();
    private final LongAdder sourceRequests = new LongAdder();
    private final LongAdder http1Requests = new LongAdder();
    private final LongAdder http2Requests = new LongAdder();
    private final LongAdder failedHandshakes = new LongAdder();
    private final LongAdder[] answers = new LongAdder[CLASSES];
    private final LongAdder bytesOut = new LongAdder();
    private final LongAdder blockedNow = new LongAdder();
    private final LongAdder openConnections = new LongAdder();
    private final LongAdder refusedConnections = new LongAdder();
    private final LongAdder slowViewersCut = new LongAdder();
    private final LongAdder timeouts = new LongAdder();

    public DeliveryCounters() {
        for (Kind kind : Kind.values()) {
            requests.put(kind, new LongAdder());
        }
        for (int i = 0; i < CLASSES; i++) {
            answers[i] = new LongAdder();
        }
    }

    /** Requests of one kind. */
    public long requests(Kind kind) {
        return adder(kind).sum();
    }

    /**
     * Requests for segments and parts of live sessions.
     *
     * @param label of a rendition, or {@link #SOURCE}
     */
    public long mediaRequests(String label) {
        LongAdder of = label.equals(SOURCE) ? sourceRequests : renditions.get(label);
        return of == null ? 0 : of.sum();
    }

    /**
     * Calls back with the label of each rendition when its first request comes; with those that
     * have come already at once. At most {@value #MAX_RENDITIONS} and one.
     */
    public void onRendition(Consumer<String> listener) {
        renditionListeners.add(listener);
        renditions.keySet().forEach(listener);
    }

    /** Requests by one protocol. */
    public long requests(Protocol protocol) {
        return (protocol == Protocol.HTTP_2 ? http2Requests : http1Requests).sum();
    }

    /** TLS handshakes that failed or timed out. */
    public long failedHandshakes() {
        return failedHandshakes.sum();
    }

    /**
     * Answers of one class.
     *
     * @param statusClass 2 for 200 to 299, up to 5
     */
    public long answers(int statusClass) {
        return answers[statusClass].sum();
    }

    /** Bytes of bodies written to sockets. */
    public long bytesOut() {
        return bytesOut.sum();
    }

    /** Requests waiting for media now. */
    public long blockedNow() {
        return blockedNow.sum();
    }

    public long openConnections() {
        return openConnections.sum();
    }

    /** Connections closed at accept because there were too many. */
    public long refusedConnections() {
        return refusedConnections.sum();
    }

    /** Connections closed because the viewer did not read. */
    public long slowViewersCut() {
        return slowViewersCut.sum();
    }

    /** Connections closed because no request came, or its head came too slowly. */
    public long timeouts() {
        return timeouts.sum();
    }

    void requested(Kind kind) {
        adder(kind).increment();
    }

    void sourceRequested() {
        sourceRequests.increment();
    }

    /**
     * @param name of a rendition that exists
     */
    void renditionRequested(String name) {
        LongAdder of = renditions.get(name);
        if (of == null) {
            of = newRendition(renditions.size() < MAX_RENDITIONS ? name : OTHER_RENDITION);
        }
        of.increment();
    }

    private LongAdder newRendition(String label) {
        LongAdder made = new LongAdder();
        LongAdder before = renditions.putIfAbsent(label, made);
        if (before != null) {
            return before;
        }
        renditionListeners.forEach(listener -> listener.accept(label));
        return made;
    }

    void requested(Protocol protocol) {
        (protocol == Protocol.HTTP_2 ? http2Requests : http1Requests).increment();
    }

    void handshakeFailed() {
        failedHandshakes.increment();
    }

    void answered(int status) {
        answers[Math.min(status / 100, CLASSES - 1)].increment();
    }

    void sent(long bytes) {
        bytesOut.add(bytes);
    }

    void blocked(int change) {
        blockedNow.add(change);
    }

    void connections(int change) {
        openConnections.add(change);
    }

    void connectionRefused() {
        refusedConnections.increment();
    }

    void slowViewerCut() {
        slowViewersCut.increment();
    }

    void timedOut() {
        timeouts.increment();
    }

    private LongAdder adder(Kind kind) {
        LongAdder adder = requests.get(kind);
        if (adder == null) {
            throw new IllegalStateException("no counter for " + kind);
        }
        return adder;
    }
}
