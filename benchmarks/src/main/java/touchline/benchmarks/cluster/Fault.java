package touchline.benchmarks.cluster;

/** A fault of the run. */
enum Fault {
    KILL("owner killed"),
    FREEZE("owner frozen"),
    STOP("owner stopped"),
    DRAIN("owner drained"),
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

    @Override
    public String toString() {
        return text;
    }
}
