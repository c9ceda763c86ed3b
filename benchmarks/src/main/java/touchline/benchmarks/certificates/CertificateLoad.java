package touchline.benchmarks.certificates;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Benchmark;
import touchline.benchmarks.load.CameraSource;
import touchline.benchmarks.load.Command;
import touchline.benchmarks.load.LiveAddress;
import touchline.benchmarks.load.LocalCertificate;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.benchmarks.load.TouchlineServer;

/**
 * Replaces the certificate's files while viewers ask over open connections and encoders push by
 * RTMPS. Measures when new handshakes see the next certificate, and counts what was dropped.
 */
public final class CertificateLoad implements Benchmark {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final double PROMISED_MS = 2_000;
    private static final long BETWEEN_MS = 1_000;
    private static final long PROBE_MS = 20;

    private final int swaps;
    private final int viewerCount;
    private final int publisherCount;
    private final Report report;

    /** Swaps, viewers and publishers: 20, 1,000 and 10 by default. */
    public CertificateLoad(Arguments given, Report report) {
        swaps = given.number(0, 20);
        viewerCount = given.number(1, 1_000);
        publisherCount = given.number(2, 10);
        this.report = report;
    }

    /** A listener of the server. */
    private record Listener(String name, URI address, Samples shownMs) {}

    /** Returns 0 if nothing was dropped and every handshake saw the next certificate in time. */
    @Override
    public int run() throws Exception {
        // The viewers of this JVM trust both; one after the other is the server's.
        LocalCertificate first = LocalCertificate.create();
        LocalCertificate second = LocalCertificate.create();
        int rtmps = TouchlineServer.freePort();
        Path shown = Files.createTempDirectory("touchline-bench-shown");
        put(first, shown);
        LocalCertificate.trust(List.of(first, second));
        List<Process> encoders = new ArrayList<>();
        List<OpenViewer> viewers = new ArrayList<>();
        try (TouchlineServer server =
                TouchlineServer.startFromClassPath(
                        Map.of(
                                "TOUCHLINE_TLS_CERT", shown.resolve("cert.pem").toString(),
                                "TOUCHLINE_TLS_KEY", shown.resolve("key.pem").toString(),
                                "TOUCHLINE_RTMPS_PORT", String.valueOf(rtmps)))) {
            List<LiveAddress> streams = server.streams(publisherCount, "low");
            for (LiveAddress stream : streams) {
                encoders.add(push(stream, rtmps));
            }
            List<String> sessions = awaitSessions(server, streams);
            LongAdder answers = new LongAdder();
            for (int i = 0; i < viewerCount; i++) {
                URI playlist = streams.get(i % streams.size()).watch();
                OpenViewer viewer =
                        OpenViewer.open(playlist.getPort(), playlist.getPath(), answers);
                viewers.add(viewer);
                Thread.ofVirtual().start(viewer);
            }
            report.note("%d viewers and %d publishers are connected", viewerCount, publisherCount);
            List<Listener> listeners =
                    List.of(
                            new Listener("API", server.api(), new Samples()),
                            new Listener("playback", streams.getFirst().watch(), new Samples()),
                            new Listener(
                                    "RTMPS",
                                    URI.create("rtmps://127.0.0.1:" + rtmps),
                                    new Samples()));
            for (int i = 1; i <= swaps; i++) {
                swap(i % 2 == 0 ? first : second, shown, listeners);
                TimeUnit.MILLISECONDS.sleep(BETWEEN_MS);
            }
            long lost = viewers.stream().filter(each -> !each.lost().isEmpty()).count();
            long ended = encoders.stream().filter(each -> !each.isAlive()).count();
            boolean same = sessions.equals(sessions(server, streams));
            return results(listeners, answers.sum(), lost, ended, same);
        } finally {
            for (OpenViewer viewer : viewers) {
                viewer.stop();
            }
            for (Process encoder : encoders) {
                encoder.destroyForcibly().waitFor();
            }
        }
    }

    private int results(
            List<Listener> listeners, long answers, long lost, long ended, boolean same) {
        Report.Table handshakes =
                report.table("handshakes", "listener | swaps | shown after, ms (median) | (worst)");
        boolean inTime = true;
        for (Listener each : listeners) {
            handshakes.row(each.name(), swaps, each.shownMs().median(), each.shownMs().max());
            inTime &= each.shownMs().max() <= PROMISED_MS;
        }
        Report.Table open =
                report.table(
                        "connections",
                        "viewers | answers | viewers dropped | publishers | publishers dropped | sessions unchanged");
        open.row(viewerCount, answers, lost, publisherCount, ended, same ? "yes" : "no");
        return lost == 0 && ended == 0 && same && inTime ? 0 : 1;
    }

    private static Process push(LiveAddress stream, int rtmps) throws Exception {
        String key = stream.push().getPath().substring("/live/".length());
        return new ProcessBuilder(
                        Command.words(
                                "ffmpeg -v error -re -stream_loop -1 -i %s -c copy -f flv rtmps://127.0.0.1:%d/live/%s",
                                CameraSource.SMALL.path(), rtmps, key))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static List<String> awaitSessions(TouchlineServer server, List<LiveAddress> streams)
            throws Exception {
        long endNs = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            List<String> sessions = sessions(server, streams);
            if (sessions.stream().noneMatch(String::isEmpty)) {
                return sessions;
            }
            if (System.nanoTime() > endNs) {
                throw new IOException("not every stream is on the air: " + sessions);
            }
            TimeUnit.MILLISECONDS.sleep(BETWEEN_MS);
        }
    }

    private static List<String> sessions(TouchlineServer server, List<LiveAddress> streams)
            throws Exception {
        List<String> sessions = new ArrayList<>();
        for (LiveAddress stream : streams) {
            sessions.add(
                    server.get("/live/v1/live-streams/" + stream.id())
                            .path("active_session_id")
                            .asText(""));
        }
        return sessions;
    }

    /** Replaces the files, and probes each listener on a thread of its own. */
    private void swap(LocalCertificate next, Path shown, List<Listener> listeners)
            throws Exception {
        put(next, shown);
        long startNs = System.nanoTime();
        List<Thread> probes = new ArrayList<>();
        for (Listener listener : listeners) {
            probes.add(
                    Thread.ofPlatform()
                            .start(() -> listener.shownMs().add(probe(listener, next, startNs))));
        }
        for (Thread probe : probes) {
            probe.join();
        }
    }

    /** Milliseconds until a new handshake sees the certificate. */
    private static double probe(Listener listener, LocalCertificate next, long startNs) {
        try {
            while (System.nanoTime() - startNs < PATIENCE.toNanos()) {
                if (LocalCertificate.shown(listener.address()).equals(next.certificate())) {
                    return (System.nanoTime() - startNs) / 1e6;
                }
                TimeUnit.MILLISECONDS.sleep(PROBE_MS);
            }
        } catch (IOException | GeneralSecurityException | InterruptedException _) {
            return Double.POSITIVE_INFINITY;
        }
        return Double.POSITIVE_INFINITY;
    }

    private static void put(LocalCertificate next, Path shown) throws IOException {
        for (String name : List.of("key.pem", "cert.pem")) {
            Path draft = shown.resolve(name + ".new");
            Files.copy(next.folder().resolve(name), draft, StandardCopyOption.REPLACE_EXISTING);
            Files.move(draft, shown.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        }
    }
}
