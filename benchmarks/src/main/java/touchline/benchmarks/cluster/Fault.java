package touchline.benchmarks.cluster;

/** A fault of the run. */
enum Fault {
    KILL("owner killed"),
    FREEZE("owner frozen"),
    STOP("owner stopped"),
    DRAIN("owner drained"),
    PEER_CUT("owner cut off from one node"),
    DATABASE_CUT("owner cut off from the database"),
    FULL_CUT("owner cut off from all"),
    CLOCK("clock of an owner 90 s ahead"),
    DATABASE_STOP("database stopped"),
    DATABASE_KILL("database killed"),
    DATABASE_FREEZE("database frozen");

    private final String text;

    Fault(String text) {
        this.text = text;
    }

    boolean isOfDatabase() {
        return this == DATABASE_STOP || this == DATABASE_KILL || this == DATABASE_FREEZE;
    }

    /** It lasts, and outcomes are judged while it does. */
    boolean isJudgedMeanwhile() {
        return isPartition() || this == CLOCK;
    }

    boolean isPartition() {
        return this == PEER_CUT || this == DATABASE_CUT || this == FULL_CUT;
    }

    /** The node knows no database, while others do: it has to end. */
    boolean isolates() {
        return this == DATABASE_CUT || this == FULL_CUT;
    }

    @Override
    public String toString() {
        return text;
    }
}
