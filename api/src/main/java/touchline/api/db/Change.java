package touchline.api.db;

/** What a change of one row did. */
public enum Change {
    /** No such row. */
    NOT_FOUND,
    /** The row was like that already. */
    UNCHANGED,
    CHANGED
}
