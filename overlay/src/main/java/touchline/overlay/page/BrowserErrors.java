package touchline.overlay.page;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Empties what a browser prints, so that it never waits there, and keeps the end: it tells why a
 * browser would not start. Any thread.
 */
final class BrowserErrors {
    private static final int KEPT_BYTES = 2000;
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final InputStream from;
    private final ReentrantLock lock = new ReentrantLock();
    private final Thread reader;

    @GuardedBy("lock")
    private byte[] tail = {};

    private BrowserErrors(InputStream from) {
        this.from = from;
        this.reader = Thread.ofPlatform().daemon().name("browser-errors").unstarted(this::read);
    }

    static BrowserErrors open(InputStream from) {
        BrowserErrors errors = new BrowserErrors(from);
        errors.reader.start();
        return errors;
    }

    /** The last it printed before it ended, on one line. */
    String afterEnd() throws InterruptedException {
        reader.join(PATIENCE);
        lock.lock();
        try {
            // Whatever the browser writes: not all of it needs to be text.
            return new String(tail, StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}+", " ").strip();
        } finally {
            lock.unlock();
        }
    }

    private void read() {
        byte[] buffer = new byte[KEPT_BYTES];
        try {
            for (int count = from.read(buffer); count >= 0; count = from.read(buffer)) {
                keep(buffer, count);
            }
        } catch (IOException _) {
            // The process was ended from here; what it said until then is kept.
        }
    }

    private void keep(byte[] buffer, int count) {
        lock.lock();
        try {
            byte[] all = Arrays.copyOf(tail, tail.length + count);
            System.arraycopy(buffer, 0, all, tail.length, count);
            tail = Arrays.copyOfRange(all, Math.max(0, all.length - KEPT_BYTES), all.length);
        } finally {
            lock.unlock();
        }
    }
}
