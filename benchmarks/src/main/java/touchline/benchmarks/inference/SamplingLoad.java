package touchline.benchmarks.inference;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.ProcessUsage;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.benchmarks.overlay.TestPush;
import touchline.config.ModerationConfig;
import touchline.media.AccessUnit;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.Timeline;
import touchline.media.hub.Feed;
import touchline.moderation.AlertType;
import touchline.moderation.DemoModels;
import touchline.moderation.ModerationPolicy;
import touchline.moderation.ModerationService;
import touchline.moderation.ModerationTask;

/**
 * CPU seconds of sampling and of preparing what inference is fed with, against the ffmpeg command
 * line that takes the same frames out of the same file ({@code -vf fps=1/2}), turn by turn.
 */
public final class SamplingLoad {
    private static final List<String> THREADS = List.of("sampler", "inference", "reports");
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** Media that is fed before the sampler is waited for; its queue holds more. */
    private static final int STRIDE_SECONDS = 10;

    /**
     * @param rounds of each side
     * @param seconds of 720p30 in a round, a multiple of 20
     * @param intervalSeconds between frames
     */
    public record Plan(int rounds, int seconds, int intervalSeconds) {
        /** 3 rounds of 60 seconds unless given; {@code --interval 2}. */
        public static Plan of(Arguments given) {
            return new Plan(given.number(0, 3), given.number(1, 60), given.option("--interval", 2));
        }
    }

    private final Plan plan;
    private final Report report;

    public SamplingLoad(Plan plan, Report report) {
        this.plan = plan;
        this.report = report;
    }

    /** The exit code: 0 when everything was measured. */
    public int run(Path results) throws Exception {
        TestPush push = TestPush.make(1280, 720, plan.seconds());
        Samples ours = new Samples();
        Samples theirs = new Samples();
        // The first round of each side is not counted.
        for (int round = 0; round <= plan.rounds(); round++) {
            double here = cpuSeconds(push);
            double there = commandLineCpuSeconds(push.file());
            report.note("round %d: %.3f s, ffmpeg %.3f s", round, here, there);
            if (round > 0) {
                ours.add(here);
                theirs.add(there);
            }
        }
        report.table(
                "sampling",
                List.of("media s", "interval s", "CPU s", "CPU s of ffmpeg", "ratio"),
                List.of(
                        List.of(
                                plan.seconds(),
                                plan.intervalSeconds(),
                                ours.median(),
                                theirs.median(),
                                ours.median() / theirs.median())));
        report.finish(results);
        return 0;
    }

    private double cpuSeconds(TestPush push) throws Exception {
        Path models = Files.createTempDirectory("touchline-bench-models");
        DemoModels.WEAPON.write(models);
        ModerationConfig config = ModerationConfig.of(models, /* demoModels= */ true, "cpu");
        Feed feed = new Feed();
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        try (ModerationService room =
                        ModerationService.start(
                                config,
                                models,
                                new PreparationOnly(),
                                new ModerationService.Dependencies(
                                        Clock.systemUTC(), System::nanoTime, timer));
                ModerationTask task =
                        room.open(
                                new StreamId("bench"),
                                new SessionId("bench"),
                                () -> feed,
                                _ -> {})) {
            double before = threadsCpuSeconds();
            task.apply(
                    new ModerationPolicy(
                            plan.intervalSeconds(), Map.of(AlertType.WEAPON, 0.5), false, 0.5));
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
                await(task, (waitAtUs - 1) / 1_000_000 / plan.intervalSeconds());
                waitAtUs += STRIDE_SECONDS * 1_000_000L;
            }
            feed.offer(unit);
        }
        feed.flush();
        await(task, (plan.seconds() - 1L) / plan.intervalSeconds());
    }

    private static void await(ModerationTask task, long frames) throws InterruptedException {
        long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
        while (task.counters().analysed() < frames) {
            if (System.nanoTime() > deadlineNs) {
                throw new IllegalStateException(frames + " frames: " + task.counters());
            }
            Thread.sleep(2);
        }
    }

    private static double threadsCpuSeconds() throws IOException {
        double seconds = 0;
        for (String name : THREADS) {
            seconds += ProcessUsage.threadsCpuSeconds(ProcessHandle.current(), name);
        }
        return seconds;
    }

    /** User and system time of one run, in one thread as ours. */
    private double commandLineCpuSeconds(Path file) throws Exception {
        Path usage = Files.createTempFile("touchline-bench", ".time");
        String line =
                "ffmpeg -v error -y -threads 1 -i '%s' -an -vf fps=1/%d -f rawvideo /dev/null"
                        .formatted(file, plan.intervalSeconds());
        List<String> command = new ArrayList<>(List.of("bash", "-c"));
        command.add("TIMEFORMAT='%U %S'; time " + line);
        try {
            Process process = new ProcessBuilder(command).redirectError(usage.toFile()).start();
            process.getOutputStream().close();
            int code = process.waitFor();
            String told = Files.readString(usage).strip();
            if (code != 0) {
                throw new IOException("ffmpeg failed: " + told);
            }
            String[] seconds = told.split(" ", -1);
            return Double.parseDouble(seconds[0]) + Double.parseDouble(seconds[1]);
        } finally {
            Files.delete(usage);
        }
    }
}
