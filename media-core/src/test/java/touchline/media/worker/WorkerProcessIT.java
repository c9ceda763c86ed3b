package touchline.media.worker;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import touchline.media.worker.WorkerException.Failure;

/** Real child processes that fail in different ways. */
@Timeout(480)
final class WorkerProcessIT {
    private static final Duration LONG = Duration.ofSeconds(40);
    private static final WorkerLimits LIMITS =
            new WorkerLimits(64L << 20, 512L << 20, /* niceness= */ 7);
    private static WorkerIsolation isolation = WorkerIsolation.withoutSandbox();

    @TempDir Path folder;

    private WorkerProcess worker;

    @BeforeAll
    static void probe() {
        isolation = WorkerIsolation.probe();
    }

    @BeforeEach
    void start() throws Exception {
        worker = startWith(isolation);
    }

    private WorkerProcess startWith(WorkerIsolation dependencies) throws Exception {
        return WorkerProcess.start(
                WorkerLaunch.likeThisJvm(TestWorkerMain.class.getName(), folder, LIMITS),
                dependencies);
    }

    @AfterEach
    void stop() {
        worker.close();
        assertTrue(ProcessHandle.of(worker.pid()).filter(ProcessHandle::isAlive).isEmpty());
    }

    private static ObjectNode body() {
        return JsonNodeFactory.instance.objectNode();
    }

    private JsonNode run(String kind, JsonNode body) throws WorkerException {
        return worker.run(new WorkerJob(kind, body, LONG), _ -> {});
    }

    private Failure failure(String kind, JsonNode body) {
        return assertThrows(WorkerException.class, () -> run(kind, body)).failure();
    }

    private void assertStillWorks() throws Exception {
        assertTrue(worker.isAlive());
        assertEquals(body().put("a", "ä\n"), run("echo", body().put("a", "ä\n")));
    }

    private void assertEnded() {
        assertFalse(worker.isAlive());
        assertThrows(WorkerException.class, () -> run("echo", body()));
    }

    @Test
    void run_severalJobs_oneProcess() throws Exception {
        assertStillWorks();
        assertStillWorks();
    }

    @Test
    void run_progress_isReportedBeforeTheResult() throws Exception {
        List<Double> reported = new CopyOnWriteArrayList<>();

        worker.run(new WorkerJob("steps", body(), LONG), reported::add);

        // One in 100 ms passes, however long the machine needs for all.
        assertEquals(0.0, reported.getFirst());
        assertTrue(reported.size() < TestWorkerMain.STEPS / 10, () -> "passed: " + reported.size());
        assertEquals(reported.stream().sorted().distinct().toList(), reported);
    }

    @Test
    void run_progressListenerThrows_jobContinues() throws Exception {
        JsonNode result =
                worker.run(
                        new WorkerJob("steps", body().put("a", 1), LONG),
                        _ -> {
                            throw new IllegalStateException("listener");
                        });

        assertEquals(body().put("a", 1), result);
    }

    @Test
    void run_jobFails_processContinues() throws Exception {
        assertEquals(new Failure.Reported(1003, "invalid input file"), failure("refuse", body()));
        assertStillWorks();
    }

    @Test
    void run_handlerHasABug_isReportedByClassOnly() throws Exception {
        assertEquals(
                new Failure.Reported(1099, "internal: IllegalStateException"),
                failure("bug", body()));
        assertStillWorks();
    }

    @Test
    void run_unknownKind_isReported() throws Exception {
        assertInstanceOf(Failure.Reported.class, failure("nothing", body()));
        assertStillWorks();
    }

    @Test
    void run_requestTooLarge_isRefusedBeforeItIsSent() throws Exception {
        ObjectNode large = body().put("a", "x".repeat(Worker.MAX_REQUEST_BYTES));

        assertThrows(IllegalArgumentException.class, () -> run("echo", large));

        assertStillWorks();
    }

    @Test
    void run_childHalts_isDiedWithStatusAndLastWords() {
        Failure.Died died =
                assertInstanceOf(Failure.Died.class, failure("halt", body().put("status", 42)));

        assertEquals(42, died.exit());
        assertEquals("last?[31m words", died.lastLines().getLast());
        assertFalse(died.outOfMemory());
        assertEnded();
    }

    @Test
    void run_childEatsHeap_isOutOfMemory() {
        Failure.Died died = assertInstanceOf(Failure.Died.class, failure("heap", body()));

        assertTrue(died.outOfMemory(), died::toString);
        assertEnded();
    }

    @Test
    void run_childEatsNativeMemory_isStopped() {
        assumeTrue(isolation.memoryLimit(), "prlimit is missing");

        Failure.Died died = assertInstanceOf(Failure.Died.class, failure("native", body()));

        assertTrue(died.outOfMemory(), died::toString);
    }

    @Test
    void run_childKilled_isDiedBySignal() throws Exception {
        CompletableFuture<Failure> failure = looping();

        ProcessHandle.of(worker.pid()).orElseThrow().destroyForcibly();

        Failure.Died died = assertInstanceOf(Failure.Died.class, failure.get());
        assertEquals(137, died.exit());
        assertTrue(died.received());
    }

