package touchline.api.access;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import touchline.api.db.ScoreLinkRepository;
import touchline.api.domain.RandomText;
import touchline.api.domain.ScoreLink;
import touchline.media.StreamId;

/**
 * Makes and checks score links. Only SHA-256 of a secret is stored, as for access tokens. Calls
 * block on the database; any thread.
 */
public final class ScoreLinks {
    private static final int ID_BITS = 96;
    private static final int SECRET_BITS = 256;

    /** Compared with where there is no link, so that it takes as long. */
    private static final String NO_HASH = Digests.sha256("");

    private final ScoreLinkRepository repository;
    private final InstantSource clock;

    public ScoreLinks(ScoreLinkRepository repository, InstantSource clock) {
        this.repository = repository;
        this.clock = clock;
    }

    /** A link that is not stored yet, with its secret, which is shown once. */
    public record Minted(ScoreLink link, Credential credential) {}

    public ScoreLinkRepository repository() {
        return repository;
    }

    /** Makes a link; {@link #repository} stores it. */
    public Minted mint(StreamId stream, String name, Instant expiresAt) {
        Credential credential =
                new Credential(
                        ScoreLink.PREFIX + RandomText.ofBits(ID_BITS),
                        RandomText.ofBits(SECRET_BITS));
        ScoreLink link =
                new ScoreLink(
                        credential.id(),
                        stream,
                        name,
                        Digests.sha256(credential.secret()),
                        expiresAt,
                        clock.instant(),
                        Optional.empty());
        return new Minted(link, credential);
    }

    /** Whether the credential is one of a score link, right or wrong. */
    public static boolean isLink(Credential credential) {
        return credential.id().startsWith(ScoreLink.PREFIX);
    }

    /** The link that the credential is for; empty when it is unknown, wrong, deleted or expired. */
    public Optional<ScoreLink> authenticate(Credential credential) {
        Instant now = clock.instant();
        Optional<ScoreLink> found = repository.find(credential.id());
        boolean secretGood = credential.matches(found.map(ScoreLink::secretHash).orElse(NO_HASH));
        Optional<ScoreLink> accepted = found.filter(link -> secretGood && !link.expired(now));
        accepted.ifPresent(link -> repository.used(link, now));
        return accepted;
    }
}
