package touchline.media.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class RequestPipeTest {
    private final CountDownLatch ended = new CountDownLatch(1);

    @Test
    void take_lines_comeInTheirOrder_thenTheEndIsReported() throws Exception {
        RequestPipe pipe = pipe("{\"id\":1}\n{\"id\":2}\n");

        assertEquals("{\"id\":1}", pipe.take());
        assertEquals("{\"id\":2}", pipe.take());
        ended.await();
    }

    /** More requests than wait in the queue: the reading thread waits, and drops none. */
    @Test
    void take_moreThanTheQueueHolds_losesNone() throws Exception {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 20; i++) {
            lines.append(i).append('\n');
        }

        RequestPipe pipe = pipe(lines.toString());

        for (int i = 0; i < 20; i++) {
            assertEquals(Integer.toString(i), pipe.take());
        }
        ended.await();
    }

    /** The server has exited while a job runs: nothing takes the next request. */
    @Test
    void end_withoutATake_isReported() throws Exception {
        PipedOutputStream server = new PipedOutputStream();
        RequestPipe _ = new RequestPipe(new PipedInputStream(server), ended::countDown);
        server.write("{}\n".getBytes(StandardCharsets.UTF_8));
        assertEquals(1, ended.getCount());

        server.close();

        ended.await();
    }

    @Test
    void read_lineAboveTheLimit_endsThePipe() throws Exception {
        RequestPipe _ = pipe("x".repeat(Worker.MAX_REQUEST_BYTES + 1) + "\n");

        ended.await();
    }

    private RequestPipe pipe(String text) {
        InputStream in = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
        return new RequestPipe(in, ended::countDown);
    }
}
