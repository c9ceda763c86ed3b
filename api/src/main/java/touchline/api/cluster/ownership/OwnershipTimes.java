package touchline.api.cluster.ownership;

/**
 * Durations of ownership, in milliseconds. They decide when something happens, never whether two
 * owners stay apart. Immutable.
 *
 * @param leaseMs from a heartbeat to the end of a node's lease
 * @param heartbeatMs between two heartbeats
 * @param answerMs age at which a peer's answer about its database no longer counts
 * @param settleMs heartbeats without a failure, after a database outage, before a node judges
 *     others
 * @param forgetMs without a lease before a node is declared dead of which nothing is proven
 * @param graceMs without lease and outage mode before a node drops its sessions
 * @param holdMs longest time for which a {@code publish} is held undecided
 * @param lookMs between two looks at the owner row while a {@code publish} is held
 * @param silentMs without media before a publisher counts as gone
 */
public record OwnershipTimes(
        long leaseMs,
        long heartbeatMs,
        long answerMs,
        long settleMs,
        long forgetMs,
        long graceMs,
        long holdMs,
        long lookMs,
        long silentMs) {
    public static final OwnershipTimes DEFAULT = of(6_000, 1_000);

    public OwnershipTimes {
        if (heartbeatMs <= 0 || leaseMs < 3 * heartbeatMs) {
            throw new IllegalArgumentException(
                    "lease: %d ms, heartbeat: %d ms (expected: lease >= 3 heartbeats > 0)"
                            .formatted(leaseMs, heartbeatMs));
        }
        if (settleMs < answerMs + heartbeatMs + graceMs) {
            // An owner that leaves outage mode must have stopped before a takeover.
            throw new IllegalArgumentException(
                    "settle: %d ms (expected: >= answer + heartbeat + grace, %d ms)"
                            .formatted(settleMs, answerMs + heartbeatMs + graceMs));
        }
    }

    /** Derives all durations from the two that are configured. */
    public static OwnershipTimes of(long leaseMs, long heartbeatMs) {
        return new OwnershipTimes(
                leaseMs,
                heartbeatMs,
                /* answerMs= */ 2 * heartbeatMs,
                /* settleMs= */ 2 * leaseMs,
                /* forgetMs= */ 100 * leaseMs,
                /* graceMs= */ leaseMs,
                /* holdMs= */ leaseMs + 2 * heartbeatMs,
                /* lookMs= */ 200,
                /* silentMs= */ 5_000);
    }
}
