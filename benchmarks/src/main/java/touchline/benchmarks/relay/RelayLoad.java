package touchline.benchmarks.relay;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Benchmark;
import touchline.benchmarks.load.CameraSource;
import touchline.benchmarks.load.LiveAddress;
import touchline.benchmarks.load.ProcessUsage;
import touchline.benchmarks.load.PushMedia;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.benchmarks.load.Senders;

/**
 * Pushes through a relay beside as many pushes directly to the owner, from one sender in one run:
 * CPU time of the relay a stream-minute, and when each video frame is at the owner.
 */
public final class RelayLoad implements Benchmark {
    private static final double MAX_CPU_SECONDS = 0.08;
    private static final double MAX_ADDED_MS = 3;
    private static final long ROUND_MS = 2;
    private static final String RELAYED = "relayed-";
    private static final String DIRECT = "direct-";

    private final int streams;
    private final Duration measured;
    private final Duration warmUp;
    private final Report report;

    /** Streams of each kind, seconds, seconds of warm-up: 10, 60, 30 by default. */
    public RelayLoad(Arguments given, Report report) {
        streams = given.number(0, 10);
        measured = Duration.ofSeconds(given.number(1, 60));
        warmUp = Duration.ofSeconds(given.number(2, 30));
        this.report = report;
    }

    /** A {@link RelayNode}. */
    private record Node(Process process, int port) implements AutoCloseable {
        static Node start(String... arguments) throws IOException {
            List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.add("--enable-native-access=ALL-UNNAMED");
            command.add("-XX:+UseG1GC");
            command.add("-XX:+UseCompactObjectHeaders");
            command.add("-cp");
            command.add(System.getProperty("java.class.path"));
            command.add(RelayNode.class.getName());
            command.addAll(List.of(arguments));
            Process process =
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (line.matches("\\d+")) {
                    // What it logs later must not fill the pipe.
                    Thread.ofVirtual().start(() -> drain(out));
                    return new Node(process, Integer.parseInt(line));
                }
            }
            throw new IOException("the node does not start");
        }

        private static void drain(BufferedReader out) {
            out.lines().forEach(_ -> {});
        }

        URI push(String key) {
            return URI.create("rtmp://127.0.0.1:" + port + "/live/" + key);
        }

        /** Ends it in order. */
        void stop() throws IOException, InterruptedException {
            process.getOutputStream().close();
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                throw new IOException("a node does not stop");
            }
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    /** Returns 0 if the relay is within its limits and no frame is missing. */
    @Override
    public int run() throws Exception {
        long seconds = warmUp.plus(measured).toSeconds() + 30;
        PushMedia media = CameraSource.CAMERA.media(seconds);
        Path file = Files.createTempFile("touchline-relay", "");
        try (Node owner = Node.start("owner", file.toString());
                Node relay = Node.start("relay", String.valueOf(owner.port()))) {
            List<LiveAddress> addresses = new ArrayList<>();
            for (int i = 0; i < streams; i++) {
                addresses.add(
                        new LiveAddress(RELAYED + i, relay.push(RELAYED + i), URI.create("")));
                addresses.add(new LiveAddress(DIRECT + i, owner.push(DIRECT + i), URI.create("")));
            }
            double relayCpu;
            double ownerCpu;
            long[] startNs = new long[addresses.size()];
            long fromNs;
            long toNs;
            try (Senders senders = Senders.start(addresses, media, ROUND_MS)) {
                for (int i = 0; i < startNs.length; i++) {
                    startNs[i] = senders.startNs(i);
                }
                Thread.sleep(warmUp);
                fromNs = System.nanoTime();
                double relayBefore = cpu(relay);
                double ownerBefore = cpu(owner);
                Thread.sleep(measured);
                relayCpu = cpu(relay) - relayBefore;
                ownerCpu = cpu(owner) - ownerBefore;
                toNs = System.nanoTime();
                senders.stop();
                senders.requireAlive();
            }
            relay.stop();
            owner.stop();
            double minutes = (toNs - fromNs) / 60e9 * streams;
            return table(
                    relayCpu / minutes,
                    ownerCpu / minutes / 2,
                    delays(file, addresses, startNs, fromNs, toNs));
        } finally {
            Files.delete(file);
        }
    }

    private static double cpu(Node node) throws IOException {
        return ProcessUsage.of(node.process().toHandle()).cpuSeconds();
    }

    /**
     * From the time at which a frame is due at the sender to its arrival, in milliseconds.
     *
     * @param relayed of streams through the relay
     */
    private record Delays(Samples relayed, Samples direct) {}

    private static Delays delays(
            Path file, List<LiveAddress> addresses, long[] startNs, long fromNs, long toNs)
            throws IOException {
        Delays delays = new Delays(new Samples(), new Samples());
        List<String> names = addresses.stream().map(LiveAddress::id).toList();
        for (String line : Files.readAllLines(file)) {
            String[] fields = line.split(" ", -1);
            long dueNs =
                    startNs[names.indexOf(fields[0])]
                            + TimeUnit.MILLISECONDS.toNanos(Long.parseLong(fields[1]));
            if (dueNs >= fromNs && dueNs < toNs) {
                Samples kind = fields[0].startsWith(RELAYED) ? delays.relayed() : delays.direct();
                kind.add((Long.parseLong(fields[2]) - dueNs) / 1e6);
            }
        }
        return delays;
    }

    private int table(double relayCpu, double ownerCpu, Delays delays) {
        report.table("cpu", "process | CPU s a stream-minute | ratio to the owner's | limit")
                .row("relay", relayCpu, relayCpu / ownerCpu, MAX_CPU_SECONDS);
        Report.Table times =
                report.table("frames", "push | frames | due to arrival ms, median | p95 | p99");
        row(times, "direct", delays.direct());
        row(times, "relayed", delays.relayed());
        double addedMs = delays.relayed().percentile(95) - delays.direct().percentile(95);
        report.table("added", "median ms | p95 ms | p95 ratio | limit of p95")
                .row(
                        delays.relayed().median() - delays.direct().median(),
                        addedMs,
                        delays.relayed().percentile(95) / delays.direct().percentile(95),
                        MAX_ADDED_MS);
        boolean whole = Math.abs(delays.relayed().count() - delays.direct().count()) <= 2 * streams;
        return whole && relayCpu <= MAX_CPU_SECONDS && addedMs <= MAX_ADDED_MS ? 0 : 1;
    }

    private static void row(Report.Table table, String name, Samples delays) {
        table.row(
                name,
                delays.count(),
                delays.median(),
                delays.percentile(95),
                delays.percentile(99));
    }
}
