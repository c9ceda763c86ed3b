package touchline.benchmarks.simulation;

/** The rules as built, and rules that are broken on purpose: the simulation must find each. */
public enum Variant {
    /** As built. */
    BUILT,
    /** The database accepts writes and claims whatever their epoch is. */
    NO_EPOCH_CHECK,
    /**
     * A successor starts behind the newest number that the owner reported, not behind the floor.
     */
    SUCCESSOR_AT_NEWEST,
    /** {@code floor := :f} instead of the larger of both. */
    FLOOR_MAY_FALL,
    /** The claimant computes its first number from a row that it read before. */
    FLOOR_READ_BEFORE_CLAIM,
    /** Outage numbers are counted from the newest stored heartbeat. */
    OUTAGE_COUNTED_FROM_STORED_HEARTBEAT,
    /** A joining node overwrites the lease of its former incarnation, and counts nothing. */
    JOIN_IGNORES_FORMER,
    /** The janitor ends the session of a dead owner under the owner's epoch. */
    JANITOR_KEEPS_EPOCH,
    /** Every node with a good lease may take over as soon as the owner's lease is over. */
    LEASE_ALONE_DECIDES,
    /** A node that leaves outage mode drops its sessions at once. */
    NO_GRACE_AFTER_OUTAGE,
    /** A row whose claim was lost stays with a node that does not hold the stream. */
    UNHELD_ROWS_STAY
}
