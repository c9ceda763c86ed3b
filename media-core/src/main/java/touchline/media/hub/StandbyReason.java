package touchline.media.hub;

/** Why the standby writes the programme. */
public enum StandbyReason {
    /** No publication sends. */
    ENCODER_LOST,
    /** An operator has cut to standby. */
    OPERATOR,
    /** Moderation has rejected a frame. */
    REJECTED
}
