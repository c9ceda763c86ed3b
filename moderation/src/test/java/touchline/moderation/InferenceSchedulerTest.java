package touchline.moderation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.media.SessionId;
import touchline.media.ffmpeg.VideoFrame;
import touchline.moderation.InferenceScheduler.Outcome;
import touchline.testing.Await;
import touchline.testing.SettableClock;

final class InferenceSchedulerTest {
    private static final SessionId ONE = new SessionId("one");
    private static final SessionId OTHER = new SessionId("other");
    private static final Set<AlertType> WEAPON = Set.of(AlertType.WEAPON);

    @TempDir Path models;

    private final SettableClock clock = new SettableClock();
    private final FakeDetectors fakes = new FakeDetectors();
    private final List<VideoFrame> frames = new ArrayList<>();
    private final ConcurrentLinkedQueue<String> order = new ConcurrentLinkedQueue<>();
    private final InternalErrors errors = new InternalErrors(clock::nanoTime);
    private final SampleCounts counts = new SampleCounts(null);
    private final InferenceScheduler scheduler =
            new InferenceScheduler(
                    /* queueFrames= */ 4, /* batchWaitNs= */ 0, clock::nanoTime, errors, counts);

    @AfterEach
    void close() {
        fakes.pass(1_000);
        scheduler.close();
        frames.forEach(VideoFrame::close);
        assertEquals(0, fakes.open());
    }

    @Test
    void beforeModelsAreLoaded_framesWait() throws Exception {
        CompletableFuture<Outcome> waiting = submit(ONE, "a");
        assertEquals(1, scheduler.waitingFrames());
        assertFalse(waiting.isDone());
        install("m", AlertType.WEAPON);
        scheduler.release(1);

        assertEquals(1, analysed(waiting).detections().size());
    }

    @Test
    void everyModelOfARequestedType_answers_othersDoNotRun() throws Exception {
        install("guns", AlertType.WEAPON);
        install("knives", AlertType.WEAPON);
        install("nudes", AlertType.NUDE);
        install("both", AlertType.NUDE, AlertType.WEAPON);
        fakes.scores("knives", _ -> 0.7);
        scheduler.release(1);
        Outcome.Analysed outcome = analysed(submit(ONE, "a"));

        assertEquals(
                List.of("guns", "knives", "both"),
                outcome.detections().stream().map(Detection::modelVersion).toList());
        assertEquals(0.7, outcome.detections().get(1).confidence());
        assertTrue(outcome.detections().stream().allMatch(each -> each.type() == AlertType.WEAPON));
        assertEquals(List.of(), outcome.failures());
        assertEquals(3, fakes.calls());
    }

    @Test
    void failingModel_isNamed_othersAnswer() throws Exception {
        install("good", AlertType.WEAPON);
        install("bad", AlertType.WEAPON);
        fakes.failing("bad", "out of memory");
        scheduler.release(1);
        Outcome.Analysed outcome =
                analysed(scheduler.submit(ONE, frame(), Set.of(AlertType.WEAPON, AlertType.NUDE)));

        assertEquals(1, outcome.detections().size());
        assertEquals(
                Set.of("WEAPON 'bad' out of memory", "NUDE '' no model serves this type"),
                outcome.failures().stream()
                        .map(
                                each ->
                                        "%s '%s' %s"
                                                .formatted(
                                                        each.type(),
                                                        each.modelVersion(),
                                                        each.reason()))
                        .collect(Collectors.toSet()));
    }

    @Test
    void fullQueue_dropsTheOldestOfTheSessionThatHasMost() throws Exception {
        install("m", AlertType.WEAPON);
        CompletableFuture<Outcome> first = submit(ONE, "one-1");
        CompletableFuture<Outcome> second = submit(ONE, "one-2");
        CompletableFuture<Outcome> third = submit(ONE, "one-3");
        CompletableFuture<Outcome> other = submit(OTHER, "other-1");
        CompletableFuture<Outcome> fifth = submit(OTHER, "other-2");

        assertInstanceOf(Outcome.Dropped.class, first.get(10, TimeUnit.SECONDS));
        scheduler.release(1);
        for (CompletableFuture<Outcome> each : List.of(second, third, other, fifth)) {
            analysed(each);
        }
        assertEquals(
                List.of("one-1", "one-2", "other-1", "one-3", "other-2"),
                List.copyOf(order),
                "the dropped one, then in turn");
    }

