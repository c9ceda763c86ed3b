package touchline.api.db;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a lease when its holders have ended, and waits for those that may be dead. One thread, used
 * once.
 *
 * <pre>
 * free, or its process has ended on this host                   has ended
 * over, or of this data folder, which this server has locked,
 *     and no renewal seen for two heartbeats                    has ended
 * a renewal seen                                                alive: refused
 * </pre>
 */
final class LeaseClaim {
    /**
     * A lease that was taken.
     *
     * @param incarnation the number of its holder among those that had it, from 1
     * @param atNs monotonic time, read before the database was asked: by its clock the lease begins
     *     no sooner, so that a holder that counts from here never thinks that it lasts longer
     * @param atMs the same by the clock of this host
     */
    record Taken(long incarnation, long atNs, long atMs) {}

    private static final Logger log = LoggerFactory.getLogger(LeaseClaim.class);
    private static final int LOOKS_A_HEARTBEAT = 4;

    private final DatabaseAddress address;
    private final LeaseStore store;
    private final LeaseHolder holder;
    private final ServerLease.Times times;

    private Map<String, LeaseRow> first = Map.of();
    private long startNs;
    private boolean waits;

    LeaseClaim(
            DatabaseAddress address,
            LeaseStore store,
            LeaseHolder holder,
            ServerLease.Times times) {
        this.address = address;
        this.store = store;
        this.holder = holder;
        this.times = times;
    }

    /**
     * Takes the lease, once all its holders have ended.
     *
     * @throws DatabaseException naming the holder if it is alive
     */
    Taken take() throws SQLException {
        startNs = System.nanoTime();
        List<LeaseRow> rows = store.holders();
        first = rows.stream().collect(Collectors.toMap(LeaseRow::key, Function.identity()));
        while (true) {
            boolean haveEnded = true;
            for (LeaseRow row : rows) {
                haveEnded &= hasEnded(row);
            }
            long atNs = System.nanoTime();
            long atMs = System.currentTimeMillis();
            long incarnation = haveEnded ? store.take(rows, holder) : 0;
            if (incarnation > 0) {
                return new Taken(incarnation, atNs, atMs);
            }
            if (!haveEnded) {
                LockSupport.parkNanos(times.heartbeat().toNanos() / LOOKS_A_HEARTBEAT);
            }
            rows = store.holders();
        }
    }

    private boolean hasEnded(LeaseRow row) {
        if (row.free() || holder.isGone().test(row.process())) {
            return true;
        }
        @Nullable LeaseRow before = first.get(row.key());
        if (before == null || !row.isUnchangedSince(before)) {
            throw held(row);
        }
        boolean watched = System.nanoTime() - startNs > 2 * times.heartbeat().toNanos();
        if (watched && (row.over() || holder.isOfThisFolder().test(row.process()))) {
            return true;
        }
        if (!waits) {
            log.info("{}: waiting for the end of the lease of {}", address, row.holder());
            waits = true;
        }
        return false;
    }

    private DatabaseException held(LeaseRow row) {
        return new DatabaseException(
                "db.url: %s is in use by the server %s, since %s: stop that server, or give this one a database of its own"
                        .formatted(address, row.holder(), row.since()));
    }
}
