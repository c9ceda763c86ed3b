package touchline.api.db;

/** A database that does not answer. */
public final class BrokenDatabase {
    private BrokenDatabase() {}

    /** What its calls throw. */
    public static DatabaseException failure() {
        return DatabaseException.unavailable("the database does not answer");
    }
}
