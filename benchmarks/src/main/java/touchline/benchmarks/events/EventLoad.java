package touchline.benchmarks.events;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import touchline.benchmarks.events.EventReceiver.Account;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Benchmark;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.load.Samples;
import touchline.benchmarks.load.TouchlineServer;

/**
 * Webhook events at a steady rate to one endpoint, then beside a healthy and beside a slow
 * endpoint, then with a server that is killed again and again. Each change of a live stream by the
 * API is one event.
 */
public final class EventLoad implements Benchmark {
    private static final int STREAMS = 50;
    private static final int KILL_RATE = 200;
    private static final Duration WARM_UP = Duration.ofSeconds(45);
    private static final Duration SLOW_ANSWER = Duration.ofSeconds(14);
    private static final Duration ARRIVAL_LIMIT = Duration.ofMinutes(5);

    /**
     * @param confirmed titles of the changes that the API has confirmed
     * @param requested number of changes
     */
    private record Load(Set<String> confirmed, long requested) {}

    private final int rate;
    private final Duration time;
    private final int kills;
    private final Map<String, String> database = new HashMap<>();
    private final Report report;

    /**
     * Events a second, seconds, kills: 500, 60 and 50 by default; then address, user and password
     * of an empty PostgreSQL database, the embedded one by default.
     */
    public EventLoad(Arguments given, Report report) {
        rate = given.number(0, 500);
        time = Duration.ofSeconds(given.number(1, 60));
        kills = given.number(2, 50);
        if (!given.text(3, "").isEmpty()) {
            database.put("TOUCHLINE_DB_URL", given.text(3, ""));
            database.put("TOUCHLINE_DB_USER", given.text(4, ""));
            database.put("TOUCHLINE_DB_PASSWORD", given.text(5, ""));
        }
        this.report = report;
    }

    /** Returns 0 if all events arrived in order. */
    @Override
    public int run() throws Exception {
        Map<String, String> environment = new HashMap<>(database);
        environment.put("TOUCHLINE_EGRESS_ALLOW", "127.0.0.0/8");
        boolean whole;
        try (TouchlineServer server = TouchlineServer.start(environment)) {
            List<String> streams = new ArrayList<>();
            for (int i = 0; i < STREAMS; i++) {
                streams.add(server.stream("{}").id());
            }
            whole = measure(server, streams);
            if (kills > 0) {
                whole &= kill(server, streams);
            }
        }
        return whole ? 0 : 1;
    }

    private boolean measure(TouchlineServer server, List<String> streams) throws Exception {
        try (EventReceiver receiver = new EventReceiver(Duration.ZERO);
                EventReceiver healthy = new EventReceiver(Duration.ZERO);
                EventReceiver slow = new EventReceiver(SLOW_ANSWER)) {
            webhook(server, receiver);
            report.note("warming up for %d s", WARM_UP.toSeconds());
            await(receiver, load(server, streams, rate, WARM_UP));
            receiver.takeDelaysMs();
            report.note("%d events a second for %d s", rate, time.toSeconds());
            Report.Table table =
                    report.table(
                            "delivery",
                            "case | requested | confirmed | missing | median ms | 95 % ms | 99 % ms"
                                    + " | max ms | out of order");
            boolean whole = row(table, "alone", server, streams, receiver);
            // Two endpoints double the deliveries: compare a slow one with a healthy one.
            String second = webhook(server, healthy);
            whole &= row(table, "beside a healthy endpoint", server, streams, receiver);
            server.call("DELETE", second, "");
            second = webhook(server, slow);
            whole &= row(table, "beside a slow endpoint", server, streams, receiver);
            server.call("DELETE", second, "");
            return whole && receiver.account().disorder() == 0;
        }
    }

    /** Creates an endpoint for changes of live streams and returns its path in the API. */
    private static String webhook(TouchlineServer server, EventReceiver receiver)
            throws IOException, InterruptedException {
        String path = "/system/v1/webhooks";
        String body =
                "{\"url\":\"%s\",\"events\":[\"live_stream.updated\"]}".formatted(receiver.url());
        return path + "/" + server.post(path, body).path("id").asText();
    }

    private boolean row(
            Report.Table table,
            String name,
            TouchlineServer server,
            List<String> streams,
            EventReceiver receiver)
            throws InterruptedException {
        report.note("%s", name);
        Load load = load(server, streams, rate, time);
        boolean whole = await(receiver, load);
        Samples delays = receiver.takeDelaysMs();
        table.row(
                name,
                load.requested(),
                load.confirmed().size(),
                receiver.missing(load.confirmed()),
                delays.median(),
                delays.percentile(95),
                delays.percentile(99),
                delays.max(),
                receiver.account().disorder());
        return whole;
    }

    private boolean kill(TouchlineServer server, List<String> streams) throws Exception {
        Random random = new Random(20261121);
        Set<String> confirmed = ConcurrentHashMap.newKeySet();
        try (EventReceiver receiver = new EventReceiver(Duration.ZERO)) {
            webhook(server, receiver);
            for (int i = 1; i <= kills; i++) {
                Duration life = Duration.ofMillis(300 + random.nextInt(2_700));
                confirmed.addAll(loadUntilKill(server, streams, life).confirmed());
                if (i % 10 == 0) {
                    report.note("killed %d times, %d events confirmed", i, confirmed.size());
                }
            }
            boolean whole = await(receiver, new Load(confirmed, confirmed.size()));
            Account account = receiver.account();
            report.table(
                            "kills",
                            "kills | confirmed | missing | received | duplicates"
                                    + " | altered duplicates | out of order")
                    .row(
                            kills,
                            confirmed.size(),
                            receiver.missing(confirmed),
                            account.events(),
                            account.duplicates(),
                            account.altered(),
                            account.disorder());
            return whole && account.disorder() == 0 && account.altered() == 0;
        }
    }

    /** Kills the server under load and starts it again. */
    private static Load loadUntilKill(TouchlineServer server, List<String> streams, Duration life)
            throws Exception {
        try (ExecutorService beside = Executors.newVirtualThreadPerTaskExecutor()) {
            Duration longer = life.plusMillis(200);
            var running = beside.submit(() -> load(server, streams, KILL_RATE, longer));
            Thread.sleep(life);
            server.restart();
            return running.get();
        }
    }

    private static boolean await(EventReceiver receiver, Load load) throws InterruptedException {
        long endNs = System.nanoTime() + ARRIVAL_LIMIT.toNanos();
        while (!receiver.hasTitles(load.confirmed())) {
            if (System.nanoTime() - endNs > 0) {
                return false;
            }
            Thread.sleep(20);
        }
        return true;
    }

    /** Changes titles at a steady rate, whatever each request takes. */
    private static Load load(TouchlineServer server, List<String> streams, int rate, Duration time)
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
                String path = "/live/v1/live-streams/" + streams.get((int) (i % streams.size()));
                String title = "t" + startNs + "-" + i;
                var _ =
                        threads.submit(
                                () -> {
                                    server.call("PATCH", path, "{\"title\":\"" + title + "\"}");
                                    return confirmed.add(title);
                                });
            }
        }
        return new Load(confirmed, count);
    }
}
