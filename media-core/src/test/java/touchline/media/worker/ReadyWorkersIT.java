package touchline.media.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import touchline.testing.Await;

/** Real child processes that are started before a job needs them. */
@Timeout(480)
final class ReadyWorkersIT {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final WorkerLimits LIMITS =
            new WorkerLimits(64L << 20, 512L << 20, /* niceness= */ 7);

    @TempDir Path folder;

    private Optional<WorkerPool> opened = Optional.empty();
    private final AtomicInteger firstJobs = new AtomicInteger();

    private WorkerPool pool(Duration idle) {
        WorkerPool pool =
                new WorkerPool(
                        WorkerLaunch.likeThisJvm(TestWorkerMain.class.getName(), folder, LIMITS),
                        WorkerIsolation::withoutSandbox,
                        new WorkerPool.Idle(2, idle));
        opened = Optional.of(pool);
        return pool;
    }

    @AfterEach
    void close() throws IOException {
        opened.ifPresent(WorkerPool::close);
        try (Stream<Path> left = Files.list(folder)) {
            assertEquals(0, left.count(), "folders of processes");
        }
    }

    private static WorkerJob job(String kind) {
        return new WorkerJob(kind, JsonNodeFactory.instance.objectNode().put("status", 1), LONG);
    }

    private ReadyWorkers.Wanted one(String kind) {
        return new ReadyWorkers.Wanted(
                1,
                Duration.ZERO,
                () -> {
                    firstJobs.incrementAndGet();
                    return Optional.of(job(kind));
                });
    }

    private static void awaitReady(WorkerPool pool) throws InterruptedException {
        Await.until(() -> pool.idlePids().size() == 1, "a process is ready");
    }

    @Test
    void keepReady_theFirstLease_hasTheProcessThatRanTheFirstJob() throws Exception {
        WorkerPool pool = pool(LONG);
        pool.keepReady(one("echo"));
        awaitReady(pool);
        long ready = pool.idlePids().getFirst();

        try (WorkerPool.Lease lease = pool.lease()) {
            assertEquals(ready, lease.process().pid());
            assertEquals(1, pool.processes());
        }

        assertEquals(1, firstJobs.get());
        assertEquals(1, pool.started());
        assertEquals(0, pool.crashed());
    }

    @Test
    void readyProcess_killed_isReplaced() throws Exception {
        WorkerPool pool = pool(LONG);
        pool.keepReady(one("echo"));
        awaitReady(pool);
        long first = pool.idlePids().getFirst();

        assertTrue(ProcessHandle.of(first).orElseThrow().destroyForcibly());

        Await.until(() -> pool.crashed() == 1, "it is noticed");
        awaitReady(pool);
        assertNotEquals(first, pool.idlePids().getFirst());
    }

    @Test
    void readyProcess_thatAJobKills_isReplaced() throws Exception {
        WorkerPool pool = pool(LONG);
        pool.keepReady(one("echo"));
        awaitReady(pool);
        long first;
        try (WorkerPool.Lease lease = pool.lease()) {
            first = lease.process().pid();
            lease.process().cancel();
        }

        awaitReady(pool);
        assertNotEquals(first, pool.idlePids().getFirst());
        assertEquals(1, pool.crashed());
    }

    /** Of two idle processes one ends after the idle time, the other when it need not be ready. */
    @Test
    void idleTime_leavesWhatIsToBeReady_asLongAsItIs() throws Exception {
        WorkerPool pool = pool(Duration.ofMillis(300));
        pool.keepReady(one("echo"));
        awaitReady(pool);
        WorkerPool.Lease first = pool.lease();
        List<Long> both = new ArrayList<>(List.of(first.process().pid()));
        try (WorkerPool.Lease second = pool.lease()) {
            both.add(second.process().pid());
            first.close();
        }
        Await.until(() -> pool.processes() == 1, "one has ended");
        assertTrue(both.contains(pool.idlePids().getFirst()));

        pool.keepReady(ReadyWorkers.Wanted.NONE);

        Await.until(() -> pool.processes() == 0, "none is left");
        assertEquals(0, pool.crashed());
        assertEquals(2, pool.started());
    }

    @Test
    void nothingWanted_startsNothing_andNeitherDoesAHostWithoutUse() throws Exception {
        WorkerPool pool = pool(LONG);
        AtomicInteger asked = new AtomicInteger();
        pool.keepReady(ReadyWorkers.Wanted.NONE);
        pool.keepReady(
                new ReadyWorkers.Wanted(
                        1,
                        Duration.ZERO,
                        () -> {
                            asked.incrementAndGet();
                            return Optional.empty();
                        }));

        Await.until(() -> asked.get() == 1, "it is asked");
        pool.close();

        assertEquals(1, asked.get());
        assertEquals(0, pool.started());
    }

    /** Each further start waits longer. */
    @Test
    void firstJobThatCrashes_isTriedAgain_notAllTheTime() throws Exception {
        WorkerPool pool = pool(LONG);
        long beganNs = System.nanoTime();
        pool.keepReady(one("halt"));

        Await.until(() -> pool.started() == 3, "a third start");

        Duration took = Duration.ofNanos(System.nanoTime() - beganNs);
        assertTrue(took.toMillis() >= 3_000, () -> "after " + took);
        assertEquals(0, pool.idlePids().size());
    }

    @Test
    void close_whileTheFirstJobRuns_endsItsProcess() throws Exception {
        WorkerPool pool = pool(LONG);
        pool.keepReady(one("loop"));
        Await.until(() -> pool.started() == 1, "it has started");
        List<ProcessHandle> children = ProcessHandle.current().children().toList();

        pool.close();

        assertFalse(children.isEmpty());
        Await.until(() -> children.stream().noneMatch(ProcessHandle::isAlive), "it has ended");
        assertEquals(0, pool.processes());
    }
}
