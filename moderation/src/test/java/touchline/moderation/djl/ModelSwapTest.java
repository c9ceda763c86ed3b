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

/** The demo models in the running room, made at first use, and one of them swapped meanwhile. */
final class ModelSwapTest {
    private static final long PATIENCE_S = 30;

    @TempDir Path models;
    @TempDir Path demos;

    private final SettableClock clock = new SettableClock();
    private final BlockingQueue<Seen> seen = new LinkedBlockingQueue<>();
    private final Feed feed = new Feed();

    private record Seen(Status status, long ptsUs, Box box) {}

    private ModerationService room(boolean demoModels) {
        ModerationConfig config = ModerationConfig.of(models, demoModels, "cpu");
        return ModerationService.start(
                config,
                demos,
                new DjlLoader(config),
                new ModerationService.Dependencies(clock, clock::nanoTime, clock.timer()));
    }

    @Test
    void demoModels_areUsedOnlyWhereTheyAreWanted() {
        DemoModels.WEAPON.write(models);
        try (ModerationService room = room(false)) {
            assertEquals(
                    List.of(ModelStatus.State.UNUSED),
                    room.models().stream().map(ModelStatus::state).toList());
            assertEquals("unavailable", room.state());
        }
        try (ModerationService room = room(true)) {
            assertEquals(
                    List.of("demo-nude", "demo-weapon"),
                    room.models().stream().map(ModelStatus::name).toList());
            assertTrue(room.models().stream().allMatch(ModelStatus::demo));
        }
    }

    @Test
    void swappedFolder_isFollowedByTheRunningRoom() throws Exception {
        DemoModels.WEAPON.write(models);
        Box box = new Box(0.25, 0.5, 0.5, 0.25);
        try (ModerationService room = room(true);
                ModerationTask task =
                        room.open(
                                new StreamId("st"),
                                new SessionId("se"),
                                () -> feed,
                                this::analysed)) {
            Map<AlertType, Double> weapon = Map.of(AlertType.WEAPON, 0.3);
            task.apply(new ModerationPolicy(1, weapon, false, 0.5));
            push(0, Paint.CYAN, box);
            Seen first = next();
            assertEquals(Status.REJECT, first.status());
            assertEquals(0.25, first.box().x(), 0.02);
            assertEquals(0.5, first.box().y(), 0.02);
            assertEquals(0.5, first.box().width(), 0.02);
            assertEquals(0.25, first.box().height(), 0.02);
            swapForMagenta();

            // The shelf looks every other second; until then frames are judged as before.
            long startUs = 2_000_000;
            Paint paint = Paint.CYAN;
            Status status = Status.REJECT;
            long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
            while (status == Status.REJECT) {
                assertTrue(System.nanoTime() < deadlineNs, room.models().toString());
                push(startUs, paint, box);
                startUs += 2_000_000;
                status = next().status();
            }
            push(startUs, Paint.MAGENTA, box);
            assertEquals(Status.REJECT, next().status());
        }
    }

    /**
     * The weapon folder gets what finds magenta; the file is moved in, as a careful operator does.
     */
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

    /** One frame's worth of a stream, behind a discontinuity. */
    private void push(long startUs, Paint paint, Box box) {
        List<AccessUnit> units =
                CodedStream.small()
                        .units(2, startUs, (frame, _) -> Painted.paint(frame, paint, box));
        feed.offer(CodedStream.timeline(0, units));
        units.forEach(feed::offer);
        feed.flush();
    }

    private Seen next() throws InterruptedException {
        Seen next = seen.poll(PATIENCE_S, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("nothing came");
        }
        return next;
    }
}
