package touchline.api.domain;

/** What a push key of a stream publishes. */
public enum PushRole {
    /** The programme. */
    MAIN,
    /** The programme, by a second encoder. */
    BACKUP,
    /** The scoreboard beside the programme. */
    OVERLAY
}
