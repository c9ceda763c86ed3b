package touchline.api.db;

import java.util.function.Predicate;

/**
 * A server that takes the lease of a database. Any thread.
 *
 * @param name for people: host, process and data folder
 * @param process identifies its process on its host; empty where that is unknown
 * @param isGone whether the process with such an identity has certainly ended
 */
public record LeaseHolder(String name, String process, Predicate<String> isGone) {}
