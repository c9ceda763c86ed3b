package touchline.benchmarks.signal;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Benchmark;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.overlay.TestPush;
import touchline.media.codec.DecodingRefusedException;
import touchline.media.decoding.GopDecoders;
import touchline.media.hub.Feed;
import touchline.media.signal.SignalCounters;
import touchline.media.signal.SignalCounters.Media;
import touchline.media.signal.SignalFault;
import touchline.media.signal.SignalListener;
import touchline.media.signal.SignalSample;
import touchline.media.signal.SignalWatch;
import touchline.media.signal.WatchedMedia;

/**
 * Processor time of the watch of many 720p30 streams with AAC, at the speed of cameras. Faults
 * would be false alarms: the streams have none.
 */
public final class SignalLoad implements Benchmark {
    private static final int PUSH_SECONDS = 20;
    private static final int WARM_UP_SECONDS = 10;

    private final int streams;
    private final int seconds;
    private final Report report;
    private final AtomicLong samples = new AtomicLong();
    private final Queue<String> alarms = new ConcurrentLinkedQueue<>();

    /** Streams, and seconds that are measured: 20 and 60 by default. */
    public SignalLoad(Arguments given, Report report) {
        streams = given.number(0, 20);
        seconds = given.number(1, 60);
        this.report = report;
    }

    @Override
    public int run() throws Exception {
        TestPush push = TestPush.make(1280, 720, PUSH_SECONDS, /* toneHz= */ 440);
        SignalCounters counters = new SignalCounters();
        List<SentPush> sent = new ArrayList<>();
        try (SignalWatch watch = new SignalWatch(GopDecoders.LOCAL, counters, Clock.systemUTC())) {
            List<SignalWatch.Watched> watched = new ArrayList<>();
            for (int i = 0; i < streams; i++) {
                Feed feed = new Feed();
                watched.add(
                        watch.watch(
                                "bench-" + i,
                                WatchedMedia.of(feed, feed, () -> false),
                                new Counting()));
                sent.add(new SentPush(push, feed, i * 2_000_000L / streams, PUSH_SECONDS));
            }
            long startNs = System.nanoTime();
            SentPush.send(sent, startNs, WARM_UP_SECONDS);
            long cpuNs = cpuNs();
            long samplesBefore = samples.get();
            long audioNs = counters.nanos(Media.AUDIO);
            long videoNs = counters.nanos(Media.VIDEO);
            SentPush.send(sent, startNs, WARM_UP_SECONDS + seconds);
            double each = 100.0 / 1e9 / seconds / streams;
            Report.Table table =
                    report.table(
                            "watch",
                            "streams | % of a core each | audio % | video % | samples a second each"
                                    + " | dropped units | alarms");
            table.row(
                    streams,
                    (cpuNs() - cpuNs) * each,
                    (counters.nanos(Media.AUDIO) - audioNs) * each,
                    (counters.nanos(Media.VIDEO) - videoNs) * each,
                    (double) (samples.get() - samplesBefore) / seconds / streams,
                    counters.dropped(),
                    alarms.size());
            watched.forEach(SignalWatch.Watched::close);
        }
        alarms.forEach(each -> report.note("alarm: %s", each));
        boolean good = alarms.isEmpty() && counters.undecodable(Media.VIDEO) == 0;
        return new FaultDelays(report).run() && good ? 0 : 1;
    }

    /** Time of the threads of the watch. */
    private static long cpuNs() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long sum = 0;
        for (ThreadInfo each : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (each != null && each.getThreadName().startsWith("signal-")) {
                sum += Math.max(0, threads.getThreadCpuTime(each.getThreadId()));
            }
        }
        return sum;
    }

    private final class Counting implements SignalListener {
        @Override
        public void sampled(SignalSample sample) {
            samples.incrementAndGet();
        }

        @Override
        public void began(SignalFault fault, Instant at) {
            alarms.add(fault.code());
        }

        @Override
        public void ended(SignalFault fault, Instant at) {}

        @Override
        public void refused(DecodingRefusedException cause) {
            alarms.add(cause.toString());
        }
    }
}
