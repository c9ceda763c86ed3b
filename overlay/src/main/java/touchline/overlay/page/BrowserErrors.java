package touchline.overlay.page;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Reads a browser's error output, so that the browser never blocks on it. Keeps the last bytes:
 * they explain why a browser did not start. Any thread.
 */
final class BrowserErrors {
    private static final int TAIL_BYTES = 2000;
    private static final Duration END_TIMEOUT = Duration.ofSeconds(2);

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

    /** The last output before the end, on one line. */
    String afterEnd() throws InterruptedException {
        reader.join(END_TIMEOUT);
        lock.lock();
        try {
            // The output may contain bytes that are no text.
            return new String(tail, StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}+", " ").strip();
        } finally {
            lock.unlock();
        }
    }

    private void read() {
        byte[] buffer = new byte[TAIL_BYTES];
        try {
            for (int count = from.read(buffer); count >= 0; count = from.read(buffer)) {
                append(buffer, count);
            }
        } catch (IOException _) {
            // The process was killed; the output until then is kept.
        }
    }

    private void append(byte[] buffer, int count) {
        lock.lock();
        try {
            byte[] all = Arrays.copyOf(tail, tail.length + count);
            System.arraycopy(buffer, 0, all, tail.length, count);
            tail = Arrays.copyOfRange(all, Math.max(0, all.length - TAIL_BYTES), all.length);
        } finally {
            lock.unlock();
        }
    }
}
