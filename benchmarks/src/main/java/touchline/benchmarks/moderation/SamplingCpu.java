package touchline.benchmarks.moderation;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import touchline.benchmarks.load.Command;
import touchline.benchmarks.load.ProcessUsage;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.benchmarks.overlay.TestPush;
import touchline.media.AccessUnit;

/**
 * CPU seconds of sampling 720p30 with a GOP of 2 s: by the server's sampler, by key frames only,
 * and by the ffmpeg program that takes as many frames out of the same file, in turns.
 */
final class SamplingCpu {
    private static final int SECONDS = 60;
    private static final int INTERVAL = 2;
    private static final int ROUNDS = 3;
    private static final List<String> THREADS = List.of("sampler", "inference", "reports");

    private SamplingCpu() {}

    static void run(Path models, Report report) throws Exception {
        TestPush push = TestPush.make(1280, 720, SECONDS);
        List<AccessUnit> keyFrames = push.units().stream().filter(AccessUnit::isKeyFrame).toList();
        List<String> ffmpeg =
                Command.words(
                        "ffmpeg -v error -y -threads 1 -i %s -an -vf fps=1/%d -f rawvideo"
                                + " /dev/null",
                        push.file(), INTERVAL);
        Samples all = new Samples();
        Samples keys = new Samples();
        Samples theirs = new Samples();
        // The first round of each side warms up.
        for (int round = 0; round <= ROUNDS; round++) {
            double own = cpuSeconds(models, push, push.units());
            double key = cpuSeconds(models, push, keyFrames);
            double other = Command.cpuSeconds(ffmpeg);
            report.note(
                    "round %d: %.3f s, key frames only %.3f s, ffmpeg %.3f s",
                    round, own, key, other);
            if (round > 0) {
                all.add(own);
                keys.add(key);
                theirs.add(other);
            }
        }
        report.table(
                        "cpu",
                        "media s | interval s | CPU s | CPU s, key frames only | CPU s of ffmpeg"
                                + " fps=1/2 | cores per stream")
                .row(
                        SECONDS,
                        INTERVAL,
                        all.median(),
                        keys.median(),
                        theirs.median(),
                        all.median() / SECONDS);
    }

    private static double cpuSeconds(Path models, TestPush push, List<AccessUnit> units)
            throws Exception {
        while (threadsCpuSeconds() > 0) {
            // The threads of the round before end.
            Thread.sleep(10);
        }
        try (CoverageSession session =
                new CoverageSession(
                        models,
                        CoverageSession.policy(INTERVAL, /* samples= */ 1, /* gate= */ false),
                        /* seed= */ 1,
                        _ -> false)) {
            session.begin(push.tracks());
            long nextWaitUs = INTERVAL * 1_000_000L;
            for (AccessUnit unit : units) {
                session.offer(unit);
                if (unit.dtsUs() >= nextWaitUs) {
                    session.await(nextWaitUs - INTERVAL * 1_000_000L);
                    nextWaitUs += INTERVAL * 1_000_000L;
                }
            }
            session.await((SECONDS - 2L * INTERVAL) * 1_000_000L);
            return threadsCpuSeconds();
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
