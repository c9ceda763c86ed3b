package touchline.media.worker;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drains a child's standard error, so that the child never blocks on it. Keeps the last lines,
 * which contain the cause of a crash. Long lines are cut and control characters replaced by '?', as
 * untrusted media can influence the text. Any thread.
 */
final class ErrorTail {
    private static final Logger log = LoggerFactory.getLogger(ErrorTail.class);
    private static final int KEPT_LINES = 20;
    private static final int KEPT_CHARACTERS = 300;
    private static final int MAX_LINE_BYTES = 64 * 1024;

    private final Process process;
    private final Thread reader;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final ArrayDeque<String> lines = new ArrayDeque<>(KEPT_LINES);

    ErrorTail(Process process) {
        this.process = process;
        this.reader =
                Thread.ofPlatform()
                        .daemon()
                        .name("worker-errors-" + process.pid())
                        .start(this::read);
    }

    /** Returns the last lines of a process that has ended. */
    List<String> lastLines() {
        try {
            reader.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        lock.lock();
        try {
            return List.copyOf(lines);
        } finally {
            lock.unlock();
        }
    }

    private void read() {
        LineReader reading = new LineReader(process.getErrorStream(), MAX_LINE_BYTES);
        try {
            while (true) {
                Optional<String> line = reading.next();
                if (line.isEmpty()) {
                    return;
                }
                keep(line.get());
            }
        } catch (IOException e) {
            log.debug("worker pid={}: {}", process.pid(), e.getMessage());
            drain();
        }
    }

    private void keep(String line) {
        String cut = line.substring(0, Math.min(line.length(), KEPT_CHARACTERS));
        String safe = cut.replaceAll("\\p{Cntrl}", "?");
        log.debug("worker pid={}: {}", process.pid(), safe);
        lock.lock();
        try {
            if (lines.size() == KEPT_LINES) {
                lines.removeFirst();
            }
            lines.addLast(safe);
        } finally {
            lock.unlock();
        }
    }

    private void drain() {
        try {
            process.getErrorStream().transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            log.debug("worker pid={}: {}", process.pid(), e.getMessage());
        }
    }
}
