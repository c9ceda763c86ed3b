package touchline.api.home;

/**
 * What is not in S3 yet. Immutable.
 *
 * @param sinceMs time of the oldest of it, in milliseconds since 1970
 */
record Waiting(long bytes, long sinceMs) {
    static final Waiting NONE = new Waiting(0, Long.MAX_VALUE);

    Waiting and(Waiting other) {
        return new Waiting(bytes + other.bytes, Math.min(sinceMs, other.sinceMs));
    }
}
