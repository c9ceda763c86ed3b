package touchline.api.session;

import java.time.Instant;
import touchline.api.cluster.ownership.ResumeRecord;
import touchline.media.SessionId;

/**
 * A session of another process that this server goes on with: its node has ended, or has given it
 * up. Immutable.
 *
 * @param session its id; the database has it, and it has not ended
 * @param record what its last owner has stored
 * @param firstMediaSequence number of the first segment here: above all that were ever published
 * @param firstInit number of the first init segment here, likewise
 * @param disconnectedAt when its encoder was disconnected, or was last known to send
 * @param until when its reconnect window ends
 */
public record Resumption(
        SessionId session,
        ResumeRecord record,
        long firstMediaSequence,
        int firstInit,
        Instant disconnectedAt,
        Instant until) {
    public Resumption {
        if (firstMediaSequence <= record.newest().number() || firstInit < record.nextInit()) {
            throw new IllegalArgumentException(
                    "firstMediaSequence: %d, firstInit: %d (expected: above %d, at least %d)"
                            .formatted(
                                    firstMediaSequence,
                                    firstInit,
                                    record.newest().number(),
                                    record.nextInit()));
        }
    }
}
