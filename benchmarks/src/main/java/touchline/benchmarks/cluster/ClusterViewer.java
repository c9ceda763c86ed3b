package touchline.benchmarks.cluster;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import touchline.benchmarks.load.LiveAddress;
import touchline.benchmarks.load.LowLatencyPlaylist;
import touchline.benchmarks.load.LowLatencyPlaylist.Item;

/**
 * Plays a stream at random nodes: stays at one as long as it answers, as behind a balancer. Loads
 * every segment and part that is new, and reports all to the judge. A virtual thread of its own;
 * others may read its arrivals.
 */
final class ClusterViewer implements AutoCloseable {
    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final Duration REPLY = Duration.ofSeconds(20);
    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration RETRY = Duration.ofMillis(250);

    /** What another node may be behind: playlists are kept for a second. */
    private static final long STALE_NUMBERS = 1;

    private final LiveAddress stream;
    private final boolean low;
    private final List<ClusterNode> nodes;
    private final Judge judge;
    private final HttpClient client =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(CONNECT)
                    .build();
    private final Arrivals arrivals = new Arrivals();
    private final AtomicInteger staleReads = new AtomicInteger();
    private final AtomicInteger lostMedia = new AtomicInteger();
    private final Thread thread;

    private ClusterNode node;
    private boolean moved;
    private @Nullable String mediaPath;
    private String session = "";
    private @Nullable ViewedWindow last;
    private volatile boolean closed;

    ClusterViewer(LiveAddress stream, boolean low, List<ClusterNode> nodes, Judge judge) {
        this.stream = stream;
        this.low = low;
        this.nodes = nodes;
        this.judge = judge;
        node = anyNode();
        thread = Thread.ofVirtual().name("viewer").start(this::run);
    }

    String streamId() {
        return stream.id();
    }

    Arrivals arrivals() {
        return arrivals;
    }

    /** Playlists of another node that were older than what this viewer had. */
    int staleReads() {
        return staleReads.get();
    }

    /** Listed segments and parts that could not be loaded. */
    int lostMedia() {
        return lostMedia.get();
    }

    private ClusterNode anyNode() {
        return nodes.get(ThreadLocalRandom.current().nextInt(nodes.size()));
    }

    private void run() {
        try {
            while (!closed) {
                step();
            }
        } catch (InterruptedException _) {
            // Closed.
        }
    }

    private void step() throws InterruptedException {
        try {
            if (mediaPath == null) {
                open();
            } else {
                reload(mediaPath);
            }
        } catch (IOException _) {
            moveOn();
        }
    }

    private void moveOn() throws InterruptedException {
        node = anyNode();
        moved = true;
        Thread.sleep(RETRY);
    }

    private void open() throws IOException, InterruptedException {
        HttpResponse<byte[]> reply = get(stream.watch().getPath());
        if (reply.statusCode() != 200) {
            moveOn();
            return;
        }
        URI media = LowLatencyPlaylist.mediaOf(text(reply), node.playback(""));
        String path = media.getPath();
        mediaPath = path;
        // /{playback id}/{session}/media.m3u8
        session = path.split("/", -1)[2];
        judge.session(stream.id(), session, node.name());
    }

    private void reload(String path) throws IOException, InterruptedException {
        ViewedWindow before = last;
        String query = low && before != null ? "?" + before.media().reloadQuery() : "";
        HttpResponse<byte[]> reply = get(path + query);
        if (reply.statusCode() == 400) {
            reply = get(path);
        }
        if (reply.statusCode() == 404) {
            mediaPath = null;
        }
        if (reply.statusCode() != 200) {
            moveOn();
            return;
        }
        long nowNs = System.nanoTime();
        ViewedWindow window = ViewedWindow.parse(text(reply), node.playback(path.substring(1)));
        if (!isOlder(before, window)) {
            judge.window(session + "/", window, node.name());
            judge.listed().add(stream.id(), window.targetDurationS(), window.listed());
            report(before, window, nowNs);
            last = window;
        }
        moved = false;
        if (window.ended()) {
            mediaPath = null;
            Thread.sleep(RETRY);
        } else if (query.isEmpty()) {
            Thread.sleep(POLL);
        }
    }

