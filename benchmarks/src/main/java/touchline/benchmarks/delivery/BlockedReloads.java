package touchline.benchmarks.delivery;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import touchline.benchmarks.load.HttpConnection;
import touchline.benchmarks.load.LiveEdge;
import touchline.benchmarks.load.Nginx;
import touchline.benchmarks.load.ProcessUsage;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.benchmarks.load.Settling;

/**
 * Many viewers wait for the same part of one stream: the time from its publication to the median
 * and the last playlist, and the CPU time of the server.
 *
 * <p>A round requests a part some parts ahead, so that the server has all requests before the part.
 * A single viewer on its own thread requests it too: the first answer of all is the moment of
 * publication.
 */
final class BlockedReloads {
    private static final Duration ANSWER = Duration.ofSeconds(30);

    private static final int SETTLED_ROUNDS = 6;

    /** Limit for a server whose cost keeps falling. */
    private static final int WARM_UP_ROUNDS = 90;

    /** Rounds of nginx and the bare loop, which need no warm-up. */
    private static final int PLAIN_ROUNDS = 6;

    /** Six parts of a quarter of a second: more than a second to send all requests. */
    private static final int PARTS_AHEAD = 6;

    /** Limit for repeating rounds in which that time was too short. */
    private static final int TRIES_PER_ROUND = 4;

    /** Open files beside the connections of the waiters. */
    private static final int SPARE_FILES = 1000;

    private static final Duration SETTLE = Duration.ofSeconds(3);

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final ProcessHandle server;
    private final Nginx nginx;
    private final Report report;
    private final Samples medianMs = new Samples();
    private final Samples lastMs = new Samples();
    private final Samples cpuUs = new Samples();
    private final Samples deliveryUs = new Samples();
    private final Samples clientCpuUs = new Samples();
    private final Samples sendMs = new Samples();

    private BaseLoad base = BaseLoad.NONE;

    /**
     * @param nginx answers the same bytes over as many connections, to compare with
     */
    BlockedReloads(ProcessHandle server, Nginx nginx, Report report) {
        this.server = server;
        this.nginx = nginx;
        this.report = report;
    }

