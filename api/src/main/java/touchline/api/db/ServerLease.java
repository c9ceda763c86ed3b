package touchline.api.db;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lease of this server. Keeps other servers out of a database, or shows the other nodes of a
 * cluster that this one is alive. It is renewed on a thread of its own. A server that was paused
 * for longer than the lease asks the database before its next call, and stops for good where its
 * lease has been taken over; {@link LeaseClaim} says when that happens.
 *
 * <p>Any thread; the opener closes it.
 */
final class ServerLease implements NodeIdentity.Heartbeats, AutoCloseable {
    /**
     * @param lease how long it lasts without a renewal
     * @param heartbeat pause between renewals
     */
    record Times(Duration lease, Duration heartbeat) {
        static final Times DEFAULT = new Times(Duration.ofSeconds(6), Duration.ofSeconds(1));
    }

    private static final Logger log = LoggerFactory.getLogger(ServerLease.class);
    private static final long CLOSE_MS = 2_000;

    private final DatabaseAddress address;
    private final LeaseStore store;
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

    /** How late the newest heartbeat began. */
    private volatile long lateNs;

    /** Since when no heartbeat was missed. */
    private volatile long unbrokenNs = System.nanoTime();

    /** Why this server must not use the database any more. Written once, by the heartbeat. */
    private volatile @Nullable String lost;

    private ServerLease(
            DatabaseAddress address,
            LeaseStore store,
            Times times,
            LeaseClaim.Taken taken,
            Consumer<String> onLost) {
        this.address = address;
        this.store = store;
        this.times = times;
        incarnation = taken.incarnation();
        this.onLost = onLost;
        confirmedNs = taken.atNs();
        confirmedMs = taken.atMs();
        heartbeat = Thread.ofPlatform().daemon().name("server-lease").unstarted(this::beat);
    }

    /**
     * Takes the lease; may wait until that of a dead server is over.
     *
     * @param store closed with the lease, or by a failure
     * @param onLost receives the reason, once, when the lease has been taken over; returns at once
     * @throws DatabaseException naming the holder if it is alive
     */
    static ServerLease take(
            DatabaseAddress address,
            LeaseStore store,
            LeaseHolder holder,
            Times times,
            Consumer<String> onLost) {
        try {
            LeaseClaim.Taken taken = new LeaseClaim(address, store, holder, times).take();
            ServerLease lease = new ServerLease(address, store, times, taken, onLost);
            lease.heartbeat.start();
            return lease;
        } catch (SQLException e) {
            store.close();
            throw new DatabaseException(
                    "db.url: cannot take the lease of " + address + ": " + e.getMessage(), e);
        } catch (DatabaseException e) {
            store.close();
            throw e;
        }
    }

    /** The number of this server among those that had the lease, from 1. */
    long incarnation() {
        return incarnation;
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
            throw DatabaseException.unavailable(reason);
        }
        if (!isFresh()) {
            throw DatabaseException.unavailable("database: cannot renew the lease of " + address);
        }
    }

    /** How late the newest heartbeat began: the scheduler of the host, or a slow database. */
    @Override
    public Duration lateness() {
        return Duration.ofNanos(lateNs);
    }

    /** Time since the newest heartbeat that the database confirmed. */
    @Override
    public Duration age() {
        return Duration.ofNanos(System.nanoTime() - confirmedNs);
    }

    /** For how long no heartbeat was missed. */
    @Override
    public Duration unbroken() {
        return isFresh() ? Duration.ofNanos(System.nanoTime() - unbrokenNs) : Duration.ZERO;
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
        if (atNs - confirmedNs > times.lease().toNanos() / 2) {
            unbrokenNs = atNs;
        }
        confirmedNs = atNs;
        confirmedMs = atMs;
    }

    private void beat() {
        boolean failed = false;
        long beforeNs = System.nanoTime();
        while (awaitNext()) {
            long atNs = System.nanoTime();
            long atMs = System.currentTimeMillis();
            lateNs = Math.max(0, atNs - beforeNs - times.heartbeat().toNanos());
            beforeNs = atNs;
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
            return store.renew(incarnation);
        } catch (SQLException e) {
            try {
                return store.isHeld(incarnation);
            } catch (SQLException again) {
                e.addSuppressed(again);
                throw e;
            }
        }
    }

    private void lose() {
        String taker = "another server has taken over";
        try {
            taker = store.taker();
        } catch (SQLException e) {
            log.debug("reading the lease failed", e);
        }
        String reason =
                "%s %s: this server did not renew its lease in time, and ends"
                        .formatted(taker, address);
        store.close();
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
            store.release(incarnation);
        } catch (SQLException e) {
            log.warn("the lease of the database is not given back: {}", e.getMessage());
        } finally {
            store.close();
        }
    }
}
