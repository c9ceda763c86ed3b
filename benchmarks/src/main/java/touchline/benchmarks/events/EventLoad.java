package touchline.benchmarks.events;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import touchline.benchmarks.events.EventReceiver.Account;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;

/**
 * Events at a steady rate to one endpoint; the same beside another, and beside one that answers
 * after 14 seconds; and with the server killed again and again. The load is changes of live streams
 * by the API: each is one event.
 */
public final class EventLoad {
    private static final int STREAMS = 50;
    private static final int KILL_RATE = 200;
    private static final Duration WARM_UP = Duration.ofSeconds(45);
    private static final Duration SLOW_ANSWER = Duration.ofSeconds(14);
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Path launcher;
    private final Plan plan;
    private final Report report;

    /**
     * @param rate events a second
     * @param time of each measurement
     * @param kills how often the server is killed
     * @param storeUrl of a PostgreSQL database that is empty; empty: the embedded one
     */
    public record Plan(
            int rate,
            Duration time,
            int kills,
            String storeUrl,
            String storeUser,
            String storePassword) {
        /**
         * Events a second, seconds, kills: 500, 60 and 50 unless given; then address, user and
         * password of an empty PostgreSQL database.
         */
        public static Plan of(Arguments given) {
            return new Plan(
                    given.number(0, 500),
                    Duration.ofSeconds(given.number(1, 60)),
                    given.number(2, 50),
                    given.text(3, ""),
                    given.text(4, ""),
                    given.text(5, ""));
        }
    }

    /** What the load has been told by the server. */
    private record Load(Set<String> confirmed, long asked) {}

    public EventLoad(Path launcher, Plan plan, Report report) {
        this.launcher = launcher;
        this.plan = plan;
        this.report = report;
    }

    /** The exit code: 0 when everything arrived, in order. */
    public int run(Path results) throws Exception {
        EventServer.Store store =
                plan.storeUrl().isEmpty()
                        ? EventServer.Store.EMBEDDED
                        : new EventServer.Store(
                                plan.storeUrl(), plan.storeUser(), plan.storePassword());
        boolean whole;
        try (EventServer server = EventServer.start(launcher, store)) {
            List<String> streams = server.streams(STREAMS);
            whole = measure(server, streams);
            if (plan.kills() > 0) {
                whole &= kill(server, streams);
            }
        }
        report.finish(results);
        return whole ? 0 : 1;
    }

    private boolean measure(EventServer server, List<String> streams) throws Exception {
        try (EventReceiver receiver = new EventReceiver(Duration.ZERO);
                EventReceiver healthy = new EventReceiver(Duration.ZERO);
                EventReceiver slow = new EventReceiver(SLOW_ANSWER)) {
            server.webhook(receiver.url());
            report.note("warming up for %d s", WARM_UP.toSeconds());
            await(receiver, load(server, streams, plan.rate(), WARM_UP));
            receiver.takeDelaysMs();
            report.note("%d events a second for %d s", plan.rate(), plan.time().toSeconds());
            List<List<Object>> rows = new ArrayList<>();
            boolean whole = measure(server, streams, receiver, "alone", rows);
            // Two endpoints are twice the work: what a slow one does shows beside a second one.
            String second = server.webhook(healthy.url());
            whole &= measure(server, streams, receiver, "beside a healthy endpoint", rows);
            server.deleteWebhook(second);
            second = server.webhook(slow.url());
            whole &= measure(server, streams, receiver, "beside a slow endpoint", rows);
            server.deleteWebhook(second);
            report.table(
                    "delivery",
                    List.of(
                            "case",
                            "asked",
                            "confirmed",
                            "missing",
                            "median ms",
                            "95 % ms",
                            "99 % ms",
                            "max ms",
                            "out of order"),
                    rows);
            return whole && receiver.account().disorder() == 0;
        }
    }

    private boolean measure(
            EventServer server,
            List<String> streams,
            EventReceiver receiver,
            String name,
            List<List<Object>> rows)
            throws Exception {
        report.note("%s", name);
        Load load = load(server, streams, plan.rate(), plan.time());
        boolean whole = await(receiver, load);
        rows.add(row(name, load, receiver));
        return whole;
    }

    private static List<Object> row(String name, Load load, EventReceiver receiver) {
        Samples delays = receiver.takeDelaysMs();
        return List.of(
                name,
                load.asked(),
                load.confirmed().size(),
                receiver.missing(load.confirmed()),
                delays.median(),
                delays.percentile(95),
                delays.percentile(99),
                delays.max(),
                receiver.account().disorder());
    }

    private boolean kill(EventServer server, List<String> streams) throws Exception {
        Random random = new Random(20261121);
        Set<String> confirmed = ConcurrentHashMap.newKeySet();
        try (EventReceiver receiver = new EventReceiver(Duration.ZERO)) {
            server.webhook(receiver.url());
            for (int i = 1; i <= plan.kills(); i++) {
                Duration life = Duration.ofMillis(300 + random.nextInt(2_700));
                confirmed.addAll(
                        loadUntil(server, streams, life, () -> server.killAndStart()).confirmed());
                if (i % 10 == 0) {
                    report.note("killed %d times, %d events confirmed", i, confirmed.size());
                }
            }
            boolean whole = await(receiver, new Load(confirmed, confirmed.size()));
            Account account = receiver.account();
            report.table(
                    "kills",
                    List.of(
                            "kills",
                            "confirmed",
                            "missing",
                            "received",
                            "duplicates",
                            "altered duplicates",
                            "out of order"),
                    List.of(
                            List.of(
                                    plan.kills(),
                                    confirmed.size(),
                                    receiver.missing(confirmed),
                                    account.events(),
                                    account.duplicates(),
                                    account.altered(),
                                    account.disorder())));
            return whole && account.disorder() == 0 && account.altered() == 0;
        }
    }

    @FunctionalInterface
    private interface Blow {
        void fall() throws IOException, InterruptedException;
    }

    /** Load at the rate of the kills, in the middle of which the blow falls. */
    private static Load loadUntil(
            EventServer server, List<String> streams, Duration life, Blow blow) throws Exception {
        Load load;
        try (ExecutorService beside = Executors.newVirtualThreadPerTaskExecutor()) {
            var running =
                    beside.submit(() -> load(server, streams, KILL_RATE, life.plusMillis(200)));
            Thread.sleep(life);
            blow.fall();
            load = running.get();
        }
        return load;
    }

    private static boolean await(EventReceiver receiver, Load load) throws InterruptedException {
        long endNs = System.nanoTime() + PATIENCE.toNanos();
        while (!receiver.hasTitles(load.confirmed())) {
            if (System.nanoTime() - endNs > 0) {
                return false;
            }
            Thread.sleep(20);
        }
        return true;
    }

    /** Changes at a steady rate: one that is due is not put off by one that takes long. */
    private static Load load(EventServer server, List<String> streams, int rate, Duration time)
            throws InterruptedException {
        Set<String> confirmed = ConcurrentHashMap.newKeySet();
        long count = time.toMillis() * rate / 1_000;
        long startNs = System.nanoTime();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (long i = 0; i < count; i++) {
                long waitNs = startNs + i * 1_000_000_000L / rate - System.nanoTime();
                if (waitNs > 0) {
                    Thread.sleep(Duration.ofNanos(waitNs));
                }
                String stream = streams.get((int) (i % streams.size()));
                String title = "t" + startNs + "-" + i;
                var _ =
                        threads.submit(
                                () -> {
                                    if (server.rename(stream, title)) {
                                        confirmed.add(title);
                                    }
                                    return true;
                                });
            }
        }
        return new Load(confirmed, count);
    }
}
