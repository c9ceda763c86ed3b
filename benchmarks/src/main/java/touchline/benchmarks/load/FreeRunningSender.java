package touchline.benchmarks.load;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An encoder with a clock of its own. What it films goes on while it is away: when it connects
 * again, it begins with the next key frame. Thread-safe.
 */
public final class FreeRunningSender implements AutoCloseable {
    private static final Duration ROUND = Duration.ofMillis(5);
    private static final double NS_PER_MS = 1e6;

    private final URI address;
    private final PushMedia media;
    private final double rate;
    private final long startNs;
    private final Thread thread;

    @GuardedBy("this")
    private @Nullable RtmpSender connection;

    @GuardedBy("this")
    private boolean stalled;

    private volatile boolean closed;

    /**
     * @param address with the stream key
     * @param rate of its clock: 1.0002 is 200 ppm fast
     * @param startNs {@link System#nanoTime} at media time 0, of the past or the future
     */
    public FreeRunningSender(URI address, PushMedia media, double rate, long startNs) {
        this.address = address;
        this.media = media;
        this.rate = rate;
        this.startNs = startNs;
        this.thread = Thread.ofPlatform().name("bench-sender").start(this::run);
    }

    /** Publishes, from the next key frame on. Blocks until the server accepts it. */
    public synchronized void connect() throws IOException {
        disconnect();
        RtmpSender next = RtmpSender.publish(address);
        next.start(media, media.keyFrameAfter(mediaMs()));
        connection = next;
    }

    /** The process dies: what was not sent is lost. */
    public synchronized void disconnect() throws IOException {
        stalled = false;
        if (connection != null) {
            connection.close();
            connection = null;
        }
    }

    /** The line carries nothing; the connection stays. */
    public synchronized void stall() {
        stalled = true;
    }

    /** The line carries what has waited, and then what comes. */
    public synchronized void resume() {
        stalled = false;
    }

    /** The reason why the server ended its connection; empty while it has not. */
    public synchronized String dead() {
        return connection == null ? "" : connection.dead();
    }

    private long mediaMs() {
        return Math.round((System.nanoTime() - startNs) / NS_PER_MS * rate);
    }

    private synchronized void send() {
        if (connection != null && !stalled) {
            connection.send(media, mediaMs());
        }
    }

    private void run() {
        while (!closed) {
            send();
            try {
                Thread.sleep(ROUND);
            } catch (InterruptedException _) {
                return;
            }
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        disconnect();
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
