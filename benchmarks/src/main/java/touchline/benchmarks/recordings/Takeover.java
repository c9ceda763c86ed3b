package touchline.benchmarks.recordings;

/**
 * A fault that has taken the owner from a stream.
 *
 * @param stream its id
 * @param atUs when it happened, in microseconds since 1970
 * @param fault its name
 */
public record Takeover(String stream, long atUs, String fault) {}
