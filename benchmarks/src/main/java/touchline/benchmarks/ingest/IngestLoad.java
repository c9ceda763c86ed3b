package touchline.benchmarks.ingest;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Benchmark;
import touchline.benchmarks.load.CameraSource;
import touchline.benchmarks.load.LiveAddress;
import touchline.benchmarks.load.Nginx;
import touchline.benchmarks.load.ProcessUsage;
import touchline.benchmarks.load.PushMedia;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Senders;
import touchline.benchmarks.load.TouchlineServer;

/**
 * Encoders of 2.5 Mbit/s push at once to this server, then to nginx with its rtmp module: CPU time
 * per stream-minute, resident memory, and whether every segment is there.
 */
public final class IngestLoad implements Benchmark {
    private static final Duration POLL_EVERY = Duration.ofSeconds(2);

    private record Result(
            String server,
            double cpuSecondsPerStreamMinute,
            long residentBytes,
            long holes,
            long missing,
            double leastCoveredSeconds,
            long mostBehindMs,
            List<String> dead) {}

    private final int publishers;
    private final Duration warmUp;
    private final Duration measured;
    private final Report report;

    /** Publishers, seconds of warm-up, seconds measured: 50, 60 and 180 by default. */
    public IngestLoad(Arguments given, Report report) {
        publishers = given.number(0, 50);
        warmUp = Duration.ofSeconds(given.number(1, 60));
        measured = Duration.ofSeconds(given.number(2, 180));
        this.report = report;
    }

    /** Returns 0 if no segment is missing. */
    @Override
    public int run() throws Exception {
        PushMedia media = CameraSource.CAMERA.media(warmUp.plus(measured).toSeconds() + 10);
        List<Result> results = new ArrayList<>();
        try (TouchlineServer server = TouchlineServer.start()) {
            List<LiveAddress> streams = server.streams(publishers, "standard");
            results.add(measure("touchline", server.process(), streams, media));
        }
        Optional<Nginx> nginx = Nginx.rtmp();
        if (nginx.isPresent()) {
            try (Nginx server = nginx.get()) {
                List<LiveAddress> streams = server.streams(publishers);
                results.add(measure("nginx-rtmp", server.process(), streams, media));
            }
        } else {
            report.note("nginx with its rtmp module is not installed: no comparison");
            report.note("(apt-get install -y nginx-light libnginx-mod-rtmp)");
        }
        table(results);
        Result own = results.getFirst();
        return own.holes() + own.missing() == 0 && own.dead().isEmpty() ? 0 : 1;
    }

    private Result measure(
            String name, ProcessHandle server, List<LiveAddress> streams, PushMedia media)
            throws Exception {
        report.note(
                "%s: %d publishers, %d s warm-up, %d s measured",
                name, publishers, warmUp.toSeconds(), measured.toSeconds());
        List<PlaylistWatch> watches = new ArrayList<>();
        try (Senders senders = Senders.start(streams, media)) {
            for (LiveAddress stream : streams) {
                watches.add(new PlaylistWatch(stream.watch()));
            }
            watch(watches, warmUp, server);
            ProcessUsage before = ProcessUsage.of(server);
            long startNs = System.nanoTime();
            long residentBytes = watch(watches, measured, server);
            ProcessUsage after = ProcessUsage.of(server);
            double minutes = (System.nanoTime() - startNs) / 60e9;
            long missing = 0;
            for (PlaylistWatch watch : watches) {
                missing += watch.missing();
            }
            return new Result(
                    name,
                    (after.cpuSeconds() - before.cpuSeconds()) / minutes / publishers,
                    residentBytes,
                    watches.stream().mapToLong(PlaylistWatch::holes).sum(),
                    missing,
                    watches.stream().mapToDouble(PlaylistWatch::coveredSeconds).min().orElse(0),
                    senders.mostBehindMs(),
                    senders.dead());
        } finally {
            for (PlaylistWatch watch : watches) {
                watch.close();
            }
        }
    }

    /** Polls all playlists for some time; returns the highest resident memory of the server. */
    private static long watch(List<PlaylistWatch> watches, Duration time, ProcessHandle server)
            throws IOException, InterruptedException {
        long endNs = System.nanoTime() + time.toNanos();
        long residentBytes = 0;
        while (System.nanoTime() < endNs) {
            long nextNs = Math.min(endNs, System.nanoTime() + POLL_EVERY.toNanos());
            for (PlaylistWatch watch : watches) {
                watch.load();
            }
            residentBytes = Math.max(residentBytes, ProcessUsage.of(server).residentBytes());
            TimeUnit.NANOSECONDS.sleep(nextNs - System.nanoTime());
        }
        return residentBytes;
    }

    private void table(List<Result> results) {
        Report.Table table =
                report.table(
                        "ingest",
                        "server | CPU s per stream-minute | ratio | RSS MiB | holes | missing"
                                + " | covered s (least) | most behind ms | lost publishers");
        double reference = results.getLast().cpuSecondsPerStreamMinute();
        for (Result result : results) {
            table.row(
                    result.server(),
                    result.cpuSecondsPerStreamMinute(),
                    result.cpuSecondsPerStreamMinute() / reference,
                    result.residentBytes() >> 20,
                    result.holes(),
                    result.missing(),
                    Math.round(result.leastCoveredSeconds()),
                    result.mostBehindMs(),
                    result.dead().size());
            result.dead().stream().distinct().limit(3).forEach(reason -> report.note("%s", reason));
        }
    }
}
