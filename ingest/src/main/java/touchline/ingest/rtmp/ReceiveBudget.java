package touchline.ingest.rtmp;

import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.codec.MalformedMediaException;

/**
 * Bytes of unfinished messages of all connections: one limit for the process. Above the limit,
 * connections that do not publish are cut, the largest first. If that does not suffice, the
 * connection that asked for more is closed. One for all listeners; any thread.
 */
final class ReceiveBudget {
    private static final Logger log = LoggerFactory.getLogger(ReceiveBudget.class);

    /** Share of the heap: a few publishers of 4K video need about 1 MiB each. */
    private static final int HEAP_SHARE = 8;

    private final long maxBytes;
    private final AtomicLong usedBytes = new AtomicLong();
    private final Set<Account> accounts = ConcurrentHashMap.newKeySet();

    ReceiveBudget(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Returns a budget of an eighth of the heap. */
    static ReceiveBudget ofHeap() {
        return new ReceiveBudget(Runtime.getRuntime().maxMemory() / HEAP_SHARE);
    }

    /** Bytes of unfinished messages held now. */
    long usedBytes() {
        return usedBytes.get();
    }

    /**
     * Opens the account of a connection, which closes it.
     *
     * @param cut closes the connection; called once at most, by any thread
     */
    Account open(Runnable cut) {
        Account account = new Account(cut);
        accounts.add(account);
        return account;
    }

    /** Cuts connections that do not publish until the limit holds again. */
    private synchronized void relieve() {
        while (usedBytes.get() > maxBytes) {
            Optional<Account> largest =
                    accounts.stream()
                            .filter(Account::isIdle)
                            .max(Comparator.comparingLong(each -> each.heldBytes));
            if (largest.isEmpty()) {
                return;
            }
            largest.get().cut();
        }
    }

    /** What one connection holds. Its event loop calls everything but {@link #cut}. */
    final class Account implements AutoCloseable {
        private final Runnable cut;
        private volatile long heldBytes;
        private volatile boolean publishing;
        private volatile boolean closed;

        private Account(Runnable cut) {
            this.cut = cut;
        }

        /** From now on the connection is a publisher. */
        void publishing() {
            publishing = true;
        }

        /**
         * Changes the number of held bytes.
         *
         * @param bytes negative: no longer held
         * @throws MalformedMediaException the limit of the process is reached; nothing is added
         */
        void add(long bytes) {
            synchronized (this) {
                if (closed) {
                    return;
                }
                heldBytes += bytes;
            }
            if (usedBytes.addAndGet(bytes) <= maxBytes || bytes <= 0) {
                return;
            }
            relieve();
            if (closed || usedBytes.get() > maxBytes) {
                close();
                throw new MalformedMediaException(
                        "unfinished messages of all connections: more than " + maxBytes + " bytes");
            }
        }

        private boolean isIdle() {
            return !publishing && heldBytes > 0;
        }

        private void cut() {
            log.info("an RTMP connection that does not publish is cut to free {} B", heldBytes);
            close();
            cut.run();
        }

        /** Releases all its bytes. Idempotent. */
        @Override
        public void close() {
            long released;
            synchronized (this) {
                if (closed) {
                    return;
                }
                closed = true;
                released = heldBytes;
                heldBytes = 0;
            }
            accounts.remove(this);
            usedBytes.addAndGet(-released);
        }
    }
}