    /** Whether it is of a moment before; reports what no cache explains. */
    private boolean isOlder(@Nullable ViewedWindow before, ViewedWindow window) {
        if (before == null) {
            return false;
        }
        boolean older =
                window.firstNumber() < before.firstNumber()
                        || window.lastNumber() < before.lastNumber()
                        || window.discontinuitySequence() < before.discontinuitySequence();
        boolean little = window.lastNumber() >= before.lastNumber() - STALE_NUMBERS;
        if (older && moved && little) {
            staleReads.incrementAndGet();
        } else if (older) {
            judge.find(
                    Judge.Check.ORDER,
                    "%s at %s: numbers %d to %d, discontinuities %d, behind %d to %d, %d"
                            .formatted(
                                    session,
                                    node.name(),
                                    window.firstNumber(),
                                    window.lastNumber(),
                                    window.discontinuitySequence(),
                                    before.firstNumber(),
                                    before.lastNumber(),
                                    before.discontinuitySequence()));
        } else if (window.targetDurationS() != before.targetDurationS()) {
            judge.find(
                    Judge.Check.ORDER,
                    "%s: target duration %d behind %d"
                            .formatted(
                                    session, window.targetDurationS(), before.targetDurationS()));
        } else {
            judge.passed(Judge.Check.ORDER);
        }
        return older;
    }

    private void report(@Nullable ViewedWindow before, ViewedWindow window, long nowNs) {
        List<Item> segments = after(before, window.media().segments(), false);
        List<Item> parts = after(before, window.media().parts(), true);
        List<Item> listed = low ? parts : segments;
        if (before != null && !listed.isEmpty()) {
            arrivals.add(nowNs, listed.stream().mapToDouble(Item::seconds).sum());
        }
        List<String> inits =
                window.marks().stream()
                        .map(ViewedWindow.Mark::init)
                        .distinct()
                        .filter(init -> before == null || !before.media().equals(window.media()))
                        .toList();
        URI base = node.playback(mediaPath == null ? "" : mediaPath.substring(1));
        if (!segments.isEmpty()) {
            inits.forEach(init -> load(base.resolve(init)));
        }
        (before == null ? List.<Item>of() : segments).forEach(item -> load(item.address()));
        parts.forEach(item -> load(item.address()));
    }

    private static List<Item> after(
            @Nullable ViewedWindow before, List<Item> items, boolean parts) {
        if (before == null) {
            return items;
        }
        List<Item> known = parts ? before.media().parts() : before.media().segments();
        if (known.isEmpty()) {
            return items;
        }
        Item newest = known.getLast();
        Predicate<Item> isNew =
                item ->
                        item.mediaSequence() > newest.mediaSequence()
                                || (item.mediaSequence() == newest.mediaSequence()
                                        && item.part() > newest.part());
        return items.stream().filter(isNew).toList();
    }

    private void load(URI address) {
        try {
            HttpResponse<byte[]> reply = get(address.getPath());
            if (reply.statusCode() == 200) {
                judge.content(address.getPath(), reply.body(), node.name());
            } else {
                lostMedia.incrementAndGet();
            }
        } catch (IOException _) {
            lostMedia.incrementAndGet();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private HttpResponse<byte[]> get(String path) throws IOException, InterruptedException {
        URI address = node.playback(path.substring(1));
        return client.send(
                HttpRequest.newBuilder(address).timeout(REPLY).build(), BodyHandlers.ofByteArray());
    }

    private static String text(HttpResponse<byte[]> reply) {
        return new String(reply.body(), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        client.shutdownNow();
    }
}
