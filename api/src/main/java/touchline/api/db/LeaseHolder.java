package touchline.api.db;

import java.util.function.Predicate;

/**
 * A server that takes a lease of a database. Any thread.
 *
 * @param name for people: host, process and data folder
 * @param process identifies its process on its host and its data folder; empty where that is
 *     unknown
 * @param isGone whether the process with such an identity has certainly ended
 * @param isOfThisFolder whether such a process worked in this server's data folder, which this
 *     server has locked
 */
public record LeaseHolder(
        String name, String process, Predicate<String> isGone, Predicate<String> isOfThisFolder) {
    /** Without knowledge of data folders. */
    public LeaseHolder(String name, String process, Predicate<String> isGone) {
        this(name, process, isGone, _ -> false);
    }
}
