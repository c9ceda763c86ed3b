package touchline.api.domain;

import java.util.Optional;

/** The state of a session's moderation. */
public enum ModerationState {
    /** The stream has no audit settings. */
    OFF,
    ON,
    /** Stopped for this session by stop-audit-task. */
    STOPPED,
    /** A requested type has no model, or the session has no video. */
    UNAVAILABLE,
    /** The session's frames cannot be decoded for longer than an interval. */
    BLIND;

    public String wireName() {
        return WireNames.lowerCase(this);
    }

    /**
     * @param latest the session's newest audit run
     * @param audioOnly whether the session has no frames to analyse
     */
    public static ModerationState of(Optional<AuditRun> latest, boolean audioOnly) {
        ModerationState state = of(latest);
        return state == ON && audioOnly ? UNAVAILABLE : state;
    }

    /**
     * @param latest the session's newest audit run
     */
    public static ModerationState of(Optional<AuditRun> latest) {
        if (latest.isEmpty()) {
            return OFF;
        }
        AuditRun run = latest.get();
        if (run.end().isPresent()) {
            switch (run.end().get().reason()) {
                case STOPPED -> {
                    return STOPPED;
                }
                case SETTINGS_DELETED -> {
                    return OFF;
                }
                case SESSION_ENDED, INTERRUPTED -> {}
            }
        }
        if (run.blind()) {
            return BLIND;
        }
        return run.unserved().isEmpty() ? ON : UNAVAILABLE;
    }
}
