package touchline.api.db;

/** A database that does not answer. */
public final class BrokenDatabase {
    private BrokenDatabase() {}

    /** What its calls throw. */
    public static DatabaseException failure() {
        return new DatabaseException("the database does not answer");
    }
}
