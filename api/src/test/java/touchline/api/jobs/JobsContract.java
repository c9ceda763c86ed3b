package touchline.api.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import touchline.api.db.Database;
import touchline.api.db.JobRows;
import touchline.testing.Await;

/**
 * What jobs promise, run once for each database. Whatever has to come is waited for, far longer
 * than it takes. The database is not asked anyway meanwhile.
 */
abstract class JobsContract {
    private static final Duration POLL = Duration.ofHours(1);

    private final BlockingQueue<JobRun> begun = new ArrayBlockingQueue<>(100);
    private final CountDownLatch gate = new CountDownLatch(1);

    /** The thread whose next look at the clock waits for the gate. */
    private final AtomicReference<@Nullable Thread> stopped = new AtomicReference<>();

    private final CountDownLatch looked = new CountDownLatch(1);
    private Jobs jobs;

    abstract Database database();

    @BeforeEach
    void make() {
        jobs = new Jobs(database(), this::now, POLL);
    }

    private Instant now() {
        if (stopped.compareAndSet(Thread.currentThread(), null)) {
            looked.countDown();
            try {
                gate.await();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
        return Clock.systemUTC().instant();
    }

    private JobQueue started(String kind, int places, JobHandler handler) {
        JobQueue queue = jobs.open(kind, places, handler);
        jobs.start();
        return queue;
    }

    private JobOutcome noted(JobRun run) {
        begun.add(run);
        return JobOutcome.DONE;
    }

    private JobOutcome held(JobRun run) throws InterruptedException {
        begun.add(run);
        gate.await();
        return JobOutcome.DONE;
    }

    private JobRun next() throws InterruptedException {
        return Objects.requireNonNull(
                begun.poll(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS), "no job has begun");
    }

    private static void awaitGone(JobQueue queue, String id) {
        Await.until(() -> !queue.contains(id), id + " is removed");
    }

    @AfterEach
    void close() {
        gate.countDown();
        jobs.close();
    }

    @Test
    void submit_whileIdle_runsAtOnceAndIsGone() throws Exception {
        JobQueue queue = started("idle", 1, this::noted);

        assertTrue(queue.submit("a", "text \u00e9"));

        JobRun run = next();
        assertEquals("a", run.id());
        assertEquals("text \u00e9", run.data());
        assertEquals(0, run.failures());
        awaitGone(queue, "a");
    }

    @Test
    void load_countsWhatRunsAndWhatWaits() throws Exception {
        JobQueue queue = started("load", 1, this::held);
        Instant before = Instant.now().minusMillis(5);
        queue.submit("a", "");
        next();
        queue.submit("b", "");
        queue.submit("later", "", before.plusSeconds(3_600));

        JobRows.Load load =
                Objects.requireNonNull(jobs.load(Instant.now().plusMillis(5)).get("load"));
        assertEquals(1, load.running());
        assertEquals(1, load.waiting());
        Instant due = load.oldestDue().orElseThrow();
        assertTrue(!due.isBefore(before) && due.isBefore(before.plusSeconds(60)), due::toString);
        assertEquals(List.of("load"), jobs.kinds());
        assertEquals(0, jobs.failedRuns("load"));
        queue.cancel("later");
    }

    @Test
    void submit_sameIdWhileItRuns_isRefused() throws Exception {
        JobQueue queue = started("twice", 1, this::held);
        queue.submit("a", "first");
        next();

        assertFalse(queue.submit("a", "second"));
        gate.countDown();

        awaitGone(queue, "a");
        assertTrue(queue.submit("a", "third"));
        assertEquals("third", next().data());
    }

    @Test
    void submit_inATransaction_runsAfterItsCommitOnly() throws Exception {
        JobQueue queue = started("transaction", 2, this::noted);

        assertThrows(
                IllegalStateException.class,
                () ->
                        database()
                                .transact(
                                        () -> {
                                            queue.submit("rolled-back", "");
                                            throw new IllegalStateException("roll back");
                                        }));
        database()
                .transact(
                        () -> {
                            queue.submit("committed", "");
                            assertTrue(begun.isEmpty());
                        });

        assertEquals("committed", next().id());
        assertFalse(queue.contains("rolled-back"));
    }

    @Test
    void places_allTaken_holdTheirKindOnly() throws Exception {
        JobQueue slow = jobs.open("slow", 1, this::held);
        JobQueue quick = jobs.open("quick", 1, this::noted);
        jobs.start();

        slow.submit("s1", "");
        assertEquals("s1", next().id());
        slow.submit("s2", "");
        quick.submit("q1", "");
        assertEquals("q1", next().id());
        assertTrue(begun.isEmpty());

        gate.countDown();
        assertEquals("s2", next().id());
    }

    @Test
    void retry_comesAgainWithOneFailureMore() throws Exception {
        JobQueue queue =
                started(
                        "retry",
                        1,
                        run -> {
                            begun.add(run);
                            return run.failures() < 2
                                    ? new JobOutcome.Retry(
                                            Clock.systemUTC().instant().plusMillis(20))
                                    : JobOutcome.DONE;
                        });
        queue.submit("a", "kept");

        assertEquals(
                List.of(0, 1, 2), List.of(next().failures(), next().failures(), next().failures()));
        awaitGone(queue, "a");
    }

    @Test
    void step_goesOnWithItsData() throws Exception {
        JobQueue queue =
                started(
                        "steps",
                        1,
                        run -> {
                            begun.add(run);
                            return run.data().equals("1")
                                    ? new JobOutcome.Continue(Clock.systemUTC().instant(), "2")
                                    : JobOutcome.DONE;
                        });
        queue.submit("a", "1");

        assertEquals("1", next().data());
        assertEquals("2", next().data());
    }

    @Test
    void failure_thatWasNotForeseen_staysForLater() throws Exception {
        JobQueue queue =
                started(
                        "unforeseen",
                        1,
                        run -> {
                            begun.add(run);
                            if (run.failures() == 0) {
                                throw new IllegalStateException("a bug, on purpose");
                            }
                            return JobOutcome.DONE;
                        });
        queue.submit("a", "");
        next();

        // It is due in ten seconds. To reschedule it resets its failures.
        assertTrue(queue.contains("a"));
        Await.until(() -> queue.reschedule("a", Clock.systemUTC().instant()), "a waits");
        assertEquals(0, next().failures());
    }

    @Test
    void cancel_ofAWaitingJob_takesItAway() {
        JobQueue queue = started("waiting", 1, this::noted);
        queue.submit("a", "", Clock.systemUTC().instant().plus(Duration.ofHours(1)));

        assertTrue(queue.cancel("a"));
        assertFalse(queue.contains("a"));
        assertFalse(queue.cancel("a"));
    }

    @Test
    void cancel_ofARunningJob_interruptsItAndTakesItAway() throws Exception {
        JobQueue queue = started("running", 1, this::held);
        queue.submit("a", "");
        JobRun run = next();
        assertFalse(run.ending().getAsBoolean());

        assertTrue(queue.cancel("a"));

        awaitGone(queue, "a");
        assertTrue(queue.submit("a", "again"));
        assertEquals("again", next().data());
    }

    /**
     * Once its handler has returned, the scheduler looks at the clock, and then stores the result.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void cancel_betweenTheHandlerAndItsResult_takesItAway(boolean goesOn) throws Exception {
        JobQueue queue =
                started(
                        goesOn ? "returned" : "done",
                        1,
                        run -> {
                            begun.add(run);
                            stopped.set(Thread.currentThread());
                            return goesOn
                                    ? new JobOutcome.Continue(Instant.now().plusSeconds(3_600), "")
                                    : JobOutcome.DONE;
                        });
        queue.submit("a", "");
        next();
        assertTrue(looked.await(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS));

        assertTrue(queue.cancel("a"));
        assertTrue(queue.cancel("a"));
        gate.countDown();

        awaitGone(queue, "a");
        assertTrue(queue.submit("a", "again"));
        assertEquals("again", next().data());
        queue.cancel("a");
    }

    @Test
    void close_inTheMiddleOfAJob_leavesItToTheNextStart() throws Exception {
        started("closed", 1, this::held).submit("a", "data");
        next();

        jobs.close();
        make();
        JobQueue queue = started("closed", 1, this::noted);

        JobRun again = next();
        assertEquals("data", again.data());
        assertEquals(0, again.failures());
        awaitGone(queue, "a");
    }

    @Test
    void kill_inTheMiddleOfAJob_isAFailureOfIt() throws Exception {
        started("killed", 1, this::held).submit("a", "data");
        next();
        Jobs dead = jobs;

        make();
        started("killed", 1, this::noted);

        assertEquals(1, next().failures());
        // What the dead one would still do to its row meets another version of it.
        dead.close();
    }
}
