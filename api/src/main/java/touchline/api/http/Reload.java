package touchline.api.http;

import java.util.List;

/** Port: the configuration of a running server, read again from its file and environment. */
@FunctionalInterface
public interface Reload {
    /**
     * Takes over every changed key that can change while the server runs. Blocks for the time of
     * reading a file; one call at a time. Any thread.
     *
     * @throws touchline.config.ConfigException names each wrong key; nothing has changed
     */
    Report run();

    /**
     * What a reload has done. No value is a secret.
     *
     * @param applied changed keys that are in force now
     * @param restartRequired changed keys that the next start takes over
     */
    record Report(List<Applied> applied, List<String> restartRequired) {
        public Report {
            applied = List.copyOf(applied);
            restartRequired = List.copyOf(restartRequired);
        }
    }

    /** A key, with its value before and its value now, as configured. */
    record Applied(String key, String from, String to) {}
}
