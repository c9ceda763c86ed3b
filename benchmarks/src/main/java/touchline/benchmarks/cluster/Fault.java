package touchline.benchmarks.cluster;

/** A fault of the run. */
enum Fault {
    KILL("owner killed"),
    DISK_LOSS("owner killed, its disk lost"),
    FREEZE("owner frozen"),
    STOP("owner stopped"),
    DRAIN("owner drained"),
    PEER_CUT("owner cut off from one node"),
    DATABASE_CUT("owner cut off from the database"),
    FULL_CUT("owner cut off from all"),
    CLOCK("clock of an owner 90 s ahead"),
    DATABASE_STOP("database stopped"),
    DATABASE_KILL("database killed"),
    DATABASE_FREEZE("database frozen"),
    S3_STOP("S3 stopped"),
    S3_STOP_KILL("owner killed while S3 is stopped");

    private final String text;

    Fault(String text) {
        this.text = text;
    }

    boolean isOfDatabase() {
        return this == DATABASE_STOP || this == DATABASE_KILL || this == DATABASE_FREEZE;
    }

    boolean isOfS3() {
        return this == S3_STOP || this == S3_STOP_KILL;
    }

    /** The session goes on at another node, and S3 has the recording: it stays one asset. */
    boolean keepsTheAsset() {
        return this == KILL || this == DISK_LOSS || this == STOP || this == DRAIN;
    }

    /** The process ends by the fault itself. */
    boolean endsNode() {
        return keepsTheAsset() || this == S3_STOP_KILL;
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
