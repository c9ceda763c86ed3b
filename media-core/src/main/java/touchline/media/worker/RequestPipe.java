package touchline.media.worker;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads requests on a separate thread, to detect the end of the pipe during a job. */
final class RequestPipe {
    private static final Logger log = LoggerFactory.getLogger(RequestPipe.class);
    private static final int MAX_WAITING = 4;

    private final BlockingQueue<String> requests = new ArrayBlockingQueue<>(MAX_WAITING);
    private final LineReader lines;
    private final Runnable onEnd;

    /**
     * @param onEnd called once on the reading thread after the pipe ends or breaks
     */
    RequestPipe(InputStream in, Runnable onEnd) {
        this.lines = new LineReader(in, Worker.MAX_REQUEST_BYTES);
        this.onEnd = onEnd;
        Thread.ofPlatform().daemon().name("worker-requests").start(this::read);
    }

    String take() throws InterruptedException {
        return requests.take();
    }

    private void read() {
        try {
            while (true) {
                Optional<String> line = lines.next();
                if (line.isEmpty()) {
                    break;
                }
                requests.put(line.get());
            }
        } catch (IOException | InterruptedException e) {
            log.warn("reading requests failed: {}", e.toString());
        }
        onEnd.run();
    }
}
