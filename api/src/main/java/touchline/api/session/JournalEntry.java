package touchline.api.session;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.db.Epoch;
import touchline.api.db.FencedException;
import touchline.api.domain.SessionReport;
import touchline.api.domain.SuspendedSession;
import touchline.media.SessionId;
import touchline.media.hub.IngestReport;

/** A session between its start and its end, in the {@link SessionJournal}. */
final class JournalEntry {
    private static final Logger log = LoggerFactory.getLogger(JournalEntry.class);

    /** Whether the database has the session; completed by its first step. */
    final CompletableFuture<Boolean> begun = new CompletableFuture<>();

    /** Codes of warnings that were recorded before the server's last stop. */
    final Set<String> warned;

    final Epoch epoch;

    // Used by the stream's steps only, which run one after the other.
    boolean connected;

    JournalEntry(Set<String> warned, Epoch epoch) {
        this.warned = warned;
        this.epoch = epoch;
    }

    /** Of a session that the database has since an earlier process. */
    static JournalEntry resumed(SuspendedSession suspended, Epoch epoch) {
        JournalEntry entry =
                new JournalEntry(
                        suspended.session().report().warnings().stream()
                                .map(IngestReport.Warning::code)
                                .collect(Collectors.toUnmodifiableSet()),
                        epoch);
        entry.begun.complete(true);
        return entry;
    }

    /** Stores measurements; false where another node has taken the stream. */
    boolean report(
            SessionId session, SessionReport report, SessionJournal.Dependencies dependencies) {
        try {
            dependencies.sessions().report(session, report, dependencies.clock().instant(), epoch);
        } catch (FencedException e) {
            log.error("session={} ends here: {}", session, e.getMessage());
            return false;
        } catch (RuntimeException e) {
            log.warn("session={} the measurements were not stored: {}", session, e.getMessage());
        }
        return true;
    }

    boolean isStored() {
        return begun.isDone() && !begun.isCompletedExceptionally() && begun.join();
    }
}
