package touchline.media.worker;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.TextNode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class WorkerTest {
    private final AtomicLong nanoTime = new AtomicLong();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private List<String> replies(WorkerHandler handler, String request) {
        new Worker(Map.of("kind", handler), out, nanoTime::get).answer(request);
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void answer_progressOften_isTenLinesASecond() {
        WorkerHandler handler =
                (body, progress) -> {
                    for (int i = 0; i <= 1000; i++) {
                        nanoTime.set(TimeUnit.MILLISECONDS.toNanos(i));
                        progress.at(i / 1000.0);
                    }
                    return body;
                };

        List<String> replies = replies(handler, "{\"id\":7,\"kind\":\"kind\",\"body\":3}");

        assertEquals(12, replies.size());
        assertEquals("{\"id\":7,\"progress\":0.1}", replies.get(1));
        assertEquals("{\"id\":7,\"result\":3}", replies.getLast());
    }

    @Test
    void answer_progressOutOfRange_isClamped() {
        WorkerHandler handler =
                (body, progress) -> {
                    progress.at(1.5);
                    return body;
                };

        assertEquals(
                "{\"id\":1,\"progress\":1.0}",
                replies(handler, "{\"id\":1,\"kind\":\"kind\",\"body\":0}").getFirst());
    }

    @Test
    void answer_notJson_endsTheWorker() {
        assertThrows(UncheckedIOException.class, () -> replies((body, _) -> body, "{"));
    }

    @Test
    void answer_kindThatIsNotServed_isAnError_theWorkerGoesOn() {
        List<String> replies = replies((body, _) -> body, "{\"id\":4,\"kind\":\"other\"}");

        assertEquals(
                List.of(
                        "{\"id\":4,\"error\":{\"code\":1099,"
                                + "\"message\":\"kind of job: other is not known\"}}"),
                replies);
    }

    @Test
    void answer_jobThatFails_isItsCodeAndMessage() {
        WorkerHandler handler =
                (_, _) -> {
                    throw new WorkerJobException(WorkerJobException.INVALID_INPUT, "no video");
                };

        assertEquals(
                List.of("{\"id\":5,\"error\":{\"code\":1003,\"message\":\"no video\"}}"),
                replies(handler, "{\"id\":5,\"kind\":\"kind\"}"));
    }

    /** Its message may name paths of the host. */
    @Test
    void answer_unexpectedException_namesItsClassOnly() {
        WorkerHandler handler =
                (_, _) -> {
                    throw new IllegalStateException("/var/lib/secret");
                };

        assertEquals(
                List.of(
                        "{\"id\":6,\"error\":{\"code\":1099,"
                                + "\"message\":\"internal: IllegalStateException\"}}"),
                replies(handler, "{\"id\":6,\"kind\":\"kind\"}"));
    }

    @Test
    void answer_replyAboveTheLimit_endsTheWorker_nothingIsWritten() {
        TextNode large = TextNode.valueOf("x".repeat(Worker.MAX_REPLY_BYTES));

        var ended =
                assertThrows(
                        UncheckedIOException.class,
                        () -> replies((_, _) -> large, "{\"id\":1,\"kind\":\"kind\"}"));

        assertEquals(
                "java.io.IOException: reply: 1048596 bytes (expected: <= 1 MiB)",
                String.valueOf(ended.getCause()));
        assertEquals(0, out.size());
    }

    @Test
    void answer_serverThatIsGone_endsTheWorker() {
        OutputStream closed = OutputStream.nullOutputStream();
        assertDoesNotThrow(closed::close);
        Worker worker = new Worker(Map.of("kind", (body, _) -> body), closed, nanoTime::get);

        assertThrows(
                UncheckedIOException.class,
                () -> worker.answer("{\"id\":1,\"kind\":\"kind\",\"body\":1}"));
    }

    @Test
    void lines_ofAnyCut_comeWhole() throws Exception {
        byte[] bytes = "eins\nzwölf\n\nhalf".getBytes(StandardCharsets.UTF_8);
        for (int chunk = 1; chunk <= bytes.length; chunk++) {
            LineReader lines = new LineReader(inChunks(bytes, chunk), 6);
            assertEquals(Optional.of("eins"), lines.next());
            assertEquals(Optional.of("zwölf"), lines.next());
            assertEquals(Optional.of(""), lines.next());
            assertEquals(Optional.empty(), lines.next());
        }
    }

    @Test
    void lines_longerThanTheLimit_areRefused() {
        byte[] bytes = "1234567\n".getBytes(StandardCharsets.UTF_8);
        for (int chunk = 1; chunk <= bytes.length; chunk++) {
            LineReader lines = new LineReader(inChunks(bytes, chunk), 6);
            assertThrows(IOException.class, lines::next);
        }
    }

    private static InputStream inChunks(byte[] bytes, int chunk) {
        return new ByteArrayInputStream(bytes) {
            @Override
            public synchronized int read(byte[] into, int offset, int length) {
                return super.read(into, offset, Math.min(length, chunk));
            }
        };
    }

    @Test
    void limits_thatCannotWork_areRefused() {
        assertThrows(IllegalArgumentException.class, () -> new WorkerLimits(1 << 20, 1L << 30, 10));
        assertThrows(
                IllegalArgumentException.class, () -> new WorkerLimits(1L << 30, 1L << 30, 10));
        assertThrows(
                IllegalArgumentException.class, () -> new WorkerLimits(64 << 20, 1L << 30, -1));
    }

    @Test
    void isolation_prefix_putsNiceAndLimitInFront() {
        WorkerIsolation all =
                new WorkerIsolation(true, true, WorkerSandbox.NONE, /* withGpu= */ false);

        assertEquals(
                "nice -n 10 prlimit --data=2147483648 --core=0 --",
                String.join(" ", all.prefix(WorkerLimits.DEFAULTS)));
        assertEquals(
                List.of(),
                new WorkerIsolation(false, false, WorkerSandbox.NONE, /* withGpu= */ false)
                        .prefix(WorkerLimits.DEFAULTS));
        assertTrue(all.describe().contains("no sandbox"), all.describe());
    }

    @Test
    void launch_command_endsWithClassPathMainClassAndWorker() {
        List<String> command =
                new WorkerLaunch(
                                new WorkerJvm(
                                        Path.of("/jdk/bin/java"), "a.jar:b.jar", List.of("-Dx=y")),
                                "touchline.Main",
                                Path.of("/jobs/1"),
                                WorkerLimits.DEFAULTS)
                        .command(Path.of("/jobs/1/worker"), Path.of("/libraries"));

        assertEquals("/jdk/bin/java", command.getFirst());
        assertTrue(command.contains("-Xmx268435456"), command::toString);
        assertTrue(command.contains("-Djava.io.tmpdir=/jobs/1/worker"), command::toString);
        assertEquals(
                List.of(
                        "-Dx=y",
                        "-Dorg.bytedeco.javacpp.cachedir=/libraries",
                        "-cp",
                        "a.jar:b.jar",
                        "touchline.Main",
                        "worker"),
                command.subList(command.size() - 6, command.size()));
    }
}
