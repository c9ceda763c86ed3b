package touchline.media.hub;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import touchline.media.StreamId;

/**
 * Revokes admissions that are under way. A publisher takes a ticket before its key is checked; a
 * key that is replaced, or a stream that is disabled, makes all older tickets invalid. Remembers
 * the last {@value #MAX_REVOKED} revocations: tickets that are older than those are invalid too.
 * Any thread.
 */
final class Admissions {
    static final int MAX_REVOKED = 10_000;

    /** Of one key: a change of the backup's does not concern the primary. */
    private record Key(StreamId stream, Role role, PublishSource source) {}

    private record Revoked(long ticket, EndReason reason) {}

    private final ReentrantLock lock = new ReentrantLock();

    /** In the order of revocation. */
    @GuardedBy("lock")
    private final Map<Key, Revoked> revoked = new LinkedHashMap<>();

    @GuardedBy("lock")
    private long newest;

    /** Tickets below this are invalid for every stream. */
    @GuardedBy("lock")
    private long oldestValid;

    /** A ticket that is valid until the next revocation of its key. */
    long ticket() {
        lock.lock();
        try {
            return newest;
        } finally {
            lock.unlock();
        }
    }

    void revoke(StreamId stream, Role role, PublishSource source, EndReason reason) {
        lock.lock();
        try {
            Key key = new Key(stream, role, source);
            newest++;
            // Removed first: the newest revocation is the last of the map.
            revoked.remove(key);
            revoked.put(key, new Revoked(newest, reason));
            if (revoked.size() > MAX_REVOKED) {
                Iterator<Revoked> eldest = revoked.values().iterator();
                oldestValid = eldest.next().ticket();
                eldest.remove();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Why a ticket is invalid; empty where it is valid. */
    Optional<EndReason> revocation(PublishRequest request, long ticket) {
        lock.lock();
        try {
            Revoked last = revoked.get(new Key(request.stream(), request.role(), request.source()));
            if (last != null && last.ticket() > ticket) {
                return Optional.of(last.reason());
            }
            return ticket < oldestValid ? Optional.of(EndReason.KEY_RESET) : Optional.empty();
        } finally {
            lock.unlock();
        }
    }
}
