package touchline.benchmarks.inference;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Benchmark;
import touchline.benchmarks.load.Command;
import touchline.benchmarks.load.ProcessUsage;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.benchmarks.overlay.TestPush;
import touchline.config.ModerationConfig;
import touchline.media.AccessUnit;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.Timeline;
import touchline.media.decoding.DecodingPool;
import touchline.media.decoding.GopDecoders;
import touchline.media.hub.Feed;
import touchline.media.worker.WorkerLaunch;
import touchline.media.worker.WorkerLimits;
import touchline.moderation.AlertType;
import touchline.moderation.DemoModels;
import touchline.moderation.ModerationPolicy;
import touchline.moderation.ModerationService;
import touchline.moderation.ModerationTask;

/**
 * CPU seconds of sampling frames and scaling them for inference: decoded in this process, in a
 * child process, and by the ffmpeg program that takes the same frames out of the same file ({@code
 * -vf fps=1/2}), in turns.
 */
public final class SamplingLoad implements Benchmark {
    private static final List<String> THREADS = List.of("sampler", "inference", "reports");
    private static final Duration WAIT_LIMIT = Duration.ofMinutes(2);

    /** Media between two waits for the sampler, less than its queue holds. */
    private static final int STRIDE_SECONDS = 10;

    private final int rounds;
    private final int seconds;
    private final int intervalSeconds;
    private final Report report;

    /**
     * Rounds of each side and seconds of 720p30 in a round, a multiple of 20: 3 and 60 by default;
     * {@code --interval} seconds between frames, 2 by default.
     */
    public SamplingLoad(Arguments given, Report report) {
        rounds = given.number(0, 3);
        seconds = given.number(1, 60);
        intervalSeconds = given.option("--interval", 2);
        this.report = report;
    }

    @Override
    public int run() throws Exception {
        TestPush push = TestPush.make(1280, 720, seconds);
        List<String> ffmpeg =
                Command.words(
                        "ffmpeg -v error -y -threads 1 -i %s -an -vf fps=1/%d -f rawvideo"
                                + " /dev/null",
                        push.file(), intervalSeconds);
        Samples ours = new Samples();
        Samples isolated = new Samples();
        Samples theirs = new Samples();
        // The first round of each side warms up.
        try (DecodingPool children = children()) {
            for (int round = 0; round <= rounds; round++) {
                double own = cpuSeconds(push, GopDecoders.LOCAL);
                double before = childrenCpuSeconds(children);
                double apart = cpuSeconds(push, children);
                apart += childrenCpuSeconds(children) - before;
                double other = Command.cpuSeconds(ffmpeg);
                report.note(
                        "round %d: %.3f s, in a child process %.3f s, ffmpeg %.3f s",
                        round, own, apart, other);
                if (round > 0) {
                    ours.add(own);
                    isolated.add(apart);
                    theirs.add(other);
                }
            }
        }
        report.table("sampling", "media s | interval s | CPU s | CPU s of ffmpeg | ratio")
                .row(
                        seconds,
                        intervalSeconds,
                        ours.median(),
                        theirs.median(),
                        ours.median() / theirs.median());
        report.table("isolated", "media s | interval s | CPU s | CPU s in a child | ratio")
                .row(
                        seconds,
                        intervalSeconds,
                        ours.median(),
                        isolated.median(),
                        isolated.median() / ours.median());
        return 0;
    }

    private static DecodingPool children() throws IOException {
        return new DecodingPool(
                WorkerLaunch.likeThisJvm(
                        "touchline.api.app.Main",
                        Files.createTempDirectory("touchline-bench-decoding"),
                        WorkerLimits.DEFAULTS),
                new DecodingPool.Settings(1, WAIT_LIMIT, WAIT_LIMIT));
    }

    private static double childrenCpuSeconds(DecodingPool children) throws IOException {
        double sum = 0;
        for (long pid : children.pids().toArray()) {
            sum += ProcessUsage.of(ProcessHandle.of(pid).orElseThrow()).cpuSeconds();
        }
        return sum;
    }

    private double cpuSeconds(TestPush push, GopDecoders decoders) throws Exception {
        awaitEndOfThreads();
        Path models = Files.createTempDirectory("touchline-bench-models");
        DemoModels.WEAPON.write(models);
        ModerationConfig config = ModerationConfig.of(models, /* demoModels= */ true, "cpu");
        Feed feed = new Feed();
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        try (ModerationService service =
                        ModerationService.start(
                                config,
                                models,
                                new PreparationOnly(),
                                new ModerationService.Dependencies(
                                        Clock.systemUTC(),
                                        System::nanoTime,
                                        new SplittableRandom(1)::nextDouble,
                                        decoders,
                                        timer));
                ModerationTask task =
                        service.open(
                                new StreamId("bench"),
                                new SessionId("bench"),
                                () -> feed,
                                _ -> {})) {
            double before = threadsCpuSeconds();
            task.apply(
                    new ModerationPolicy(
                            intervalSeconds, 1, Map.of(AlertType.WEAPON, 0.5), false, 0.5));
            feed.offer(new Timeline(0, push.tracks(), 0, Instant.EPOCH));
            push(push.units(), feed, task);
            return threadsCpuSeconds() - before;
        } finally {
            timer.shutdownNow();
        }
    }

    private void push(List<AccessUnit> units, Feed feed, ModerationTask task)
            throws InterruptedException {
        long waitAtUs = STRIDE_SECONDS * 1_000_000L;
        for (AccessUnit unit : units) {
            if (unit.dtsUs() >= waitAtUs) {
                feed.flush();
                await(task, (waitAtUs - 1) / 1_000_000 / intervalSeconds);
                waitAtUs += STRIDE_SECONDS * 1_000_000L;
            }
            feed.offer(unit);
        }
        feed.flush();
        await(task, (seconds - 1L) / intervalSeconds);
    }

    private static void await(ModerationTask task, long frames) throws InterruptedException {
        long deadlineNs = System.nanoTime() + WAIT_LIMIT.toNanos();
        while (task.counters().analysed() < frames) {
            if (System.nanoTime() > deadlineNs) {
                throw new IllegalStateException(
                        "analysed frames: %s (expected: %d)".formatted(task.counters(), frames));
            }
            Thread.sleep(2);
        }
    }

    /** Waits for the threads of the round before: their CPU time vanishes with them. */
    private static void awaitEndOfThreads() throws IOException, InterruptedException {
        while (threadsCpuSeconds() > 0) {
            Thread.sleep(10);
        }
    }

    private static double threadsCpuSeconds() throws IOException {
        double sum = 0;
        for (String name : THREADS) {
            sum += ProcessUsage.threadsCpuSeconds(ProcessHandle.current(), name);
        }
        return sum;
    }
}
