package touchline.moderation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import touchline.config.ModerationConfig;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.ffmpeg.VideoFrame;
import touchline.media.hub.PublishBarrier.Verdict;
import touchline.moderation.FrameReport.Status;
import touchline.moderation.Painted.Paint;
import touchline.testing.Await;

/** Sessions from the feed to the sink, with models whose confidence the test sets. */
final class ModerationServiceTest extends ModerationServiceFixture {
    @Test
    void everySampledFrame_isReported_withEveryModelsResult() throws Exception {
        fakes.scores("guns", _ -> 0.5).scores("nudes", _ -> 0.96);
        try (ModerationTask task = task()) {
            task.apply(policy(1, false, 0.6, 0.9));
            feed(units(0, 55, _ -> false));

            String results = "[nude 0.96 reject nudes, weapon 0.5 pass guns]";
            for (long ptsMs : List.of(0L, 950L, 1_850L)) {
                assertEquals(new Delivered(Status.REJECT, ptsMs, results, "[]", Set.of()), next());
            }
            assertEquals(new ModerationCounters(3, 3, 0, 0, 0, 0), task.counters());
            assertEquals(task.counters(), started().counters());
        }
    }

    @Test
    void policyChange_countsFromTheNextFrame_stopEnds_andAPolicyStartsAgain() throws Exception {
        fakes.scores("guns", _ -> 0.5);
        try (ModerationTask task = task()) {
            assertFalse(task.isRunning());
            task.apply(policy(1, false, 0.6));
            feed(units(0, 30, _ -> false));
            assertEquals(Status.PASS, next().status());
            assertEquals(Status.PASS, next().status());
            task.apply(policy(1, false, 0.4));
            units(0, 60, _ -> false).subList(30, 55).forEach(feed::offer);
            feed.flush();
            assertEquals(Status.REVIEW, next().status());
            task.stop();
            assertFalse(task.isRunning());
            feed(units(3_000_000, 50, _ -> false));
            task.apply(policy(2, true, 0.6));

            assertEquals(5_000L, next().ptsMs(), "sampling starts at the newest GOP");
            feed.end();
            assertEquals(5_450L, next().ptsMs(), "the last frame of the stream");
            awaitJudgedToTheEnd(task);
            assertEquals(new ModerationCounters(5, 5, 0, 0, 0, 0), task.counters());
        }
        assertTrue(delivered.isEmpty(), delivered.toString());
    }

    @Test
    void typeWithoutAModel_isReportedAtTheStart_andOthersAreAnalysed() throws Exception {
        Files.delete(models.resolve("nudes/model.yaml"));
        try (ModerationTask task = task()) {
            assertTrue(started().serves(AlertType.WEAPON));
            assertFalse(started().serves(AlertType.NUDE));
            task.apply(policy(1, false, 0.6, 0.6));
            assertEquals(Set.of(AlertType.NUDE), next().unserved());
            feed(units(0, 10, _ -> false));
            Delivered report = next();

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
            task.apply(new ModerationPolicy(1, 1, Map.of(AlertType.NUDE, 0.3), false, 0.5));
            feed(units(0, 10, _ -> false));

            assertEquals(Status.REJECT, next().status());
        }
    }

    @Test
    void gate_publishesPartsBeforePassedSamples() throws Exception {
        fakes.scores("guns", ModerationServiceFixture::cyan);
        try (ModerationTask task = task()) {
            task.apply(policy(1, true, 0.5));
            // Cyan from 2.0 s to 3.4 s; frames of 0 to 3.95 s, then the end.
            feed(units(0, 80, index -> index >= 40 && index < 68));
            feed.end();

            assertEquals(Verdict.PASS, task.barrier().await(1_000_000, 1_000_000));
            assertEquals(Verdict.DISCARD, task.barrier().await(1_950_000, 1_950_000));
            assertEquals(Verdict.DISCARD, task.barrier().await(2_900_000, 2_900_000));
            assertEquals(Verdict.DISCARD, task.barrier().await(3_500_000, 3_500_000));
            assertEquals(Verdict.DISCARD, task.barrier().await(4_000_000, 4_000_000));
        }
    }

