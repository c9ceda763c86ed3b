package touchline.moderation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import touchline.config.ModerationConfig;
import touchline.media.AccessUnit;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.decoding.GopDecoders;
import touchline.media.ffmpeg.VideoFrame;
import touchline.media.hub.Feed;
import touchline.media.hub.PublishBarrier.Verdict;
import touchline.moderation.FrameReport.Status;
import touchline.moderation.Painted.Paint;
import touchline.testing.Await;
import touchline.testing.SettableClock;

/**
 * A moderation service with two fake models, {@code guns} and {@code nudes}, a feed, and a sink
 * that notes each call.
 */
abstract class ModerationServiceFixture {
    @TempDir Path models;
    @TempDir Path demos;

    final SettableClock clock = new SettableClock();
    final FakeDetectors fakes = new FakeDetectors();
    final Feed feed = new Feed();
    final BlockingQueue<Delivered> delivered = new LinkedBlockingQueue<>();
    private @Nullable ModerationService service;

    /** One call of the sink. */
    record Delivered(
            Status status, long ptsMs, String results, String failures, Set<AlertType> unserved) {}

    final ModerationSink sink =
            new ModerationSink() {
                @Override
                public void analysed(FrameReport report) {
                    assertTrue(report.frame().toJpeg(80).length > 100);
                    delivered.add(
                            new Delivered(
                                    report.status(),
                                    report.ptsUs() / 1_000,
                                    report.results().stream()
                                            .map(ModerationServiceFixture::text)
                                            .toList()
                                            .toString(),
                                    report.failures().toString(),
                                    Set.of()));
                }

                @Override
                public void unserved(Set<AlertType> types) {
                    delivered.add(new Delivered(Status.ERROR, -1, "", "", types));
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
        if (service != null) {
            service.close();
        }
        assertEquals(0, fakes.open());
    }

    ModerationTask task() {
        return task(start(ModerationConfig.of(models, false, "cpu")));
    }

    ModerationTask task(ModerationService open) {
        return open.open(new StreamId("st"), new SessionId("se"), () -> feed, sink);
    }

    ModerationService start(ModerationConfig config) {
        return start(config, clock::nanoTime);
    }

    ModerationService start(ModerationConfig config, LongSupplier nanoTime) {
        ModerationService started =
                ModerationService.start(
                        config,
                        demos,
                        fakes,
                        new ModerationService.Dependencies(
                                clock, nanoTime, () -> 1, GopDecoders.LOCAL, clock.timer()));
        service = started;
        return started;
    }

    ModerationService started() {
        if (service == null) {
            throw new IllegalStateException("not started");
        }
        return service;
    }

    /**
     * The gate discards a part after the end of the feed only when the sampler has read all of it
     * and every sample has its verdict.
     */
    static void awaitJudgedToTheEnd(ModerationTask task) throws InterruptedException {
        assertEquals(Verdict.DISCARD, task.barrier().await(1_000_000_000, 1_000_000_000));
    }

    Delivered next() throws InterruptedException {
        Delivered next = delivered.poll(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("no report; " + started().state());
        }
        return next;
    }

    long nextMs() throws InterruptedException {
        return next().ptsMs();
    }

    void awaitState(String expected) {
        Await.until(() -> started().state().equals(expected), () -> started().state());
    }

    void feed(List<AccessUnit> units) {
        feed.offer(CodedStream.timeline(0, units));
        units.forEach(feed::offer);
        feed.flush();
    }

    /** Cyan frames at the indexes of the predicate, else grey ones. */
    static List<AccessUnit> units(long startUs, int frames, IntPredicate alarm) {
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

    /** Cyan differs from grey in its V samples. */
    static double cyan(VideoFrame frame) {
        byte sample = frame.planes().get(2).samples().get(ValueLayout.JAVA_BYTE, 500);
        return (sample & 0xFF) < 70 ? 0.99 : 0.01;
    }

    static ModerationPolicy policy(int intervalSeconds, boolean gate, double weapon) {
        return new ModerationPolicy(
                intervalSeconds, 1, Map.of(AlertType.WEAPON, weapon), gate, 0.5);
    }

    static ModerationPolicy policy(int intervalSeconds, boolean gate, double weapon, double nude) {
        return new ModerationPolicy(
                intervalSeconds,
                1,
                Map.of(AlertType.WEAPON, weapon, AlertType.NUDE, nude),
                gate,
                0.5);
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