    @Test
    void batch_takesOneOfEachSessionInTurn() throws Exception {
        install("m", AlertType.WEAPON);
        CompletableFuture<Outcome> _ = submit(ONE, "one-1");
        CompletableFuture<Outcome> _ = submit(ONE, "one-2");
        CompletableFuture<Outcome> last = submit(OTHER, "other-1");
        scheduler.release(2);
        analysed(last);

        assertEquals(2, fakes.largestBatch());
        assertEquals(List.of("one-1", "other-1"), List.copyOf(order).subList(0, 2));
    }

    @Test
    void incompleteBatch_isAnalysedAfterTheWait() throws Exception {
        try (InferenceScheduler waiting =
                new InferenceScheduler(
                        4,
                        TimeUnit.MILLISECONDS.toNanos(1),
                        System::nanoTime,
                        new InternalErrors(System::nanoTime),
                        counts)) {
            waiting.install("m", WEAPON, detectorOf("m", AlertType.WEAPON));
            waiting.release(3);
            CompletableFuture<Outcome> alone = waiting.submit(ONE, frame(), WEAPON);

            analysed(alone);
            assertEquals(1, fakes.largestBatch());
        }
    }

    @Test
    void fullBatch_doesNotWait() throws Exception {
        // Time does not advance: only a full batch is analysed.
        try (InferenceScheduler waiting =
                new InferenceScheduler(
                        4, 1, clock::nanoTime, new InternalErrors(clock::nanoTime), counts)) {
            waiting.install("m", WEAPON, detectorOf("m", AlertType.WEAPON));
            waiting.release(2);
            CompletableFuture<Outcome> first = waiting.submit(ONE, frame(), WEAPON);
            CompletableFuture<Outcome> _ = waiting.submit(OTHER, frame(), WEAPON);

            analysed(first);
            assertEquals(2, fakes.largestBatch());
        }
    }

    @Test
    void stuckInference_isReported_andDiscardedFramesGetTheirOutcome() throws Exception {
        install("m", AlertType.WEAPON);
        fakes.hold();
        scheduler.release(1);
        CompletableFuture<Outcome> stuck = submit(ONE, "stuck");
        CompletableFuture<Outcome> waiting = submit(ONE, "waiting");
        Await.until(() -> fakes.calls() > 0, () -> "no inference has begun");
        assertEquals(0, scheduler.stuckSeconds());
        clock.advance(Duration.ofSeconds(11));
        assertEquals(11, scheduler.stuckSeconds());
        scheduler.discard(ONE);
        assertInstanceOf(Outcome.Dropped.class, waiting.get(10, TimeUnit.SECONDS));
        assertFalse(stuck.isDone());
        fakes.pass(1);

        analysed(stuck);
    }

    @Test
    void replacedModel_isClosed_removedOneServesNothing() throws Exception {
        install("m", AlertType.WEAPON);
        install("m", AlertType.WEAPON);
        scheduler.release(1);
        analysed(submit(ONE, "a"));
        assertEquals(1, fakes.open());
        scheduler.remove("m");
        Outcome.Analysed outcome = analysed(submit(ONE, "b"));

        assertEquals(List.of(), outcome.detections());
        assertEquals(1, outcome.failures().size());
        assertEquals(0, fakes.open());
    }

    @Test
    void modelThatCannotBeClosed_isReported_andOthersStillRun() throws Exception {
        install("good", AlertType.WEAPON);
        install("bad", AlertType.WEAPON);
        fakes.unclosable("bad", "device lost");
        scheduler.release(1);
        scheduler.remove("bad");
        Outcome.Analysed outcome = analysed(submit(ONE, "a"));

        assertEquals(
                List.of("good"),
                outcome.detections().stream().map(Detection::modelVersion).toList());
        assertEquals(
                List.of("model change failed: bad: java.lang.IllegalStateException: device lost"),
                errors.active());
        assertEquals(1, counts.snapshot().errors());
        install("bad", AlertType.NUDE);
        analysed(submit(ONE, "b"));
        assertEquals(List.of(), errors.active(), "a later change succeeds");
    }

