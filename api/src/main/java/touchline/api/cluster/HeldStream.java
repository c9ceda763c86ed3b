package touchline.api.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import touchline.api.cluster.ownership.NodeStanding;
import touchline.api.cluster.ownership.OwnedStream;
import touchline.api.cluster.ownership.OwnedStream.Action;
import touchline.api.cluster.ownership.OwnedStream.Message;
import touchline.api.cluster.ownership.OwnerRow;
import touchline.api.cluster.ownership.OwnershipTimes;
import touchline.api.cluster.ownership.ResumeRecord;
import touchline.api.cluster.ownership.Step;
import touchline.api.db.Epoch;
import touchline.api.db.NodeExchange;
import touchline.api.db.Release;
import touchline.api.db.StreamOwnerRepository.Claimed;
import touchline.api.session.ReservedNumbers;

/**
 * A stream that this node owns: runs {@link OwnedStream}, and lends its numbers to the session. Any
 * thread; only {@link #awaitPart} and {@link #awaitInit} wait.
 */
final class HeldStream implements ReservedNumbers {
    /** Between two looks at the time, while a number is blocked. */
    private static final long LOOK_MS = 100;

    private final Epoch epoch;
    private final long first;
    private final int firstInit;
    private final Environment environment;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private OwnedStream stream;

    @GuardedBy("lock")
    private int initFloor;

    /** Init number that the session waits for. */
    @GuardedBy("lock")
    private int initWanted;

    @GuardedBy("lock")
    private @Nullable ResumeRecord resume;

    /** Whether the newest record waits for a heartbeat. */
    @GuardedBy("lock")
    private boolean resumeIsDue;

    @GuardedBy("lock")
    private OptionalLong settled = OptionalLong.empty();

    @GuardedBy("lock")
    private long admittedMs;

    /** What all streams of a node share. */
    interface Environment {
        OwnershipTimes times();

        /** Time of the node's monotonic clock, milliseconds. */
        long nowMs();

        NodeStanding standing();

        /** Stores a higher floor without waiting for the next heartbeat. Does not wait. */
        void raiseNow(HeldStream stream);

        /** Its unused numbers are known. Blocks. */
        void settled(HeldStream stream);
    }

    HeldStream(Epoch epoch, Claimed claimed, Environment environment) {
        this.epoch = epoch;
        this.environment = environment;
        boolean goesOn = claimed.former().filter(each -> each.goesOn()).isPresent();
        this.first = claimed.won().firstNumber();
        this.firstInit = goesOn ? claimed.firstInit() : 0;
        this.initFloor = goesOn ? claimed.won().row().initFloor() : OwnerRow.INIT_RESERVE;
        this.stream =
                OwnedStream.claimed(
                        claimed.won(), claimed.reconnectWindowMs(), environment.nowMs());
        this.admittedMs = environment.nowMs();
    }

    Epoch epoch() {
        return epoch;
    }

    List<Action> on(Message message) {
        lock.lock();
        try {
            Step<OwnedStream, Action> step =
                    stream.on(message, environment.nowMs(), environment.times());
            stream = step.state();
            changed.signalAll();
            return step.actions();
        } finally {
            lock.unlock();
        }
    }

    boolean isOwned() {
        return read().state() == OwnedStream.State.OWNED;
    }

    OwnedStream read() {
        lock.lock();
        try {
            return stream;
        } finally {
            lock.unlock();
        }
    }

    /** A publisher is about to connect. False where the stream is being given up. */
    boolean admit() {
        lock.lock();
        try {
            if (stream.state() != OwnedStream.State.OWNED) {
                return false;
            }
            admittedMs = environment.nowMs();
            if (stream.publisher() == null) {
                List<Action> _ = on(new Message.PublisherArrived("publisher"));
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Time since the newest publisher was admitted. */
    long sinceAdmittedMs() {
        lock.lock();
        try {
            return environment.nowMs() - admittedMs;
        } finally {
            lock.unlock();
        }
    }

    /** What goes out with a heartbeat. */
    NodeExchange.Owned due(long floor) {
        lock.lock();
        try {
            ResumeRecord newest = resumeIsDue ? resume : null;
            return new NodeExchange.Owned(
                    epoch,
                    Math.max(floor, stream.floor()),
                    Math.max(initFloor, initWanted),
                    newest);
        } finally {
            lock.unlock();
        }
    }

    /** The same without waiting for a heartbeat: a number is blocked. */
    NodeExchange.Owned blocked() {
        long floor = 0;
        for (Action each : on(new Message.NumberBlocked())) {
            if (each instanceof Action.RaiseFloor(_, long atLeast)) {
                floor = atLeast;
            }
        }
        return due(floor);
    }

    /** The database has stored this. */
    void stored(NodeExchange.Owned sent) {
        lock.lock();
        try {
            initFloor = Math.max(initFloor, sent.initFloor());
            if (Objects.equals(resume, sent.resume())) {
                resumeIsDue = false;
            }
            List<Action> _ = on(new Message.FloorStored(sent.floor()));
        } finally {
            lock.unlock();
        }
    }

    void resumable(ResumeRecord record) {
        lock.lock();
        try {
            resume = record;
            resumeIsDue = true;
        } finally {
            lock.unlock();
        }
    }

    Release release() {
        lock.lock();
        try {
            long newest = settled.isPresent() ? settled.getAsLong() - 1 : stream.newest();
            return new Release(newest, resume);
        } finally {
            lock.unlock();
        }
    }

    // ---- for the session

    @Override
    public long first() {
        return first;
    }

    @Override
    public int firstInit() {
        return firstInit;
    }

    @Override
    public boolean awaitPart(long mediaSequence) throws InterruptedException {
        lock.lock();
        try {
            while (true) {
                boolean isNew = mediaSequence > stream.newest();
                if (stream.state() == OwnedStream.State.DROPPED
                        || (isNew && stream.state() != OwnedStream.State.OWNED)) {
                    return false;
                }
                NodeStanding standing = environment.standing();
                if (!isNew && standing.mayPublish()) {
                    return true;
                }
                OwnedStream next = isNew ? stream.nextNumber(standing, environment.nowMs()) : null;
                if (next == null) {
                    environment.raiseNow(this);
                    boolean _ = changed.await(LOOK_MS, TimeUnit.MILLISECONDS);
                } else {
                    stream = next;
                }
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean awaitInit(int number) throws InterruptedException {
        lock.lock();
        try {
            while (number > initFloor) {
                if (stream.state() != OwnedStream.State.OWNED) {
                    return false;
                }
                initWanted = number + OwnerRow.INIT_RESERVE - 1;
                environment.raiseNow(this);
                boolean _ = changed.await(LOOK_MS, TimeUnit.MILLISECONDS);
            }
            return stream.state() != OwnedStream.State.DROPPED;
        } finally {
            lock.unlock();
        }
    }

    /** Numbers from this one on are unused. */
    @Override
    public void settle(long next) {
        lock.lock();
        try {
            settled = OptionalLong.of(next);
        } finally {
            lock.unlock();
        }
        environment.settled(this);
    }

    /** The first number that is unused for good; empty while the session may use more. */
    OptionalLong settled() {
        lock.lock();
        try {
            return settled;
        } finally {
            lock.unlock();
        }
    }
}
