package touchline.api.domain;

import java.util.Optional;

/** The permissions of an access token. */
public enum Scope {
    LIVE_READ("live:read"),
    LIVE_WRITE("live:write"),
    /** The bundled scoreboards of all live streams; score links have it for their own. */
    SCORE_WRITE("score:write"),
    AUDIT_READ("audit:read"),
    AUDIT_WRITE("audit:write"),
    ASSETS_READ("assets:read"),
    ASSETS_WRITE("assets:write"),
    VOD_READ("vod:read"),
    VOD_WRITE("vod:write"),
    SYSTEM("system");

    private final String wireName;

    Scope(String wireName) {
        this.wireName = wireName;
    }

    public String wireName() {
        return wireName;
    }

    public static Optional<Scope> of(String wireName) {
        for (Scope scope : values()) {
            if (scope.wireName.equals(wireName)) {
                return Optional.of(scope);
            }
        }
        return Optional.empty();
    }
}
