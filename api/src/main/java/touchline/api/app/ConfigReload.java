package touchline.api.app;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.egress.Egress;
import touchline.api.http.Reload;
import touchline.api.logging.ServerLog;
import touchline.config.ConfigException;
import touchline.config.LiveConfig;
import touchline.config.LoadedConfig;

/**
 * Takes over changed keys of the configuration in a running server. File and environment are read
 * again; a malformed one changes nothing. Readers see all new values at once. One reload at a time;
 * any thread.
 */
final class ConfigReload implements Reload {
    private static final Logger log = LoggerFactory.getLogger(ConfigReload.class);

    private static final String EGRESS = "egress.allow";

    private final LiveConfig live;
    private final Consumer<Report> applied;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private LoadedConfig inForce;

    /**
     * @param started with what the server was started
     * @param live receives each new configuration
     * @param applied called after that, before the reload returns
     */
    ConfigReload(LoadedConfig started, LiveConfig live, Consumer<Report> applied) {
        this.inForce = started;
        this.live = live;
        this.applied = applied;
    }

    /**
     * The reload of a server.
     *
     * @param started empty where there are no sources to read again: then nothing ever changes
     * @param egress checks new connections by changed rules
     */
    static Reload of(Optional<LoadedConfig> started, LiveConfig live, Egress egress) {
        Consumer<Report> applied =
                report -> {
                    if (report.applied().stream().anyMatch(each -> each.key().equals(EGRESS))) {
                        egress.rulesChanged();
                    }
                };
        return started.<Reload>map(from -> new ConfigReload(from, live, applied))
                .orElse(() -> new Report(List.of(), List.of()));
    }

    /** Runs a reload; what is wrong with the configuration becomes a line of the log. */
    static void orLog(Reload reload) {
        try {
            Report _ = reload.run();
        } catch (ConfigException e) {
            log.warn(
                    "the configuration is not reloaded, nothing has changed: {}",
                    String.join("; ", e.problems()));
        }
    }

    @Override
    public Report run() {
        lock.lock();
        try {
            LoadedConfig read = inForce.source().load();
            Report report = report(inForce.changesTo(read));
            LoadedConfig next = inForce.reloaded(read);
            live.replace(next.config());
            inForce = next;
            ServerLog.apply(next.config().log());
            applied.accept(report);
            log(report);
            return report;
        } finally {
            lock.unlock();
        }
    }

    private static Report report(List<LoadedConfig.Change> changes) {
        List<Applied> applied = new ArrayList<>();
        List<String> restart = new ArrayList<>();
        for (LoadedConfig.Change change : changes) {
            if (change.reloadable()) {
                applied.add(new Applied(change.key(), change.from(), change.to()));
            } else {
                restart.add(change.key());
            }
        }
        return new Report(applied, restart);
    }

    private static void log(Report report) {
        for (Applied each : report.applied()) {
            log.info("{} is {} now, was {}", each.key(), shown(each.to()), shown(each.from()));
        }
        for (String key : report.restartRequired()) {
            log.warn("{} has changed: the server takes it over at its next start", key);
        }
        log.info(
                "configuration reloaded: {} applied, {} need a restart",
                report.applied().size(),
                report.restartRequired().size());
    }

    private static String shown(String value) {
        return value.isEmpty() ? "empty" : value;
    }
}
