package touchline.moderation.djl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.config.ModerationConfig;
import touchline.media.AccessUnit;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.decoding.GopDecoders;
import touchline.media.hub.Feed;
import touchline.moderation.AlertType;
import touchline.moderation.Box;
import touchline.moderation.CodedStream;
import touchline.moderation.DemoModels;
import touchline.moderation.FrameReport;
import touchline.moderation.FrameReport.Status;
import touchline.moderation.ModelStatus;
import touchline.moderation.ModerationPolicy;
import touchline.moderation.ModerationService;
import touchline.moderation.ModerationTask;
import touchline.moderation.Painted;
import touchline.moderation.Painted.Paint;
import touchline.testing.SettableClock;

/** The demo models in a running service, which reloads one of them after a change. */
final class ModelSwapIT {
    private static final long TIMEOUT_S = 30;

    @TempDir Path models;
    @TempDir Path demos;

    private final SettableClock clock = new SettableClock();
    private final BlockingQueue<Seen> seen = new LinkedBlockingQueue<>();
    private final Feed feed = new Feed();

    private record Seen(Status status, long ptsUs, Box box) {}

    private ModerationService service(boolean demoModels) {
        ModerationConfig config = ModerationConfig.of(models, demoModels, "cpu");
        return ModerationService.start(
                config,
                demos,
                new DjlLoader(config),
                new ModerationService.Dependencies(
                        clock, clock::nanoTime, () -> 1, GopDecoders.LOCAL, clock.timer()));
    }

    @Test
    void demoModels_areUsedOnlyWhenEnabled() {
        DemoModels.WEAPON.write(models);
        try (ModerationService service = service(false)) {
            assertEquals(
                    List.of(ModelStatus.State.UNUSED),
                    service.models().stream().map(ModelStatus::state).toList());
            assertEquals("unavailable", service.state());
        }
        try (ModerationService service = service(true)) {
            assertEquals(
                    List.of("demo-nude", "demo-weapon"),
                    service.models().stream().map(ModelStatus::name).toList());
            assertTrue(service.models().stream().allMatch(ModelStatus::demo));
        }
    }

    @Test
    void changedFolder_isReloadedByTheRunningService() throws Exception {
        DemoModels.WEAPON.write(models);
        Box box = new Box(0.25, 0.5, 0.5, 0.25);
        try (ModerationService service = service(true);
                ModerationTask task =
                        service.open(
                                new StreamId("st"),
                                new SessionId("se"),
                                () -> feed,
                                this::analysed)) {
            Map<AlertType, Double> weapon = Map.of(AlertType.WEAPON, 0.3);
            task.apply(new ModerationPolicy(1, 1, weapon, false, 0.5));
            push(0, Paint.CYAN, box);
            Seen first = next(0);
            assertEquals(Status.REJECT, first.status());
            assertEquals(0.25, first.box().x(), 0.02);
            assertEquals(0.5, first.box().y(), 0.02);
            assertEquals(0.5, first.box().width(), 0.02);
            assertEquals(0.25, first.box().height(), 0.02);
            swapForMagenta();

            // The registry scans every 2 s; until then the old model judges the frames.
            long startUs = 2_000_000;
            Paint paint = Paint.CYAN;
            Status status = Status.REJECT;
            long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_S);
            while (status == Status.REJECT) {
                assertTrue(System.nanoTime() < deadlineNs, service.models().toString());
                push(startUs, paint, box);
                status = next(startUs).status();
                startUs += 2_000_000;
            }
            push(startUs, Paint.MAGENTA, box);
            assertEquals(Status.REJECT, next(startUs).status());
        }
    }

    /** Replaces the weapon model by one that finds magenta, with an atomic move. */
    private void swapForMagenta() throws IOException {
        Path magenta = DemoModels.NUDE.write(demos.resolve("made"));
        Files.move(
                magenta.resolve("model.pt"),
                models.resolve("demo-weapon/model.pt"),
                StandardCopyOption.REPLACE_EXISTING);
    }

    private void analysed(FrameReport report) {
        seen.add(
                new Seen(
                        report.status(),
                        report.ptsUs(),
                        report.results().getFirst().detection().box()));
    }

    /** Two frames after a discontinuity. One of them is sampled, or both. */
    private void push(long startUs, Paint paint, Box box) {
        List<AccessUnit> units =
                CodedStream.small()
                        .units(2, startUs, (frame, _) -> Painted.paint(frame, paint, box));
        feed.offer(CodedStream.timeline(0, units));
        units.forEach(feed::offer);
        feed.flush();
    }

    /** Waits for a report of a frame from this time on. */
    private Seen next(long fromUs) throws InterruptedException {
        Seen next;
        do {
            next = seen.poll(TIMEOUT_S, TimeUnit.SECONDS);
            if (next == null) {
                throw new AssertionError("no report");
            }
        } while (next.ptsUs() < fromUs);
        return next;
    }
}
