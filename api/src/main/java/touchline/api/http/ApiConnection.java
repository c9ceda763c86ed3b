package touchline.api.http;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The deadlines of one connection. Each phase has one: the first head, a further head, the time
 * between requests, and each body and reply. {@link ApiConnections} closes a connection behind one
 * of them. Any thread.
 *
 * <pre>
 *   accept ─ HEAD ─► requests run ─► idle ─ a byte ─► HEAD ...
 *                       └ steps: a body, a reply
 * </pre>
 */
final class ApiConnection {
    /** No deadline. */
    private static final long NEVER = Long.MAX_VALUE;

    private final @Nullable AcceptedSocket socket;
    private final ApiDeadlines deadlines;
    private final Set<Step> steps = ConcurrentHashMap.newKeySet();
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicBoolean ended = new AtomicBoolean();

    /** Until then a head is complete, or a request begins. */
    private volatile long untilNs;

    private volatile boolean idle;

    /** Until then an HTTP/2 header block is complete. */
    private volatile long blockUntilNs = NEVER;

    private volatile boolean expired;
    private volatile boolean unread;

    /** Until then the connection may go on; a reply has said that it closes. */
    private volatile long closeUntilNs = NEVER;

    /**
     * @param socket closed at a deadline; null without one
     */
    ApiConnection(@Nullable AcceptedSocket socket, ApiDeadlines deadlines) {
        this.socket = socket;
        this.deadlines = deadlines;
        this.untilNs = in(deadlines.head());
    }

    /** One that no listener has accepted: nothing ends it. */
    static ApiConnection detached() {
        return new ApiConnection(null, ApiDeadlines.DEFAULT);
    }

    /** Bytes have arrived that can only be those of a request: not on HTTP/2, which has pings. */
    void received() {
        if (idle && requests.get() == 0) {
            idle = false;
            untilNs = in(deadlines.head());
        }
    }

    /** An HTTP/2 header block goes on in further frames, or is complete. */
    void headerBlock(boolean open) {
        blockUntilNs = open ? in(deadlines.head()) : NEVER;
    }

    void requestStarted() {
        requests.incrementAndGet();
        idle = false;
    }

    void requestEnded() {
        untilNs = in(deadlines.idle());
        idle = true;
        requests.decrementAndGet();
    }

    /** The current thread reads a body, until the step is closed. */
    Step body() {
        return new Step(in(deadlines.body()));
    }

    /** The current thread writes a reply, until the step is closed. */
    Step reply() {
        return new Step(in(deadlines.reply()));
    }

    /**
     * The current thread drops what the client still sends. Such a step needs no end: it is removed
     * with its thread.
     */
    Step dropping() {
        return new Step(in(deadlines.linger()));
    }

    /** Part of a body remains unread: the connection ends behind the reply. */
    void leaveUnread() {
        unread = true;
    }

    boolean unread() {
        return unread;
    }

    /** The connection ends behind the reply. */
    void closeBehindReply() {
        closeUntilNs = in(deadlines.linger());
    }

    boolean closing() {
        return closeUntilNs != NEVER;
    }

    /** The connection, unless it is a detached one. */
    Optional<AcceptedSocket> socket() {
        return Optional.ofNullable(socket);
    }

    /** The connection's thread has ended. */
    void end() {
        ended.set(true);
    }

    /** Whether a deadline has closed this connection. */
    boolean expired() {
        return expired;
    }

    /** Whether nothing remains to be watched. */
    boolean isOver() {
        steps.removeIf(step -> !step.thread.isAlive());
        return steps.isEmpty() && isClosed();
    }

    /** Whether it counts as open no more. */
    boolean isClosed() {
        return ended.get() || (socket != null && !socket.channel().isOpen());
    }

    /** Closes the connection if one of its deadlines has passed. */
    boolean closeIfLate(long nowNs) {
        boolean late =
                late(blockUntilNs, nowNs)
                        || late(closeUntilNs, nowNs)
                        || (requests.get() == 0 && late(untilNs, nowNs));
        boolean open = !isClosed();
        for (Step step : steps) {
            if (late(step.untilNs, nowNs)) {
                late = true;
                expired = true;
                step.thread.interrupt();
            }
        }
        if (late && open) {
            expired = true;
            close();
        }
        return late && open;
    }

    /** Time for which it may still wait for its client; the maximum while it does not wait. */
    long waitsForNs(long nowNs) {
        long remainingNs = requests.get() == 0 ? untilNs - nowNs : Long.MAX_VALUE;
        for (Step step : steps) {
            if (step.untilNs != NEVER) {
                remainingNs = Math.min(remainingNs, step.untilNs - nowNs);
            }
        }
        return remainingNs;
    }

    /** Closes the connection as if a deadline had passed. */
    void closeNow() {
        expired = true;
        steps.forEach(step -> step.thread.interrupt());
        close();
    }

    /** Sends the end of this side. TLS has an end of its own. */
    void shutdownOutput() {
        try {
            if (socket != null) {
                socket.output().close();
            }
        } catch (IOException _) {
            // The client has closed the connection already.
        }
    }

    private void close() {
        try {
            if (socket != null) {
                socket.channel().close();
            }
        } catch (IOException _) {
            // It is closed either way.
        }
    }

    private static boolean late(long untilNs, long nowNs) {
        return untilNs != NEVER && nowNs - untilNs > 0;
    }

    private static long in(Duration time) {
        return System.nanoTime() + time.toNanos();
    }

    /** Work of the current thread with the network. */
    final class Step implements AutoCloseable {
        private final Thread thread = Thread.currentThread();
        private volatile long untilNs;

        private Step(long untilNs) {
            this.untilNs = untilNs;
            steps.add(this);
        }

        /** Begins the same time again: a streamed reply goes on. */
        void renew() {
            untilNs = in(deadlines.reply());
        }

        /** No deadline until {@link #renew}: nothing is being written. */
        void pause() {
            untilNs = NEVER;
        }

        @Override
        public void close() {
            steps.remove(this);
        }
    }
}
