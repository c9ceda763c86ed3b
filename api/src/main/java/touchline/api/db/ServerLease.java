package touchline.api.db;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a second server out of a database. The holder renews the lease on a thread of its own. A
 * server that was paused for longer than the lease asks the database before its next call, and
 * stops for good where another server has taken over.
 *
 * <pre>
 * free, or the holder's process has ended on this host    taken at once
 * over, and no renewal seen for two heartbeats            taken
 * a renewal seen                                          refused: the holder is alive
 * </pre>
 *
 * Any thread; the opener closes it.
 */
final class ServerLease implements AutoCloseable {
    /**
     * @param lease how long it lasts without a renewal
     * @param heartbeat pause between renewals
     */
    record Times(Duration lease, Duration heartbeat) {
        static final Times DEFAULT = new Times(Duration.ofSeconds(6), Duration.ofSeconds(1));
    }

    private static final Logger log = LoggerFactory.getLogger(ServerLease.class);
    private static final int LOOKS_A_HEARTBEAT = 4;
    private static final long CLOSE_MS = 2_000;

    private final DatabaseAddress address;
    private final LeaseTable table;
    private final Times times;
    private final long incarnation;
    private final Consumer<String> onLost;
    private final Thread heartbeat;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition wanted = lock.newCondition();
    private final Condition attempted = lock.newCondition();

    @GuardedBy("lock")
    private long attempts;

    @GuardedBy("lock")
    private boolean isWanted;

    @GuardedBy("lock")
    private boolean closed;

    /** Times of the last confirmation, by both clocks: one of them may stand still in a pause. */
    private volatile long confirmedNs;

    private volatile long confirmedMs;

    /** Why this server must not use the database any more. Written once, by the heartbeat. */
    private volatile @Nullable String lost;

    private ServerLease(
            DatabaseAddress address,
            LeaseTable table,
            Times times,
            long incarnation,
            Consumer<String> onLost) {
        this.address = address;
        this.table = table;
        this.times = times;
        this.incarnation = incarnation;
        this.onLost = onLost;
        confirmed(System.nanoTime(), System.currentTimeMillis());
        heartbeat = Thread.ofPlatform().daemon().name("server-lease").unstarted(this::beat);
    }

    /**
     * Takes the lease; may wait until that of a dead server is over.
     *
     * @param onLost receives the reason, once, when another server has taken over; returns at once
     * @throws DatabaseException naming the holder if it is alive
     */
    static ServerLease take(
            DatabaseAddress address, LeaseHolder holder, Times times, Consumer<String> onLost) {
        LeaseTable table = new LeaseTable(address, times.lease());
        try {
            ServerLease taken =
                    new ServerLease(
                            address, table, times, claim(address, table, holder, times), onLost);
            taken.heartbeat.start();
            return taken;
        } catch (SQLException e) {
            table.close();
            throw new DatabaseException(
                    "db.url: cannot take the lease of " + address + ": " + e.getMessage(), e);
        } catch (DatabaseException e) {
            table.close();
            throw e;
        }
    }

    private static long claim(
            DatabaseAddress address, LeaseTable table, LeaseHolder holder, Times times)
            throws SQLException {
        LeaseTable.Row first = table.read();
        long startNs = System.nanoTime();
        long pauseNs = times.heartbeat().toNanos() / LOOKS_A_HEARTBEAT;
        boolean waits = false;
        for (LeaseTable.Row row = first; ; row = table.read()) {
            boolean watched = System.nanoTime() - startNs > 2 * times.heartbeat().toNanos();
            boolean unused = row.free() || holder.isGone().test(row.process());
            if (unused || (row.over() && watched && row.isUnchangedSince(first))) {
                if (table.take(row, holder)) {
                    return row.incarnation() + 1;
                }
            } else if (!row.isUnchangedSince(first)) {
                throw held(address, row);
            } else {
                if (!waits) {
                    log.info("{}: waiting for the end of the lease of {}", address, row.name());
                }
                waits = true;
                LockSupport.parkNanos(pauseNs);
            }
        }
    }

