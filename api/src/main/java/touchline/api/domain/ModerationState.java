package touchline.api.domain;

import java.util.Optional;

/** The state of a session's moderation. */
public enum ModerationState {
    /** The stream has no audit settings. */
    OFF,
    ON,
    /** Stopped for this session by stop-audit-task. */
    STOPPED,
    /** A requested type has no model. */
    UNAVAILABLE;

    public String wireName() {
        return WireNames.lowerCase(this);
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
        return run.unserved().isEmpty() ? ON : UNAVAILABLE;
    }
}