    @Test
    void errorInAModel_failsItsTypesOnly() throws Exception {
        install("good", AlertType.WEAPON);
        install("bad", AlertType.WEAPON);
        fakes.scores(
                "bad",
                _ -> {
                    throw new LinkageError("no libtorch");
                });
        scheduler.release(1);

        for (int i = 0; i < 2; i++) {
            Outcome.Analysed outcome = analysed(submit(ONE, "a"));
            assertEquals(1, outcome.detections().size());
            assertEquals(
                    List.of(new FrameReport.Failure(AlertType.WEAPON, "bad", "no libtorch")),
                    outcome.failures());
        }
    }

    /** The clock fails on the inference thread: nothing guards that, and the thread ends. */
    @Test
    void threadThatEnds_isReported_framesAreDropped_andModelsClosed() throws Exception {
        AtomicBoolean fails = new AtomicBoolean();
        LongSupplier nanoTime =
                () -> {
                    if (fails.get() && Thread.currentThread().getName().equals("inference")) {
                        throw new AssertionError("injected");
                    }
                    return clock.nanoTime();
                };
        InternalErrors own = new InternalErrors(clock::nanoTime);
        try (InferenceScheduler failing = new InferenceScheduler(4, 0, nanoTime, own, counts)) {
            failing.install("m", WEAPON, detectorOf("m", AlertType.WEAPON));
            fails.set(true);
            CompletableFuture<Outcome> first = failing.submit(ONE, frame(), WEAPON);
            failing.release(1);

            assertInstanceOf(Outcome.Dropped.class, first.get(10, TimeUnit.SECONDS));
            CompletableFuture<Outcome> later = failing.submit(ONE, frame(), WEAPON);
            assertInstanceOf(Outcome.Dropped.class, later.get(10, TimeUnit.SECONDS));
            assertEquals(
                    List.of("inference failed: java.lang.AssertionError: injected"), own.active());
            Await.until(() -> fakes.open() == 0, () -> "the model stays open");
        }
    }

    /** Fewer frames than a batch has wait for others, but not longer than this. */
    @Test
    void smallBatch_waitsForOthers_untilItsTime() throws Exception {
        long waitNs = TimeUnit.MILLISECONDS.toNanos(1);
        try (InferenceScheduler batching =
                new InferenceScheduler(4, waitNs, clock::nanoTime, errors, counts)) {
            batching.install("m", WEAPON, detectorOf("m", AlertType.WEAPON));
            batching.release(3);
            CompletableFuture<Outcome> first = batching.submit(ONE, frame(), WEAPON);
            CompletableFuture<Outcome> second = batching.submit(OTHER, frame(), WEAPON);
            assertFalse(first.isDone());

            clock.advance(Duration.ofMillis(1));

            analysed(first);
            analysed(second);
            assertEquals(2, fakes.largestBatch());
        }
    }

    @Test
    void modelAfterClose_isClosed() {
        scheduler.close();

        install("m", AlertType.WEAPON);

        assertEquals(0, fakes.open());
    }

    @Test
    void close_interruptedCaller_staysInterrupted() {
        fakes.hold();
        install("m", AlertType.WEAPON);
        scheduler.release(1);
        CompletableFuture<Outcome> running = submit(ONE, "a");
        Await.until(() -> fakes.calls() == 1, () -> "no inference");

        Thread.currentThread().interrupt();
        scheduler.close();

        assertTrue(Thread.interrupted());
        assertFalse(running.isDone(), "the inference is not waited for");
        fakes.pass(1);
    }

    private void install(String name, AlertType... types) {
        scheduler.install(name, Set.of(types), detectorOf(name, types));
    }

    private Detector detectorOf(String name, AlertType... types) {
        return fakes.load(ModelSpecReader.read(FakeDetectors.write(models, name, types)));
    }

    private CompletableFuture<Outcome> submit(SessionId session, String name) {
        CompletableFuture<Outcome> outcome = scheduler.submit(session, frame(), WEAPON);
        return outcome.whenComplete((_, _) -> order.add(name));
    }

    private VideoFrame frame() {
        VideoFrame frame = Painted.grey(32, 32);
        frames.add(frame);
        return frame;
    }

    private static Outcome.Analysed analysed(CompletableFuture<Outcome> outcome) throws Exception {
        return assertInstanceOf(Outcome.Analysed.class, outcome.get(10, TimeUnit.SECONDS));
    }
}
