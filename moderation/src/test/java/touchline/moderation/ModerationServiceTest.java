package touchline.moderation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.config.ModerationConfig;
import touchline.media.AccessUnit;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.ffmpeg.VideoFrame;
import touchline.media.hub.Feed;
import touchline.media.hub.PublishBarrier.Verdict;
import touchline.moderation.FrameReport.Status;
import touchline.moderation.Painted.Paint;
import touchline.testing.SettableClock;

/** Sessions from the feed to the sink, with models that say what the test wants. */
final class ModerationServiceTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir Path models;
    @TempDir Path demos;

    private final SettableClock clock = new SettableClock();
    private final FakeDetectors fakes = new FakeDetectors();
    private final Feed feed = new Feed();
    private final BlockingQueue<Told> told = new LinkedBlockingQueue<>();
    private @Nullable ModerationService room;

    /** What the sink got. */
    private record Told(
            Status status, long ptsMs, String results, String failures, Set<AlertType> unserved) {}

    private final ModerationSink sink =
            new ModerationSink() {
                @Override
                public void analysed(FrameReport report) {
                    assertTrue(report.frame().toJpeg(80).length > 100);
                    told.add(
                            new Told(
                                    report.status(),
                                    report.ptsUs() / 1_000,
                                    report.results().stream()
                                            .map(ModerationServiceTest::text)
                                            .toList()
                                            .toString(),
                                    report.failures().toString(),
                                    Set.of()));
                }

                @Override
                public void unserved(Set<AlertType> types) {
                    told.add(new Told(Status.ERROR, -1, "", "", types));
                }
            };

    @BeforeEach
    void folders() {
        FakeDetectors.write(models, "guns", AlertType.WEAPON);
        FakeDetectors.write(models, "nudes", AlertType.NUDE);
    }

    @AfterEach
    void close() {
        fakes.pass(1_000);
        if (room != null) {
            room.close();
        }
        assertEquals(0, fakes.open());
    }

    @Test
    void everySampledFrame_isReported_withEveryModelsResult() throws Exception {
        fakes.scores("guns", _ -> 0.5).scores("nudes", _ -> 0.96);
        try (ModerationTask task = task()) {
            task.apply(policy(1, false, 0.6, 0.9));
            feed(units(0, 60, _ -> false));

            String results = "[nude 0.96 reject nudes, weapon 0.5 pass guns]";
            for (long ptsMs : List.of(0L, 1_000L, 2_000L)) {
                assertEquals(new Told(Status.REJECT, ptsMs, results, "[]", Set.of()), next());
            }
            assertEquals(new ModerationCounters(3, 3, 0, 0, 0), task.counters());
            assertEquals(task.counters(), started().counters());
        }
    }

    @Test
    void policyChange_countsFromTheNextFrame_stopEndsAndAPolicyStartsAnew() throws Exception {
        fakes.scores("guns", _ -> 0.5);
        try (ModerationTask task = task()) {
            assertFalse(task.isRunning());
            task.apply(policy(1, false, 0.6));
            feed(units(0, 30, _ -> false));
            assertEquals(Status.PASS, next().status());
            assertEquals(Status.PASS, next().status());
            task.apply(policy(1, false, 0.4));
            units(0, 60, _ -> false).subList(30, 60).forEach(feed::offer);
            feed.flush();
            assertEquals(Status.REVIEW, next().status());
            task.stop();
            assertFalse(task.isRunning());
            feed(units(3_000_000, 50, _ -> false));
            assertNull(told.poll(200, TimeUnit.MILLISECONDS));
            task.apply(policy(2, false, 0.6));

            assertEquals(5_000L, next().ptsMs(), "the newest group of frames is where it begins");
        }
    }

    @Test
    void typeWithoutAModel_isToldAtTheStart_andTheRestIsAnalysed() throws Exception {
        Files.delete(models.resolve("nudes/model.yaml"));
        try (ModerationTask task = task()) {
            assertTrue(started().serves(AlertType.WEAPON));
            assertFalse(started().serves(AlertType.NUDE));
            task.apply(policy(1, false, 0.6, 0.6));
            assertEquals(Set.of(AlertType.NUDE), next().unserved());
            feed(units(0, 10, _ -> false));
            Told report = next();

            assertEquals(Status.ERROR, report.status());
            assertTrue(report.failures().contains("no model serves this type"), report.failures());
        }
        assertEquals(
                "degraded: nudes: model.yaml cannot be read (NoSuchFileException)",
                started().state());
    }

    @Test
    void modelThatCannotBeLoaded_isBrokenByName_theOtherWorks() throws Exception {
        fakes.unloadable("guns", "a bad file").scores("nudes", _ -> 0.9);
        try (ModerationTask task = task()) {
            awaitState("degraded: guns: a bad file");
            assertFalse(started().serves(AlertType.WEAPON));
            assertTrue(started().serves(AlertType.NUDE));
            task.apply(new ModerationPolicy(1, Map.of(AlertType.NUDE, 0.3), false, 0.5));
            feed(units(0, 10, _ -> false));

            assertEquals(Status.REJECT, next().status());
        }
    }

    @Test
    void gate_publishesWhatPassedFramesHaveSeen() throws Exception {
        fakes.scores("guns", ModerationServiceTest::cyan);
        try (ModerationTask task = task()) {
            task.apply(policy(1, true, 0.5));
            // Alarm from 2.0 s to 3.4 s; frames of 0 to 3.95 s, then the end.
            feed(units(0, 80, index -> index >= 40 && index < 68));
            feed.end();

            assertEquals(Verdict.PASS, task.barrier().await(1_000_000));
            assertEquals(Verdict.DISCARD, task.barrier().await(1_500_000));
            assertEquals(Verdict.DISCARD, task.barrier().await(2_900_000));
            assertEquals(Verdict.DISCARD, task.barrier().await(3_500_000));
            assertEquals(Verdict.DISCARD, task.barrier().await(4_000_000));
        }
    }

    @Test
    void gate_lastFrameOfTheStream_isJudgedToo() throws Exception {
        try (ModerationTask task = task()) {
            task.apply(policy(2, true, 0.5));
            feed(units(0, 57, _ -> false));
            feed.end();

            assertEquals(Verdict.PASS, task.barrier().await(2_800_000));
            assertEquals(
                    List.of(0L, 2_000L, 2_800L),
                    List.of(next(), next(), next()).stream().map(Told::ptsMs).toList());
            assertEquals(Verdict.DISCARD, task.barrier().await(2_800_001));
        }
    }

    @Test
    void gate_stoppedTaskLetsEverythingPass() throws Exception {
        fakes.hold();
        try (ModerationTask task = task()) {
            task.apply(policy(1, true, 0.5));
            feed(units(0, 10, _ -> false));
            while (fakes.calls() == 0) {
                Thread.onSpinWait();
            }
            task.stop();

            assertEquals(Verdict.PASS, task.barrier().await(9_000_000));
        }
    }

    @Test
    void compositorsFrames_areTakenInsteadOfDecoding() throws Exception {
        fakes.scores("guns", ModerationServiceTest::cyan);
        try (ModerationTask task = task();
                VideoFrame grey = Painted.grey(64, 36);
                VideoFrame cyan = Painted.with(64, 36, Paint.CYAN, Box.WHOLE)) {
            assertFalse(task.tap().wants(0), "nothing runs");
            task.apply(policy(1, false, 0.5));
            assertFalse(task.tap().wants(0), "no compositor runs");
            task.composited(true);
            feed(units(0, 100, _ -> false));
            for (int i = 0; i < 30; i++) {
                VideoFrame frame = i < 15 ? grey : cyan;
                frame.ptsTicks(i * 9_000L);
                if (task.tap().wants(i * 100_000L)) {
                    task.tap().offer(frame.view());
                }
            }

            assertEquals(
                    List.of(0L, 1_000L, 2_000L),
                    List.of(next(), next(), next()).stream().map(Told::ptsMs).toList());
            assertNull(told.poll(100, TimeUnit.MILLISECONDS));
        }
    }

    @Test
    void compositorThatStartsAndEnds_takesNoFrameTwice() throws Exception {
        try (ModerationTask task = task();
                VideoFrame frame = Painted.grey(64, 36)) {
            task.apply(policy(1, false, 0.5));
            feed(units(0, 60, _ -> false));
            assertEquals(List.of(0L, 1_000L, 2_000L), List.of(nextMs(), nextMs(), nextMs()));

            task.composited(true);
            for (int i = 20; i < 35; i++) {
                frame.ptsTicks(i * 9_000L);
                if (task.tap().wants(i * 100_000L)) {
                    task.tap().offer(frame.view());
                }
            }
            assertEquals(3_000L, nextMs());

            task.composited(false);
            feed(units(3_000_000, 60, _ -> false));
            assertEquals(List.of(4_000L, 5_000L), List.of(nextMs(), nextMs()));
        }
    }

    @Test
    void slowSink_losesTheNewestFrames_countedAndTheGateGoesOn() throws Exception {
        BlockingQueue<Integer> mayGo = new LinkedBlockingQueue<>();
        ModerationSink slow =
                report -> {
                    try {
                        assertNotNull(mayGo.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS));
                        told.add(
                                new Told(
                                        report.status(), report.ptsUs() / 1_000, "", "", Set.of()));
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                };
        ModerationService open = start(ModerationConfig.of(models, false, "cpu"));
        try (ModerationTask task =
                open.open(new StreamId("st"), new SessionId("se"), () -> feed, slow)) {
            task.apply(policy(1, true, 0.5));
            feed(CodedStream.small().gopFrames(20).units(600, 0, (_, _) -> {}));
            assertEquals(Verdict.PASS, task.barrier().await(10_000_000));
            long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
            while (task.counters().sampled() < 30 && System.nanoTime() < deadlineNs) {
                Thread.onSpinWait();
            }

            assertTrue(task.counters().dropped() > 0, task.counters().toString());
            for (int i = 0; i < 30; i++) {
                mayGo.add(i);
            }
            assertEquals(0, next().ptsMs());
            assertEquals(1_000, next().ptsMs());
        }
    }

    private ModerationTask task() {
        return task(start(ModerationConfig.of(models, false, "cpu")));
    }

    private ModerationTask task(ModerationService open) {
        return open.open(new StreamId("st"), new SessionId("se"), () -> feed, sink);
    }

    private ModerationService start(ModerationConfig config) {
        ModerationService started =
                ModerationService.start(
                        config,
                        demos,
                        fakes,
                        new ModerationService.Dependencies(clock, clock::nanoTime, clock.timer()));
        room = started;
        return started;
    }

    private ModerationService started() {
        if (room == null) {
            throw new IllegalStateException("not started");
        }
        return room;
    }

    private Told next() throws InterruptedException {
        Told next = told.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("nothing came; " + started().state());
        }
        return next;
    }

    private long nextMs() throws InterruptedException {
        return next().ptsMs();
    }

    private void awaitState(String expected) {
        Instant deadline = Instant.now().plus(PATIENCE);
        while (!started().state().equals(expected) && Instant.now().isBefore(deadline)) {
            Thread.onSpinWait();
        }
        assertEquals(expected, started().state());
    }

    private void feed(List<AccessUnit> units) {
        feed.offer(CodedStream.timeline(0, units));
        units.forEach(feed::offer);
        feed.flush();
    }

    /** Cyan all over where the index says so, grey elsewhere. */
    private static List<AccessUnit> units(long startUs, int frames, IntPredicate alarm) {
        return CodedStream.small()
                .gopFrames(20)
                .units(
                        frames,
                        startUs,
                        (frame, index) ->
                                Painted.paint(
                                        frame,
                                        alarm.test(index) ? Paint.CYAN : Paint.GREY,
                                        Box.WHOLE));
    }

    /** What tells cyan from grey: its V samples. */
    private static double cyan(VideoFrame frame) {
        byte sample = frame.planes().get(2).samples().get(ValueLayout.JAVA_BYTE, 500);
        return (sample & 0xFF) < 70 ? 0.99 : 0.01;
    }

    private static ModerationPolicy policy(int intervalSeconds, boolean gate, double weapon) {
        return new ModerationPolicy(intervalSeconds, Map.of(AlertType.WEAPON, weapon), gate, 0.5);
    }

    private static ModerationPolicy policy(
            int intervalSeconds, boolean gate, double weapon, double nude) {
        return new ModerationPolicy(
                intervalSeconds, Map.of(AlertType.WEAPON, weapon, AlertType.NUDE, nude), gate, 0.5);
    }

    private static String text(FrameReport.Result result) {
        Detection detection = result.detection();
        return "%s %s %s %s"
                .formatted(
                        detection.type().wireName(),
                        detection.confidence(),
                        result.risk().wireName(),
                        detection.modelVersion());
    }
}
