package touchline.benchmarks.delivery;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import touchline.benchmarks.load.HttpConnection;
import touchline.benchmarks.load.LiveEdge;
import touchline.benchmarks.load.MeasuredServer;
import touchline.benchmarks.load.NginxFiles;
import touchline.benchmarks.load.ProcessUsage;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.benchmarks.load.Settling;

/**
 * Many viewers wait for the same part of one stream: how long after its publication the median and
 * the last one have their playlist, and what that costs the server.
 *
 * <p>A round asks for a part some parts ahead, so that everybody's request is with the server when
 * it appears. A single viewer on a thread of its own asks for it too: the first answer of all
 * stands for the moment of publication.
 */
final class BlockedReloads {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Duration ANSWER = Duration.ofSeconds(30);

    private static final int SETTLED_ROUNDS = 6;

    /** Where a server never settles, its figures are taken all the same. */
    private static final int WARM_UP_ROUNDS = 90;

    /** Of the other server, which compiles nothing. */
    private static final int PLAIN_ROUNDS = 6;

    /** Six parts of a quarter of a second: more than a second to send all requests in. */
    private static final int PARTS_AHEAD = 6;

    /** A round is made again where that was not enough, but not for ever. */
    private static final int TRIES_PER_ROUND = 4;

    /** Beside the waiters' connections. */
    private static final int SPARE_FILES = 1000;

    private static final Duration SETTLE = Duration.ofSeconds(3);

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final MeasuredServer server;
    private final NginxFiles nginx;
    private final Report report;
    private final Samples medianMs = new Samples();
    private final Samples lastMs = new Samples();
    private final Samples cpuUs = new Samples();
    private final Samples deliveryUs = new Samples();
    private final Samples clientCpuUs = new Samples();
    private final Samples sendMs = new Samples();

    private BaseLoad base = BaseLoad.NONE;

    /**
     * @param server its first stream is of low latency and runs
     * @param nginx answers the same bytes over as many connections, for the cost of the wire
     */
    BlockedReloads(MeasuredServer server, NginxFiles nginx, Report report) {
        this.server = server;
        this.nginx = nginx;
        this.report = report;
    }

    void run(int waiters, int rounds) throws Exception {
        requireOpenFiles(waiters);
        int failed;
        long residentBefore;
        long residentBlocked;
        double plainCpuUs;
        double bareCpuUs;
        try (LiveEdge edge = LiveEdge.open(server.streams().getFirst().watch(), SOON)) {
            warmUp(edge, waiters);
            residentBefore = ProcessUsage.of(server.process()).residentBytes();
            try (WaiterPool pool = WaiterPool.connect(edge.media(), waiters)) {
                residentBlocked = blockedOnce(edge, pool);
                int tries = 0;
                while (cpuUs.count() < rounds) {
                    if (!measure(edge, pool) && tries++ > TRIES_PER_ROUND * rounds) {
                        throw new IOException("too slow to ask before the part is published");
                    }
                }
                failed = pool.failed();
            }
            ByteBuffer playlist = playlist(edge);
            plainCpuUs = plainCpuUs(playlist, waiters);
            bareCpuUs = bareCpuUs(playlist, Math.min(waiters, (openFiles() - SPARE_FILES) / 2));
        }
        report.table(
                "blocked_reloads",
                List.of(
                        "waiters",
                        "rounds",
                        "median answer ms",
                        "last answer ms",
                        "worst last ms",
                        "server CPU us per answer",
                        "of it in the event loops",
                        "client CPU us",
                        "nginx CPU us per plain answer",
                        "bare loop CPU us",
                        "RSS KiB per waiter",
                        "sending took ms",
                        "failed"),
                List.of(
                        List.of(
                                waiters,
                                rounds,
                                medianMs.median(),
                                lastMs.median(),
                                lastMs.max(),
                                cpuUs.median(),
                                deliveryUs.median(),
                                clientCpuUs.median(),
                                plainCpuUs,
                                bareCpuUs,
                                (residentBlocked - residentBefore) / 1024.0 / waiters,
                                sendMs.median(),
                                failed)));
    }

    /** Asks until what an answer costs falls no more. */
    private void warmUp(LiveEdge edge, int waiters) throws IOException, InterruptedException {
        Settling settling = new Settling(SETTLED_ROUNDS, WARM_UP_ROUNDS);
        try (WaiterPool pool = WaiterPool.connect(edge.media(), waiters)) {
            while (!settling.isOver()) {
                double before = delivery();
                pool.ask(ahead(edge));
                pool.answers(ANSWER);
                settling.add((delivery() - before) / waiters);
            }
        }
        report.note("event loops, us per answer: %s", settling.toString(1e-6));
        TimeUnit.NANOSECONDS.sleep(SETTLE.toNanos());
        base = BaseLoad.of(server.process());
    }

