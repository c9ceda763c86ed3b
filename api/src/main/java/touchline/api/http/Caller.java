package touchline.api.http;

import java.util.EnumSet;
import java.util.Optional;
import touchline.api.domain.AccessToken;
import touchline.api.domain.Scope;
import touchline.api.domain.ScoreLink;

/**
 * The credential of a request: an access token, or a score link, which reaches the scoreboard of
 * its stream and nothing else. Immutable.
 *
 * @param token of a link: one with the link's id and the scope for scoreboards
 */
record Caller(AccessToken token, Optional<ScoreLink> link) {
    static Caller of(AccessToken token) {
        return new Caller(token, Optional.empty());
    }

    static Caller of(ScoreLink link) {
        return new Caller(
                new AccessToken(
                        link.id(),
                        link.name(),
                        EnumSet.of(Scope.SCORE_WRITE),
                        Optional.of(link.expiresAt()),
                        link.secretHash(),
                        link.createdAt(),
                        link.lastUsedAt()),
                Optional.of(link));
    }
}
