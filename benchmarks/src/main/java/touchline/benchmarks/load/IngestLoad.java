package touchline.benchmarks.load;

import java.io.IOException;
import java.io.PrintStream;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * N encoders of 2.5 Mbit/s push at once for some minutes: CPU time per stream-minute and resident
 * memory of the server, and whether every segment was there; this server and nginx with its rtmp
 * module one after the other in the same run, fed by the same sender.
 */
public final class IngestLoad {
    private static final Duration LOOK_EVERY = Duration.ofSeconds(2);

    /**
     * @param publishers how many encoders
     * @param warmUp before the measured time: class loading and compilation are over
     * @param measured what is measured
     */
    public record Plan(int publishers, Duration warmUp, Duration measured) {
        /** Publishers, warm-up seconds, measured seconds: 50, 60 and 180 unless given. */
        public static Plan of(Arguments given) {
            return new Plan(
                    given.number(0, 50),
                    Duration.ofSeconds(given.number(1, 60)),
                    Duration.ofSeconds(given.number(2, 180)));
        }
    }

    private record Result(
            String server,
            double cpuSecondsPerStreamMinute,
            long residentBytes,
            long holes,
            long missing,
            double leastCoveredSeconds,
            long mostBehindMs,
            List<String> dead) {}

    private final Path launcher;
    private final Plan plan;
    private final PrintStream out;

    public IngestLoad(Path launcher, Plan plan, PrintStream out) {
        this.launcher = launcher;
        this.plan = plan;
        this.out = out;
    }

    /** Runs both servers and prints the table; the exit code: 0 when no segment is missing. */
    public int run() throws Exception {
        long seconds = plan.warmUp().plus(plan.measured()).toSeconds() + 10;
        PushMedia media =
                PushMedia.of(
                        CameraSource.flv(), (int) (seconds / 20 + 2), /* messageStreamId= */ 1);
        List<Result> results = new ArrayList<>();
        try (MeasuredServer touchline =
                TouchlineServer.start(
                        launcher, Collections.nCopies(plan.publishers(), "standard"))) {
            results.add(measure(touchline, media));
        }
        var nginx = NginxServer.start(plan.publishers());
        if (nginx.isPresent()) {
            try (MeasuredServer server = nginx.get()) {
                results.add(measure(server, media));
            }
        } else {
            out.println("nginx with its rtmp module is not installed: nothing to compare with");
            out.println("(apt-get install -y nginx-light libnginx-mod-rtmp)");
        }
        print(results);
        Result own = results.getFirst();
        return own.holes() + own.missing() == 0 && own.dead().isEmpty() ? 0 : 1;
    }

    private Result measure(MeasuredServer server, PushMedia media) throws Exception {
        out.printf(
                Locale.ROOT,
                "%s: %d publishers, %d s warm-up, %d s measured%n",
                server.name(),
                plan.publishers(),
                plan.warmUp().toSeconds(),
                plan.measured().toSeconds());
        HttpClient client = HttpClient.newHttpClient();
        List<PlaylistWatch> watches =
                server.streams().stream().map(s -> new PlaylistWatch(client, s.watch())).toList();
        try (Senders senders = Senders.start(server.streams(), media)) {
            watch(watches, plan.warmUp());
            ProcessUsage before = ProcessUsage.of(server.process());
            long startNs = System.nanoTime();
            long residentBytes = watch(watches, plan.measured(), server.process());
            ProcessUsage after = ProcessUsage.of(server.process());
            double minutes = (System.nanoTime() - startNs) / 60e9;
            long missing = 0;
            for (PlaylistWatch watch : watches) {
                missing += watch.missing();
            }
            return new Result(
                    server.name(),
                    (after.cpuSeconds() - before.cpuSeconds()) / minutes / plan.publishers(),
                    residentBytes,
                    watches.stream().mapToLong(PlaylistWatch::holes).sum(),
                    missing,
                    watches.stream().mapToDouble(PlaylistWatch::coveredSeconds).min().orElse(0),
                    senders.mostBehindMs(),
                    senders.dead());
        }
    }

    private static void watch(List<PlaylistWatch> watches, Duration time) throws Exception {
        watch(watches, time, ProcessHandle.current());
    }

    private static long watch(List<PlaylistWatch> watches, Duration time, ProcessHandle process)
            throws IOException, InterruptedException {
        long endNs = System.nanoTime() + time.toNanos();
        long residentBytes = 0;
        while (System.nanoTime() < endNs) {
            long nextNs = Math.min(endNs, System.nanoTime() + LOOK_EVERY.toNanos());
            for (PlaylistWatch watch : watches) {
                watch.look();
            }
            residentBytes = Math.max(residentBytes, ProcessUsage.of(process).residentBytes());
            TimeUnit.NANOSECONDS.sleep(Math.max(0, nextNs - System.nanoTime()));
        }
        return residentBytes;
    }

    private void print(List<Result> results) {
        out.println();
        out.println(
                "| server | CPU s per stream-minute | ratio | RSS MiB | holes | missing | covered s (least) | most behind ms | lost publishers |");
        out.println("|---|---|---|---|---|---|---|---|---|");
        double reference = results.getLast().cpuSecondsPerStreamMinute();
        for (Result result : results) {
            out.printf(
                    Locale.ROOT,
                    "| %s | %.3f | %.2f | %d | %d | %d | %.0f | %d | %d |%n",
                    result.server(),
                    result.cpuSecondsPerStreamMinute(),
                    result.cpuSecondsPerStreamMinute() / reference,
                    result.residentBytes() >> 20,
                    result.holes(),
                    result.missing(),
                    result.leastCoveredSeconds(),
                    result.mostBehindMs(),
                    result.dead().size());
            result.dead().stream()
                    .distinct()
                    .limit(3)
                    .forEach(reason -> out.println("  " + reason));
        }
    }
}
