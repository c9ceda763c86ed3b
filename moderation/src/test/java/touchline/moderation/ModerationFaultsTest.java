package touchline.moderation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import touchline.config.ModerationConfig;
import touchline.media.FrameView;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.ffmpeg.VideoFrame;
import touchline.moderation.FrameReport.Status;

/** Unexpected exceptions: each one costs one frame or one report, and is counted and reported. */
final class ModerationFaultsTest extends ModerationServiceFixture {
    @Test
    void compositorFrameThatFails_isReported_andTheNextOneIsTaken() throws Exception {
        try (ModerationTask task = task();
                VideoFrame frame = Painted.grey(64, 36)) {
            task.apply(policy(1, false, 0.5));
            task.composited(true);
            assertTrue(task.tap().isDue(0));
            task.tap().offer(new FrameView(64, 36, 0, List.of()));
            assertEquals(new ModerationCounters(0, 0, 0, 1, 0, 1), task.counters());
            awaitState(
                    "degraded: stream=st session=se sampling failed:"
                            + " java.lang.ArrayIndexOutOfBoundsException: Index 0 out of bounds"
                            + " for length 0");

            frame.ptsTicks(3_600);
            assertTrue(task.tap().isDue(40_000));
            task.tap().offer(frame.view());
            assertEquals(40L, nextMs());
            awaitState("up");
        }
    }

    @Test
    void errorInTheSampler_costsOneFrame() throws Exception {
        AtomicBoolean fails = new AtomicBoolean(true);
        LongSupplier nanoTime =
                () -> {
                    if (Thread.currentThread().getName().startsWith("sampler")
                            && fails.getAndSet(false)) {
                        throw new AssertionError("injected");
                    }
                    return clock.nanoTime();
                };
        ModerationConfig config = ModerationConfig.of(models, false, "cpu");
        try (ModerationTask task = task(start(config, nanoTime))) {
            task.apply(policy(1, false, 0.5));
            feed(units(0, 55, _ -> false));

            assertEquals(1_000L, nextMs());
            assertEquals(1_900L, nextMs());
            assertEquals(new ModerationCounters(2, 2, 0, 1, 0, 1), task.counters());
            awaitState("up");
        }
    }

    @Test
    void errorInTheSink_costsOneReport() throws Exception {
        AtomicBoolean fails = new AtomicBoolean(true);
        ModerationSink failing =
                report -> {
                    if (fails.getAndSet(false)) {
                        throw new AssertionError("injected");
                    }
                    sink.analysed(report);
                };
        ModerationService open = start(ModerationConfig.of(models, false, "cpu"));
        try (ModerationTask task =
                open.open(new StreamId("st"), new SessionId("se"), () -> feed, failing)) {
            task.apply(policy(1, false, 0.5));
            feed(units(0, 55, _ -> false));

            assertEquals(950L, nextMs());
            assertEquals(1_850L, nextMs());
            assertEquals(new ModerationCounters(3, 3, 0, 0, 0, 1), task.counters());
            awaitState("up");
        }
    }

    @Test
    void deviceThatFailsUnexpectedly_breaksTheModels_andFramesAreReported() throws Exception {
        fakes.deviceFails(new IllegalStateException("driver mismatch"));
        try (ModerationTask task = task()) {
            task.apply(policy(1, false, 0.5));
            feed(units(0, 10, _ -> false));

            Delivered report = next();
            while (report.ptsMs() < 0) {
                report = next();
            }
            assertEquals(Status.ERROR, report.status());
        }
        assertEquals(
                List.of(ModelStatus.State.BROKEN, ModelStatus.State.BROKEN),
                started().models().stream().map(ModelStatus::state).toList());
        assertTrue(started().state().startsWith("degraded: "), started().state());
        assertTrue(started().state().contains("driver mismatch"), started().state());
    }
}
