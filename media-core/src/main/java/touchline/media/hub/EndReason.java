package touchline.media.hub;

/** Why a publisher was cut, or why a session ended. */
public enum EndReason {
    /** The reconnect window passed without the encoder. */
    PUBLISHER_GONE,
    /** A client of the API completed the session. */
    COMPLETED,
    /** The stream was disabled. */
    DISABLED,
    /** The stream was deleted. */
    DELETED,
    /** The push key was replaced; the session itself goes on. */
    KEY_RESET,
    /** A new publisher took over from a silent one; the session itself goes on. */
    TAKEN_OVER,
    /** Its timestamps jump all the time; the session itself goes on. */
    TIMESTAMP_JUMPS,
    /** A scoreboard push had started just before its programme. */
    GAVE_WAY,
    /** A part of the session failed; the log has the cause. */
    FAILED,
    /** The server stops. */
    SHUTDOWN
}
