package touchline.packager.delivery;

import java.time.Duration;
import touchline.config.PlaybackConfig;

/**
 * Limits of time and size on a viewer's connection.
 *
 * @param idle a connection without a request
 * @param head from the first byte of a request to the end of its head
 * @param blocked how long a blocking reload is held: three times the target duration of low latency
 *     streams, which is 6 s (draft-pantos-hls-rfc8216bis-20, 6.2.5.2)
 * @param work from the end of a request's head to the start of its answer; longer than {@code
 *     blocked}
 * @param stall time within which a viewer must read {@code stallBytes}, if they are ready
 * @param stallBytes less is counted as no progress
 * @param hold maximum time for an answer from memory: a viewer slower than that cannot play it, and
 *     it keeps memory from aging out
 * @param linger how long input of a refused client is read and dropped, so that the answer reaches
 *     it (RFC 9112, 9.6)
 */
record DeliveryLimits(
        Duration idle,
        Duration head,
        Duration blocked,
        Duration work,
        Duration stall,
        int stallBytes,
        Duration hold,
        Duration linger) {
    /** A longer request line is 414. */
    static final int MAX_LINE_BYTES = 16 * 1024;

    /** A longer head, request line included, is 431. */
    static final int MAX_HEAD_BYTES = 32 * 1024;

    private static final Duration BLOCKED = Duration.ofSeconds(18);
    private static final Duration WORK = Duration.ofSeconds(30);
    private static final Duration STALL = Duration.ofSeconds(15);
    private static final int STALL_BYTES = 16 * 1024;
    private static final Duration HOLD = Duration.ofSeconds(60);
    private static final Duration LINGER = Duration.ofSeconds(2);

    static DeliveryLimits of(PlaybackConfig config) {
        return new DeliveryLimits(
                config.idleTimeout(),
                config.headerTimeout(),
                BLOCKED,
                WORK,
                STALL,
                STALL_BYTES,
                HOLD,
                LINGER);
    }
}