    private static DatabaseException held(DatabaseAddress address, LeaseTable.Row row) {
        return new DatabaseException(
                "db.url: %s is in use by the server %s, since %s: stop that server, or give this one a database of its own"
                        .formatted(address, row.name(), row.since()));
    }

    /**
     * Returns while this server may use the database. Costs nothing unless the lease has not been
     * renewed in time; then it waits for the next attempt.
     *
     * @throws DatabaseException if another server has taken over, or the database does not answer
     */
    void check() {
        if (lost == null && isFresh()) {
            return;
        }
        lock.lock();
        try {
            long seen = attempts;
            isWanted = true;
            wanted.signal();
            while (lost == null && !isFresh() && attempts == seen && !closed) {
                attempted.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
        String reason = lost;
        if (reason != null) {
            throw new DatabaseException(reason);
        }
        if (!isFresh()) {
            throw new DatabaseException("database: cannot renew the lease of " + address);
        }
    }

    /** Whether another server has taken over. */
    boolean isLost() {
        return lost != null;
    }

    private boolean isFresh() {
        long sinceMs = System.currentTimeMillis() - confirmedMs;
        return System.nanoTime() - confirmedNs < times.lease().toNanos()
                && sinceMs < times.lease().toMillis();
    }

    private void confirmed(long atNs, long atMs) {
        confirmedNs = atNs;
        confirmedMs = atMs;
    }

    private void beat() {
        boolean failed = false;
        while (awaitNext()) {
            long atNs = System.nanoTime();
            long atMs = System.currentTimeMillis();
            try {
                if (!isHeld()) {
                    lose();
                    return;
                }
                confirmed(atNs, atMs);
                if (failed) {
                    log.info("the lease of the database is renewed again");
                }
                failed = false;
            } catch (SQLException | RuntimeException e) {
                if (!failed) {
                    log.warn(
                            "cannot renew the lease of the database: {}; another server may take over after {} s",
                            e.getMessage(),
                            times.lease().toSeconds());
                }
                failed = true;
            } finally {
                endAttempt();
            }
        }
    }

    /** A database that cannot write (a full disk) still names the holder. */
    private boolean isHeld() throws SQLException {
        try {
            return table.renew(incarnation);
        } catch (SQLException e) {
            try {
                return table.read().incarnation() == incarnation;
            } catch (SQLException again) {
                e.addSuppressed(again);
                throw e;
            }
        }
    }

    private void lose() {
        String reason = "another server has taken over " + address;
        try {
            LeaseTable.Row row = table.read();
            reason = "the server %s has taken over %s".formatted(row.name(), address);
        } catch (SQLException e) {
            log.debug("reading the lease failed", e);
        }
        reason += ": this server did not renew its lease in time, and ends";
        table.close();
        lost = reason;
        onLost.accept(reason);
    }

    /** Waits for the next heartbeat, or a call that needs one. False once it is closed. */
    private boolean awaitNext() {
        lock.lock();
        try {
            long leftNs = times.heartbeat().toNanos();
            while (!closed && !isWanted && leftNs > 0) {
                leftNs = wanted.awaitNanos(leftNs);
            }
            isWanted = false;
            return !closed;
        } catch (InterruptedException _) {
            return false;
        } finally {
            lock.unlock();
        }
    }

    private void endAttempt() {
        lock.lock();
        try {
            attempts++;
            attempted.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Gives the lease back, unless another server has it. */
    @Override
    public void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            wanted.signal();
            attempted.signalAll();
        } finally {
            lock.unlock();
        }
        try {
            heartbeat.join(CLOSE_MS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        if (lost != null || heartbeat.isAlive()) {
            return;
        }
        try {
            table.release(incarnation);
        } catch (SQLException e) {
            log.warn("the lease of the database is not given back: {}", e.getMessage());
        } finally {
            table.close();
        }
    }
}
