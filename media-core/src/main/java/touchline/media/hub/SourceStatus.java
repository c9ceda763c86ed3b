package touchline.media.hub;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * The publishers of a session. Immutable.
 *
 * @param shown whose media the programme has, or had last
 * @param chosen by hand; empty: by the rules
 * @param backup of a session that has, or had, a backup publisher; empty otherwise
 */
public record SourceStatus(
        PublishSource shown, Optional<PublishSource> chosen, Optional<Backup> backup) {
    /** A session that never had a backup publisher. */
    public static final SourceStatus PRIMARY_ONLY =
            new SourceStatus(PublishSource.PRIMARY, Optional.empty(), Optional.empty());

    /**
     * The backup publisher beside the primary one.
     *
     * @param connected whether it has a connection
     * @param sending whether its media has arrived within {@code failover_after}
     * @param primarySending the same of the primary
     * @param offsetMs how much later the backup's content arrives than the same content of the
     *     primary; negative: earlier; empty while it cannot be measured
     * @param confidence 0 to 1: of the comparison of the audio
     */
    public record Backup(
            boolean connected,
            boolean sending,
            boolean primarySending,
            OptionalLong offsetMs,
            double confidence) {
        /** Before it has connected. */
        public static final Backup ABSENT = new Backup(false, false, true, OptionalLong.empty(), 0);
    }
}