    /**
     * @param watch address of a running stream of latency mode low
     */
    void run(URI watch, int waiters, int rounds) throws Exception {
        requireOpenFiles(waiters);
        int failed;
        long residentBefore;
        long residentBlocked;
        double plainCpuUs;
        double bareCpuUs;
        try (LiveEdge edge = LiveEdge.open(watch, Throughput.START_LIMIT)) {
            warmUp(edge, waiters);
            residentBefore = ProcessUsage.of(server).residentBytes();
            try (WaiterPool pool = WaiterPool.connect(edge.media(), waiters)) {
                residentBlocked = blockedOnce(edge, pool);
                int tries = 0;
                while (cpuUs.count() < rounds) {
                    if (!measure(edge, pool) && tries++ > TRIES_PER_ROUND * rounds) {
                        throw new IOException(
                                "the requests take longer than the time until the part is"
                                        + " published");
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
                        "waiters | rounds | median answer ms | last answer ms | worst last ms"
                                + " | server CPU us per answer | of it in the event loops"
                                + " | client CPU us | nginx CPU us per plain answer"
                                + " | bare loop CPU us | RSS KiB per waiter | sending took ms"
                                + " | failed")
                .row(
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
                        failed);
    }

    /** Requests until the cost of an answer no longer falls. */
    private void warmUp(LiveEdge edge, int waiters) throws IOException, InterruptedException {
        Settling settling = new Settling(SETTLED_ROUNDS, WARM_UP_ROUNDS);
        try (WaiterPool pool = WaiterPool.connect(edge.media(), waiters)) {
            while (!settling.isOver()) {
                double before = delivery();
                pool.request(ahead(edge));
                pool.answers(ANSWER);
                settling.add((delivery() - before) / waiters);
            }
        }
        report.note("event loops, us per answer: %s", settling.toString(1e-6));
        Thread.sleep(SETTLE);
        base = BaseLoad.of(server);
    }

    private static ByteBuffer playlist(LiveEdge edge) throws IOException {
        try (HttpConnection connection = HttpConnection.open(edge.media())) {
            return connection.body(edge.media());
        }
    }

    /** CPU time of nginx for the same playlist as a file, with as many requests at once. */
    private double plainCpuUs(ByteBuffer playlist, int waiters) throws IOException {
        return cpuUs(
                nginx.serve("reload.m3u8", playlist),
                waiters,
                () -> ProcessUsage.of(nginx.process()).cpuSeconds());
    }

    /** CPU time of a loop that only reads and writes: the lower limit for a server. */
    private static double bareCpuUs(ByteBuffer playlist, int waiters) throws IOException {
        try (BareAnswers bare = BareAnswers.start(playlist, waiters)) {
            return cpuUs(bare.address(), waiters, bare::cpuSeconds);
        }
    }

    /** CPU time up to now. */
    @FunctionalInterface
    private interface Meter {
        double seconds() throws IOException;
    }

    private static double cpuUs(URI address, int waiters, Meter meter) throws IOException {
        Samples us = new Samples();
        try (WaiterPool pool = WaiterPool.connect(address, waiters)) {
            for (int round = 0; round < PLAIN_ROUNDS; round++) {
                double before = meter.seconds();
                pool.request(address);
                long[] doneNs = pool.answers(ANSWER);
                us.add((meter.seconds() - before) * 1e6 / doneNs.length);
            }
        }
        return us.median();
    }

    /** Resident memory of the server while all requests wait. */
    private long blockedOnce(LiveEdge edge, WaiterPool pool)
            throws IOException, InterruptedException {
        pool.request(ahead(edge));
        long residentBytes = ProcessUsage.of(server).residentBytes();
        pool.answers(ANSWER);
        return residentBytes;
    }

    /** Returns false, and adds no figures, if the part was published before the last request. */
    private boolean measure(LiveEdge edge, WaiterPool pool) throws Exception {
        URI wanted = ahead(edge);
        try (HttpConnection single = HttpConnection.open(wanted)) {
            double before = ProcessUsage.of(server).cpuSeconds();
            double deliveryBefore = delivery();
            long ownBeforeNs = THREADS.getCurrentThreadCpuTime();
            long startNs = System.nanoTime();
            FutureTask<Long> probe = new FutureTask<>(() -> single.get(wanted).doneNs());
            Thread.ofPlatform().name("bench-single-viewer").start(probe);
            pool.request(wanted);
            long requestedNs = System.nanoTime();
            long[] doneNs = pool.answers(ANSWER);
            double after = ProcessUsage.of(server).cpuSeconds();
            double deliveryAfter = delivery();
            double seconds = (System.nanoTime() - startNs) / 1e9;
            if (doneNs.length == 0 || probe.get() < requestedNs) {
                report.note(
                        "round repeated: sending the requests took %d ms",
                        (requestedNs - startNs) / 1_000_000);
                return false;
            }
            long publishedNs = Math.min(doneNs[0], probe.get());
            medianMs.add((doneNs[doneNs.length / 2] - publishedNs) / 1e6);
            lastMs.add((doneNs[doneNs.length - 1] - publishedNs) / 1e6);
            cpuUs.add((after - before - base.in(seconds)) * 1e6 / doneNs.length);
            deliveryUs.add((deliveryAfter - deliveryBefore) * 1e6 / doneNs.length);
            long ownNs = THREADS.getCurrentThreadCpuTime() - ownBeforeNs;
            clientCpuUs.add(ownNs / 1e3 / doneNs.length);
            sendMs.add((requestedNs - startNs) / 1e6);
            return true;
        }
    }

    /** CPU time of the event loops of the playback port. */
    private double delivery() throws IOException {
        return ProcessUsage.threadsCpuSeconds(server, "playback");
    }

    /** Waits for the first part of a segment; returns a later part of this segment. */
    private static URI ahead(LiveEdge edge) throws IOException {
        edge.load();
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
                    "open files: %d (expected: >= %d, see ulimit -n)"
                            .formatted(openFiles(), waiters + SPARE_FILES));
        }
    }

    /** Limit of this process. */
    private static int openFiles() {
        return ManagementFactory.getOperatingSystemMXBean()
                        instanceof com.sun.management.UnixOperatingSystemMXBean system
                ? (int) Math.min(system.getMaxFileDescriptorCount(), Integer.MAX_VALUE)
                : Integer.MAX_VALUE;
    }
}
