package touchline.moderation;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Unexpected exceptions of moderation threads. Each one is counted. The log gets one a minute from
 * each source. The health report shows a source as failed until it works again. Any thread.
 */
final class InternalErrors {
    private static final Logger log = LoggerFactory.getLogger(InternalErrors.class);

    private static final long LOG_INTERVAL_NS = TimeUnit.MINUTES.toNanos(1);
    private static final int MAX_REASON_CHARS = 300;

    private final LongSupplier nanoTime;
    private final Set<Source> sources = new ConcurrentSkipListSet<>();

    InternalErrors(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /**
     * A new source; the caller closes it when it cannot fail any more.
     *
     * @param name as in {@code inference}; unique among the open sources
     * @param counts receives {@link SampleCounts.Kind#ERROR}
     */
    Source source(String name, SampleCounts counts) {
        Source source = new Source(name, counts);
        sources.add(source);
        return source;
    }

    /** One line for each source whose last attempt failed, sorted by name. */
    List<String> active() {
        return sources.stream().map(Source::active).filter(Objects::nonNull).toList();
    }

    /** One thread or one session that can fail. Any thread. */
    final class Source implements AutoCloseable, Comparable<Source> {
        private final String name;
        private final SampleCounts counts;
        private final ReentrantLock lock = new ReentrantLock();

        @GuardedBy("lock")
        private @Nullable String reason;

        @GuardedBy("lock")
        private @Nullable Long loggedNs;

        private Source(String name, SampleCounts counts) {
            this.name = name;
            this.counts = counts;
        }

        /** Counts the exception, logs it if the last one was logged a minute ago or earlier. */
        void failed(Throwable error) {
            counts.add(SampleCounts.Kind.ERROR);
            long nowNs = nanoTime.getAsLong();
            boolean logged;
            lock.lock();
            try {
                reason = oneLine(error);
                logged = loggedNs == null || nowNs - loggedNs >= LOG_INTERVAL_NS;
                if (logged) {
                    loggedNs = nowNs;
                }
            } finally {
                lock.unlock();
            }
            if (logged) {
                log.error("{} failed", name, error);
            }
        }

        /** The source works: the health report no longer shows it. */
        void succeeded() {
            lock.lock();
            try {
                reason = null;
            } finally {
                lock.unlock();
            }
        }

        private @Nullable String active() {
            lock.lock();
            try {
                return reason == null ? null : name + " failed: " + reason;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public int compareTo(Source other) {
            return name.compareTo(other.name);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Source source && source.name.equals(name);
        }

        @Override
        public int hashCode() {
            return name.hashCode();
        }

        @Override
        public void close() {
            sources.remove(this);
        }
    }

    private static String oneLine(Throwable error) {
        String text = error instanceof DetectorException e ? e.reason() : error.toString();
        String line = text.lines().findFirst().orElse("");
        return line.length() <= MAX_REASON_CHARS ? line : line.substring(0, MAX_REASON_CHARS);
    }
}