    @Test
    void gate_lastFrameOfTheStream_isJudgedToo() throws Exception {
        try (ModerationTask task = task()) {
            task.apply(policy(2, true, 0.5));
            feed(units(0, 57, _ -> false));
            feed.end();

            assertEquals(Verdict.PASS, task.barrier().await(2_800_000, 2_800_000));
            assertEquals(
                    List.of(0L, 1_850L, 2_800L),
                    List.of(next(), next(), next()).stream().map(Delivered::ptsMs).toList());
            assertEquals(Verdict.DISCARD, task.barrier().await(2_800_001, 2_800_001));
        }
    }

    @Test
    void gate_ofAStoppedTask_isOpen() throws Exception {
        fakes.hold();
        try (ModerationTask task = task()) {
            task.apply(policy(1, true, 0.5));
            feed(units(0, 10, _ -> false));
            Await.until(() -> fakes.calls() > 0, () -> "no inference has started");
            task.stop();

            assertEquals(Verdict.PASS, task.barrier().await(9_000_000, 9_000_000));
        }
    }

    @Test
    void compositorsFrames_areTakenInsteadOfDecoding() throws Exception {
        fakes.scores("guns", ModerationServiceFixture::cyan);
        try (ModerationTask task = task();
                VideoFrame grey = Painted.grey(64, 36);
                VideoFrame cyan = Painted.with(64, 36, Paint.CYAN, Box.WHOLE)) {
            assertFalse(task.tap().isDue(0), "nothing runs");
            task.apply(policy(1, true, 0.5));
            assertFalse(task.tap().isDue(0), "no compositor runs");
            task.composited(true);
            feed(units(0, 100, _ -> false));
            for (int i = 0; i < 30; i++) {
                VideoFrame frame = i < 15 ? grey : cyan;
                frame.ptsTicks(i * 9_000L);
                if (task.tap().isDue(i * 100_000L)) {
                    task.tap().offer(frame.view());
                }
            }

            assertEquals(
                    List.of(0L, 1_000L, 1_800L, 2_600L),
                    List.of(next(), next(), next(), next()).stream()
                            .map(Delivered::ptsMs)
                            .toList());
            feed.end();
            awaitJudgedToTheEnd(task);
            assertEquals(new ModerationCounters(4, 4, 0, 0, 0, 0), task.counters());
        }
        assertTrue(delivered.isEmpty(), delivered.toString());
    }

    @Test
    void compositorThatStartsAndEnds_takesNoFrameTwice() throws Exception {
        try (ModerationTask task = task();
                VideoFrame frame = Painted.grey(64, 36)) {
            task.apply(policy(1, false, 0.5));
            feed(units(0, 55, _ -> false));
            assertEquals(List.of(0L, 950L, 1_850L), List.of(nextMs(), nextMs(), nextMs()));

            task.composited(true);
            for (int i = 20; i < 35; i++) {
                frame.ptsTicks(i * 9_000L);
                if (task.tap().isDue(i * 100_000L)) {
                    task.tap().offer(frame.view());
                }
            }
            assertEquals(2_800L, nextMs());

            task.composited(false);
            feed(units(3_000_000, 60, _ -> false));
            assertEquals(List.of(3_750L, 4_650L), List.of(nextMs(), nextMs()));
        }
    }

    @Test
    void slowSink_newestFramesAreDroppedAndCounted_theGateContinues() throws Exception {
        BlockingQueue<Integer> mayGo = new LinkedBlockingQueue<>();
        ModerationSink slow =
                report -> {
                    try {
                        assertNotNull(mayGo.poll(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS));
                        delivered.add(
                                new Delivered(
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
            assertEquals(Verdict.PASS, task.barrier().await(10_000_000, 10_000_000));
            Await.until(() -> task.counters().sampled() == 38, () -> task.counters().toString());

            assertTrue(task.counters().dropped() > 0, task.counters().toString());
            for (int i = 0; i < 38; i++) {
                mayGo.add(i);
            }
            assertEquals(0, next().ptsMs());
            assertEquals(950, next().ptsMs());
        }
    }
}
