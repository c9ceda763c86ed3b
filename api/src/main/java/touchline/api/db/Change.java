package touchline.api.db;

/** The result of a change of one row. */
public enum Change {
    /** No such row. */
    NOT_FOUND,
    /** The row was like that already. */
    UNCHANGED,
    CHANGED
}
