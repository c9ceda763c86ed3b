package touchline.benchmarks.cluster;

import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import touchline.benchmarks.load.LiveAddress;
import touchline.benchmarks.load.PushMedia;
import touchline.benchmarks.load.RtmpSender;

/**
 * An encoder that pushes at random nodes. After a loss it waits, connects again, and begins with a
 * key frame at media time 0, as OBS does. It gives a connection up that takes no byte for five
 * seconds. Any thread may read its times.
 */
final class ClusterEncoder implements AutoCloseable {
    private static final Duration ROUND = Duration.ofMillis(20);
    private static final Duration ANSWER = Duration.ofSeconds(15);
    private static final int UNSENT_BYTES = 64 << 10;
    private static final long GIVE_UP_ROUNDS = 250;

    private final String key;
    private final List<ClusterNode> nodes;
    private final PushMedia media;
    private final Duration pause;
    private final Judge judge;
    private final Thread thread;

    /** Begin of each attempt that a node which runs has accepted, and where it was. */
    private final ConcurrentSkipListMap<Long, String> attempts = new ConcurrentSkipListMap<>();

    private volatile boolean sending;
    private volatile boolean closed;

    /**
     * @param pause after a loss, and after each attempt
     */
    ClusterEncoder(
            LiveAddress stream,
            List<ClusterNode> nodes,
            PushMedia media,
            Duration pause,
            Judge judge) {
        String path = stream.push().getPath();
        this.key = path.substring(path.lastIndexOf('/') + 1);
        this.nodes = nodes;
        this.media = media;
        this.pause = pause;
        this.judge = judge;
        this.thread = Thread.ofVirtual().name("encoder").start(this::run);
    }

    boolean isSending() {
        return sending;
    }

    /**
     * Its own pause after a fault: until it begins to connect to a node that runs.
     *
     * @param faultNs {@link System#nanoTime}
     * @param untilNs only attempts before
     * @return 0 if it did not connect again
     */
    long pauseNs(long faultNs, long untilNs) {
        Long begun = attempts.ceilingKey(faultNs);
        return begun == null || begun - untilNs > 0 ? 0 : begun - faultNs;
    }

    private void run() {
        try {
            while (!closed) {
                push(nodes.get(ThreadLocalRandom.current().nextInt(nodes.size())));
                sending = false;
                Thread.sleep(pause);
            }
        } catch (InterruptedException _) {
            // Closed.
        }
    }

    private void push(ClusterNode node) throws InterruptedException {
        long begunNs = System.nanoTime();
        try (RtmpSender sender = RtmpSender.publish(node.push(key), ANSWER, UNSENT_BYTES)) {
            attempts.put(begunNs, node.name());
            send(sender);
        } catch (ConnectException _) {
            // It is down: the next attempt is elsewhere.
        } catch (IOException e) {
            if (!node.isFrozen() && node.isReady()) {
                attempts.put(begunNs, node.name());
                judge.refused(
                        "%s, %s after %d ms: %s"
                                .formatted(
                                        key,
                                        node.name(),
                                        (System.nanoTime() - begunNs) / 1_000_000,
                                        e.getMessage()));
            }
        }
    }

    private void send(RtmpSender sender) throws InterruptedException {
        long startNs = System.nanoTime();
        sender.start(media);
        sending = true;
        while (!closed && sender.dead().isEmpty() && sender.roundsBehind() < GIVE_UP_ROUNDS) {
            sender.send(media, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs));
            Thread.sleep(ROUND);
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
