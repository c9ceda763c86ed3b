package touchline.api.app;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.audience.ViewerHistory;
import touchline.api.db.Database;
import touchline.api.db.ViewerRepository;
import touchline.api.maintenance.PeriodicTask;
import touchline.config.LiveConfig;
import touchline.media.net.SharedAddresses;
import touchline.packager.audience.Audience;
import touchline.packager.audience.AudienceCounters;

/** The viewers of a server's live streams, and their history. Built and closed with the server. */
final class ServerViewers implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ServerViewers.class);

    private static final Duration STORE_EVERY = Duration.ofSeconds(10);

    /** Old minutes are deleted at every thirtieth run: every five minutes. */
    private static final int TRIM_RUNS = 30;

    private final Audience audience;
    private final ViewerHistory history;
    private final PeriodicTask task = new PeriodicTask("viewers", STORE_EVERY, this::run);
    private int runs;

    ServerViewers(LiveConfig live, Database database, InstantSource clock) {
        audience =
                new Audience(
                        new Audience.Limits(
                                () -> live.get().playback().maxConnectionsPerAddress(),
                                new SharedAddresses(live.get().http().trustedProxies())),
                        System::nanoTime,
                        clock);
        history =
                new ViewerHistory(
                        audience,
                        new ViewerRepository(database),
                        () -> live.get().viewers().keep(),
                        clock);
    }

    /** Counted by the playback server. */
    Audience audience() {
        return audience;
    }

    ViewerHistory history() {
        return history;
    }

    void start() {
        task.start();
    }

    private void run() {
        history.store();
        if (runs++ % TRIM_RUNS == 0) {
            history.trim();
        }
    }

    /** Registers the metrics. */
    void bind(MeterRegistry registry) {
        AudienceCounters counters = audience.counters();
        Gauge.builder("touchline.viewers", audience, Audience::now)
                .description("Players of live streams that asked for media in the last 30 seconds")
                .register(registry);
        begun(registry, counters, "cmcd", /* bySid= */ true);
        begun(registry, counters, "address", /* bySid= */ false);
        FunctionCounter.builder(
                        "touchline.viewers.uncounted", counters, AudienceCounters::notCounted)
                .description("Requests for media beyond the limits of viewer sessions")
                .register(registry);
        FunctionCounter.builder("touchline.viewers.reports", counters, AudienceCounters::reports)
                .description("Requests for segments and parts with a report of the player (CMCD)")
                .register(registry);
        FunctionCounter.builder(
                        "touchline.viewers.starved", counters, AudienceCounters::starvedReports)
                .description("Reports of players whose buffer ran empty")
                .register(registry);
    }

    private static void begun(
            MeterRegistry registry, AudienceCounters counters, String identity, boolean bySid) {
        FunctionCounter.builder("touchline.viewers.sessions", counters, all -> all.begun(bySid))
                .description("Viewer sessions of live streams, by what identifies the player")
                .tag("identity", identity)
                .register(registry);
    }

    /** Stores what is counted. */
    @Override
    public void close() {
        task.close();
        try {
            history.storeAll();
        } catch (RuntimeException e) {
            log.warn("the viewers of the last minute were not stored", e);
        }
    }
}