    @Test
    void run_childKilledBetweenTwoJobs_isDiedBeforeTheJob() throws Exception {
        assertStillWorks();
        ProcessHandle child = ProcessHandle.of(worker.pid()).orElseThrow();
        child.destroyForcibly();
        child.onExit().join();

        Failure.Died died = assertInstanceOf(Failure.Died.class, failure("echo", body()));

        assertEquals(137, died.exit());
        assertFalse(died.received());
        assertEnded();
    }

    @Test
    void run_endlessLoop_isKilledAtTheTimeout() {
        Duration limit = Duration.ofMillis(300);

        WorkerException failure =
                assertThrows(
                        WorkerException.class,
                        () -> worker.run(new WorkerJob("loop", body(), limit), _ -> {}));

        assertEquals(new Failure.TimedOut(limit), failure.failure());
        assertEnded();
    }

    @Test
    void cancel_running_endsTheJob() throws Exception {
        CompletableFuture<Failure> failure = looping();

        worker.cancel();

        assertEquals(new Failure.Canceled(), failure.get());
        assertEnded();
    }

    @Test
    void run_callerInterrupted_cancels() throws Exception {
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        CountDownLatch started = new CountDownLatch(1);
        Thread caller =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    WorkerException failure =
                                            assertThrows(
                                                    WorkerException.class,
                                                    () ->
                                                            worker.run(
                                                                    new WorkerJob(
                                                                            "loop", body(), LONG),
                                                                    _ -> started.countDown()));
                                    interrupted.complete(
                                            failure.failure() instanceof Failure.Canceled
                                                    && Thread.currentThread().isInterrupted());
                                });
        started.await();

        caller.interrupt();

        assertTrue(interrupted.get());
        assertEnded();
    }

    /** Starts a job that never ends. */
    private CompletableFuture<Failure> looping() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CompletableFuture<Failure> failure = new CompletableFuture<>();
        Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                worker.run(
                                        new WorkerJob("loop", body(), LONG),
                                        _ -> started.countDown());
                                failure.completeExceptionally(new AssertionError("a result"));
                            } catch (WorkerException e) {
                                failure.complete(e.failure());
                            }
                        });
        assertTrue(started.await(30, TimeUnit.SECONDS));
        return failure;
    }

    @Test
    void run_librariesPrint_repliesAreUntouched() throws Exception {
        assertEquals(body().put("a", 2), run("noise", body().put("a", 2)));
        assertStillWorks();
    }

    @Test
    void run_nonsenseOnTheReplyPipe_isUnreadable() {
        Failure failure = failure("garbage", body().put("text", "not json\n").put("times", 1));

        assertInstanceOf(Failure.Unreadable.class, failure);
        assertEnded();
    }

    @Test
    void run_endlessLine_isUnreadable() {
        ObjectNode text = body().put("text", "x".repeat(10_000)).put("times", 200);

        Failure.Unreadable failure =
                assertInstanceOf(Failure.Unreadable.class, failure("garbage", text));

        assertTrue(failure.reason().contains("too long"), failure::reason);
    }

    @Test
    void child_network_isOutOfReach() throws Exception {
        assumeTrue(isolation.sandbox().isWall(), isolation::describe);
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ObjectNode port = body().put("port", server.getLocalPort());

            assertFalse(run("connect", port).path("connected").asBoolean());

            try (WorkerProcess free = startWith(WorkerIsolation.withoutSandbox())) {
                JsonNode reached = free.run(new WorkerJob("connect", port, LONG), _ -> {});
                assertTrue(reached.path("connected").asBoolean());
            }
        }
    }

    @Test
    void child_surroundings_holdNothingOfTheServer() throws Exception {
        JsonNode found = run("state", body());

        Set<String> names = new TreeSet<>();
        found.path("environment").fieldNames().forEachRemaining(names::add);
        assertEquals(Set.of("LANG", "PATH"), names);
        assertEquals("1000", found.path("oom").asText());
        assertEquals(worker.folder().toRealPath().toString(), found.path("dir").asText());
        assertEquals(worker.folder().toString(), found.path("tmp").asText());
        if (isolation.lowPriority()) {
            assertTrue(found.path("nice").asInt() >= 7, () -> found.path("nice").toString());
        }
        if (isolation.memoryLimit()) {
            assertTrue(found.path("limits").asText().matches("(?s).*Max data size +536870912 .*"));
        }
    }

    @Test
    void close_idle_processEndsByItself() throws Exception {
        assertStillWorks();

        worker.close();

        assertFalse(worker.isAlive());
        assertThrows(WorkerException.class, () -> run("echo", body()));
        worker.close();
    }

    @Test
    void close_atWork_endsTheJob() throws Exception {
        CompletableFuture<Failure> failure = looping();

        worker.close();

        assertEquals(new Failure.Canceled(), failure.get());
    }

    @Test
    void start_noSuchJvm_isAnError() {
        WorkerLaunch launch =
                new WorkerLaunch(
                        new WorkerJvm(folder.resolve("no-java"), "", List.of()),
                        "Main",
                        folder,
                        LIMITS);
        WorkerIsolation bare =
                new WorkerIsolation(false, false, WorkerSandbox.NONE, /* withGpu= */ false);

        String[] before = folder.toFile().list();

        assertThrows(IOException.class, () -> WorkerProcess.start(launch, bare));
        assertArrayEquals(before, folder.toFile().list());
    }
}
