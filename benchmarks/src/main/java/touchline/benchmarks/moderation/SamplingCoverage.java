package touchline.benchmarks.moderation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Benchmark;
import touchline.benchmarks.load.Command;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.benchmarks.overlay.TestPush;
import touchline.media.AccessUnit;
import touchline.moderation.DemoModels;

/**
 * What sampling finds of forbidden content whose key frames are clean, and what a gate lets through
 * of it. The sampler and its decoder are those of the server; the media comes faster than real
 * time. Then the CPU time of sampling, and a push to a server in real time.
 */
public final class SamplingCoverage implements Benchmark {
    static final int FRAMES_PER_SECOND = 30;

    private static final List<Integer> GOPS = List.of(6, 15, 60);
    private static final List<Integer> INTERVALS = List.of(1, 2, 5);
    private static final int LOOP_SECONDS = 20;
    private static final int MEDIA_INTERVALS = 60;
    private static final long WAIT_EACH_US = 1_000_000;

    /** Hits of a stretch of half an interval, of a hundred. */
    private static final int HALF_INTERVAL = 45;

    private static final int GATE_INTERVAL = 2;
    private static final int GATE_SAMPLES = 2;
    private static final List<Double> STRETCHES =
            List.of(0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0);

    private final int tries;
    private final Report report;
    private final boolean live;
    private boolean missed;

    /** Tries of each row, 100 by default; {@code --live 0} without the push to a server. */
    public SamplingCoverage(Arguments given, Report report) {
        tries = given.number(0, 100);
        live = given.option("--live", 1) != 0;
        this.report = report;
    }

    /** Returns 1 if a stretch of an interval was not found, or too few of half an interval. */
    @Override
    public int run() throws Exception {
        Path models = Files.createTempDirectory("touchline-bench-models");
        DemoModels.WEAPON.write(models);
        found(models);
        leaks(models);
        SamplingCpu.run(models, report);
        if (live) {
            missed |= !LiveCoverage.run(report);
        }
        return missed ? 1 : 0;
    }

    private void found(Path models) throws Exception {
        Report.Table table =
                report.table(
                        "found",
                        "GOP frames | interval s | media s | samples | key frames of them | found"
                                + " of an interval | not found, of all positions | found of half an"
                                + " interval");
        for (int gop : GOPS) {
            TestPush push = push(gop);
            for (int interval : INTERVALS) {
                int seconds = MEDIA_INTERVALS * interval;
                List<Long> frames = sampledFrames(models, push, interval, seconds);
                List<Long> others = frames.stream().filter(frame -> frame % gop != 0).toList();
                int length = interval * FRAMES_PER_SECOND;
                long end = (long) (seconds - 2 * interval) * FRAMES_PER_SECOND;
                int notFound = 0;
                for (long start = 0; start < end; start++) {
                    notFound += holds(others, start, length) ? 0 : 1;
                }
                SplittableRandom random = new SplittableRandom(gop * 10L + interval);
                int whole = 0;
                int half = 0;
                for (int i = 0; i < tries; i++) {
                    whole += holds(others, random.nextLong(end), length) ? 1 : 0;
                    half += holds(others, random.nextLong(end), length / 2) ? 1 : 0;
                }
                missed |= notFound > 0 || whole < tries || half * 100 < HALF_INTERVAL * tries;
                table.row(
                        gop,
                        interval,
                        seconds,
                        frames.size(),
                        frames.size() - others.size(),
                        "%d of %d".formatted(whole, tries),
                        "%d of %d".formatted(notFound, end),
                        "%d of %d".formatted(half, tries));
                report.note("GOP %d, interval %d s: done", gop, interval);
            }
        }
    }

    private static boolean holds(List<Long> frames, long start, int length) {
        return frames.stream().anyMatch(frame -> frame >= start && frame < start + length);
    }

    /** Numbers of the sampled frames, in presentation order from 0. */
    private List<Long> sampledFrames(Path models, TestPush push, int interval, int seconds)
            throws Exception {
        long offsetUs = firstUs(push);
        try (CoverageSession session =
                new CoverageSession(
                        models,
                        CoverageSession.policy(interval, /* samples= */ 1, /* gate= */ false),
                        /* seed= */ push.units().size() + interval,
                        _ -> false)) {
            session.begin(push.tracks());
            feed(session, push, seconds, _ -> {});
            session.await(seconds * 1_000_000L);
            session.end();
            require(session);
            return session.sampledUs().stream().map(us -> frame(us - offsetUs)).toList();
        }
    }