    private static ByteBuffer playlist(LiveEdge edge) throws IOException {
        try (HttpConnection connection = HttpConnection.open(edge.media())) {
            return connection.body(edge.media());
        }
    }

    /** What nginx takes for the same playlist as a file, asked for by as many at once. */
    private double plainCpuUs(ByteBuffer playlist, int waiters) throws IOException {
        return cpuUs(
                nginx.serve("reload.m3u8", playlist),
                waiters,
                () -> ProcessUsage.of(nginx.process()).cpuSeconds());
    }

    /**
     * What a loop takes that only reads and writes: no server can take less. Both ends of its
     * connections are here.
     */
    private static double bareCpuUs(ByteBuffer playlist, int waiters) throws IOException {
        try (BareAnswers bare = BareAnswers.start(playlist, waiters)) {
            return cpuUs(bare.address(), waiters, bare::cpuSeconds);
        }
    }

    /** CPU time so far. */
    @FunctionalInterface
    private interface Meter {
        double seconds() throws IOException;
    }

    private static double cpuUs(URI address, int waiters, Meter meter) throws IOException {
        Samples us = new Samples();
        try (WaiterPool pool = WaiterPool.connect(address, waiters)) {
            for (int round = 0; round < PLAIN_ROUNDS; round++) {
                double before = meter.seconds();
                pool.ask(address);
                long[] doneNs = pool.answers(ANSWER);
                us.add((meter.seconds() - before) * 1e6 / doneNs.length);
            }
        }
        return us.median();
    }

    /** The server's resident memory while all wait. */
    private long blockedOnce(LiveEdge edge, WaiterPool pool)
            throws IOException, InterruptedException {
        pool.ask(ahead(edge));
        long residentBytes = ProcessUsage.of(server.process()).residentBytes();
        pool.answers(ANSWER);
        return residentBytes;
    }

    /** False, and nothing is kept, where the part was published before all had asked for it. */
    private boolean measure(LiveEdge edge, WaiterPool pool) throws Exception {
        URI wanted = ahead(edge);
        try (HttpConnection single = HttpConnection.open(wanted)) {
            double before = ProcessUsage.of(server.process()).cpuSeconds();
            double deliveryBefore = delivery();
            long ownBeforeNs = THREADS.getCurrentThreadCpuTime();
            long startNs = System.nanoTime();
            FutureTask<Long> probe = new FutureTask<>(() -> single.get(wanted).doneNs());
            Thread.ofPlatform().name("bench-single-viewer").start(probe);
            pool.ask(wanted);
            long askedNs = System.nanoTime();
            long[] doneNs = pool.answers(ANSWER);
            double after = ProcessUsage.of(server.process()).cpuSeconds();
            double deliveryAfter = delivery();
            double seconds = (System.nanoTime() - startNs) / 1e9;
            if (doneNs.length == 0 || probe.get() < askedNs) {
                report.note(
                        "a round came too late: asking took %d ms",
                        (askedNs - startNs) / 1_000_000);
                return false;
            }
            long publishedNs = Math.min(doneNs[0], probe.get());
            medianMs.add((doneNs[doneNs.length / 2] - publishedNs) / 1e6);
            lastMs.add((doneNs[doneNs.length - 1] - publishedNs) / 1e6);
            cpuUs.add((after - before - base.in(seconds)) * 1e6 / doneNs.length);
            deliveryUs.add((deliveryAfter - deliveryBefore) * 1e6 / doneNs.length);
            long ownNs = THREADS.getCurrentThreadCpuTime() - ownBeforeNs;
            clientCpuUs.add(ownNs / 1e3 / doneNs.length);
            sendMs.add((askedNs - startNs) / 1e6);
            return true;
        }
    }

    /** Of the event loops of the viewers' port. */
    private double delivery() throws IOException {
        return ProcessUsage.threadsCpuSeconds(server.process(), "playback");
    }

    /** After a segment's first part has appeared: a later part of the same segment. */
    private static URI ahead(LiveEdge edge) throws IOException {
        edge.look();
        while (!edge.next().getQuery().endsWith("_HLS_part=1")) {
            edge.reload();
        }
        String query = edge.next().getQuery();
        String later = query.replaceFirst("_HLS_part=\\d+", "_HLS_part=" + PARTS_AHEAD);
        return URI.create(edge.media() + "?" + later);
    }

    private static void requireOpenFiles(int waiters) throws IOException {
        if (openFiles() < waiters + SPARE_FILES) {
            throw new IOException(
                    "open files: at most %d, needs %d (ulimit -n)"
                            .formatted(openFiles(), waiters + SPARE_FILES));
        }
    }

    /** How many this process may have. */
    private static int openFiles() {
        return ManagementFactory.getOperatingSystemMXBean()
                        instanceof com.sun.management.UnixOperatingSystemMXBean system
                ? (int) Math.min(system.getMaxFileDescriptorCount(), Integer.MAX_VALUE)
                : Integer.MAX_VALUE;
    }
}
