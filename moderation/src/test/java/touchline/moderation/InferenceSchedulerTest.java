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
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.media.SessionId;
import touchline.media.ffmpeg.VideoFrame;
import touchline.moderation.InferenceScheduler.Outcome;
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
    private final InferenceScheduler detector =
            new InferenceScheduler(/* queueFrames= */ 4, /* batchWaitNs= */ 0, clock::nanoTime);

    @AfterEach
    void close() {
        fakes.pass(1_000);
        detector.close();
        frames.forEach(VideoFrame::close);
        assertEquals(0, fakes.open());
    }

    @Test
    void beforeModelsAreLoaded_framesWait() throws Exception {
        CompletableFuture<Outcome> waiting = submit(ONE, "a");
        assertEquals(1, detector.waitingFrames());
        assertFalse(waiting.isDone());
        install("m", AlertType.WEAPON);
        detector.release(1);

        assertEquals(1, analysed(waiting).detections().size());
    }

    @Test
    void everyModelOfAnAskedType_answers_othersAreNotAsked() throws Exception {
        install("guns", AlertType.WEAPON);
        install("knives", AlertType.WEAPON);
        install("nudes", AlertType.NUDE);
        install("both", AlertType.NUDE, AlertType.WEAPON);
        fakes.scores("knives", _ -> 0.7);
        detector.release(1);
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
        fakes.failing("bad", "no luck");
        detector.release(1);
        Outcome.Analysed outcome =
                analysed(detector.submit(ONE, frame(), Set.of(AlertType.WEAPON, AlertType.NUDE)));

        assertEquals(1, outcome.detections().size());
        assertEquals(
                Set.of("WEAPON 'bad' no luck", "NUDE '' no model serves this type"),
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
    void fullQueue_losesTheOldestOfTheSessionThatHasMost() throws Exception {
        install("m", AlertType.WEAPON);
        CompletableFuture<Outcome> first = submit(ONE, "one-1");
        CompletableFuture<Outcome> second = submit(ONE, "one-2");
        CompletableFuture<Outcome> third = submit(ONE, "one-3");
        CompletableFuture<Outcome> other = submit(OTHER, "other-1");
        CompletableFuture<Outcome> fifth = submit(OTHER, "other-2");

        assertInstanceOf(Outcome.Dropped.class, first.get(10, TimeUnit.SECONDS));
        detector.release(1);
        for (CompletableFuture<Outcome> each : List.of(second, third, other, fifth)) {
            analysed(each);
        }
        assertEquals(
                List.of("one-1", "one-2", "other-1", "one-3", "other-2"),
                List.copyOf(order),
                "dropped first, then in turn");
    }

    @Test
    void batch_takesOneOfEachSessionInTurn() throws Exception {
        install("m", AlertType.WEAPON);
        CompletableFuture<Outcome> _ = submit(ONE, "one-1");
        CompletableFuture<Outcome> _ = submit(ONE, "one-2");
        CompletableFuture<Outcome> last = submit(OTHER, "other-1");
        detector.release(2);
        analysed(last);

        assertEquals(2, fakes.largestBatch());
        assertEquals(List.of("one-1", "other-1"), List.copyOf(order).subList(0, 2));
    }

    @Test
    void incompleteBatch_waitsForItsTimeOnly() throws Exception {
        try (InferenceScheduler patient =
                new InferenceScheduler(4, TimeUnit.MILLISECONDS.toNanos(1), System::nanoTime)) {
            patient.install("m", WEAPON, detectorOf("m", AlertType.WEAPON));
            patient.release(3);
            CompletableFuture<Outcome> alone = patient.submit(ONE, frame(), WEAPON);

            analysed(alone);
            assertEquals(1, fakes.largestBatch());
        }
    }

    @Test
    void fullBatch_doesNotWait() throws Exception {
        // Time stands still: only a full batch can get through.
        try (InferenceScheduler patient = new InferenceScheduler(4, 1, clock::nanoTime)) {
            patient.install("m", WEAPON, detectorOf("m", AlertType.WEAPON));
            patient.release(2);
            CompletableFuture<Outcome> first = patient.submit(ONE, frame(), WEAPON);
            CompletableFuture<Outcome> _ = patient.submit(OTHER, frame(), WEAPON);

            analysed(first);
            assertEquals(2, fakes.largestBatch());
        }
    }

    @Test
    void stuckInference_isTold_andForgottenSessionsGetTheirAnswer() throws Exception {
        install("m", AlertType.WEAPON);
        fakes.hold();
        detector.release(1);
        CompletableFuture<Outcome> stuck = submit(ONE, "stuck");
        CompletableFuture<Outcome> behind = submit(ONE, "behind");
        while (fakes.calls() == 0) {
            Thread.onSpinWait();
        }
        assertEquals(0, detector.stuckSeconds());
        clock.advance(Duration.ofSeconds(11));
        assertEquals(11, detector.stuckSeconds());
        detector.forget(ONE);
        assertInstanceOf(Outcome.Dropped.class, behind.get(10, TimeUnit.SECONDS));
        assertFalse(stuck.isDone());
        fakes.pass(1);

        analysed(stuck);
    }

    @Test
    void replacedModel_isClosed_removedOneServesNoMore() throws Exception {
        install("m", AlertType.WEAPON);
        install("m", AlertType.WEAPON);
        detector.release(1);
        analysed(submit(ONE, "a"));
        assertEquals(1, fakes.open());
        detector.remove("m");
        Outcome.Analysed outcome = analysed(submit(ONE, "b"));

        assertEquals(List.of(), outcome.detections());
        assertEquals(1, outcome.failures().size());
        assertEquals(0, fakes.open());
    }

    private void install(String name, AlertType... types) {
        detector.install(name, Set.of(types), detectorOf(name, types));
    }

    private Detector detectorOf(String name, AlertType... types) {
        return fakes.load(ModelSpecReader.read(FakeDetectors.write(models, name, types)));
    }

    private CompletableFuture<Outcome> submit(SessionId session, String name) {
        CompletableFuture<Outcome> outcome = detector.submit(session, frame(), WEAPON);
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