    private static void require(CoverageSession session) {
        if (session.dropped() > 0) {
            throw new IllegalStateException("frames not analysed: " + session.dropped());
        }
    }

    /** Receives each unit after it was offered. */
    @FunctionalInterface
    interface Sent {
        void unit(AccessUnit unit);
    }

    private static void feed(CoverageSession session, TestPush push, int seconds, Sent sent)
            throws InterruptedException {
        long nextWaitUs = WAIT_EACH_US;
        for (int loop = 0; loop * LOOP_SECONDS < seconds; loop++) {
            for (AccessUnit each : push.units()) {
                long ticks = (long) loop * LOOP_SECONDS * each.track().timescale().ticksPerSecond();
                AccessUnit unit =
                        each.at(
                                each.track(),
                                each.dtsTicks() + ticks,
                                each.compositionTimeOffsetTicks());
                if (unit.dtsUs() >= seconds * 1_000_000L) {
                    return;
                }
                session.offer(unit);
                sent.unit(unit);
                if (unit.dtsUs() >= nextWaitUs) {
                    session.await(nextWaitUs);
                    nextWaitUs += WAIT_EACH_US;
                }
            }
        }
    }

    private static long firstUs(TestPush push) {
        return push.units().getFirst().ptsUs();
    }

    static long frame(long us) {
        return Math.round(us * FRAMES_PER_SECOND / 1e6);
    }

    private void leaks(Path models) throws Exception {
        Report.Table table =
                report.table(
                        "leaks",
                        "GOP frames | forbidden s | forbidden frames | tries | without a leak |"
                                + " leaked frames, mean | p95 | most");
        for (int gop : List.of(15, 60)) {
            TestPush push = push(gop);
            for (double stretch : STRETCHES) {
                Stretches stretches = new Stretches(stretch, tries, gop, firstUs(push));
                Samples leaked = new Samples();
                List<Integer> each = leaked(models, push, stretches);
                each.forEach(frames -> leaked.add(frames));
                table.row(
                        gop,
                        stretch,
                        stretches.frames(),
                        tries,
                        each.stream().filter(frames -> frames == 0).count(),
                        each.stream().mapToInt(frames -> frames).average().orElse(0),
                        leaked.percentile(95),
                        leaked.max());
                report.note("gate, GOP %d, %.2f s forbidden: done", gop, stretch);
            }
        }
    }

    /** Forbidden frames that the gate let through, of each stretch. */
    private static List<Integer> leaked(Path models, TestPush push, Stretches stretches)
            throws Exception {
        try (CoverageSession session =
                new CoverageSession(
                        models,
                        CoverageSession.policy(GATE_INTERVAL, GATE_SAMPLES, /* gate= */ true),
                        /* seed= */ stretches.hashCode(),
                        stretches::isForbidden)) {
            GateViewer viewer = new GateViewer(session.barrier());
            Thread watching = Thread.ofPlatform().start(viewer);
            session.begin(push.tracks());
            feed(session, push, stretches.seconds(), viewer::add);
            session.end();
            viewer.end();
            watching.join();
            require(session);
            return stretches.count(viewer.published());
        }
    }

    /** Small frames with B-frames; ffmpeg makes each file once. */
    private static TestPush push(int gop) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(
                        Command.words(
                                "ffmpeg -v error -y -f lavfi -i"
                                        + " testsrc2=size=320x180:rate=%1$d,noise=alls=8:allf=t -t"
                                        + " %2$d -c:v libx264 -preset veryfast -pix_fmt yuv420p -bf"
                                        + " 2 -b:v 300k -g %3$d -keyint_min %3$d -sc_threshold 0 -f"
                                        + " flv",
                                FRAMES_PER_SECOND, LOOP_SECONDS, gop));
        String name = "touchline-bench-coverage-g%d.flv".formatted(gop);
        return TestPush.silent(name, command);
    }
}
