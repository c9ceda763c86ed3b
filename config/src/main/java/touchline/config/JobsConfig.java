package touchline.config;

import java.util.Locale;

/**
 * {@code jobs}: number of concurrent background jobs, in worker processes of low priority.
 *
 * @param clips cut concurrently
 * @param renditions of assets above 1080p, scaled concurrently
 * @param workerIsolation of all worker processes
 */
public record JobsConfig(int clips, int renditions, WorkerIsolation workerIsolation) {
    /** Separation of worker processes from the server and its host. */
    public enum WorkerIsolation {
        /** As much as this host offers. */
        AUTO,
        /** The server does not start where a worker can read the server's files. */
        REQUIRED,
        /** Limits of memory and priority only. */
        OFF;

        static WorkerIsolation of(String name) {
            return valueOf(name.toUpperCase(Locale.ROOT));
        }
    }
}
