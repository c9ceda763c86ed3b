package touchline.api.restream;

import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.db.RestreamRepository;
import touchline.api.domain.EventType;
import touchline.api.domain.Restream;
import touchline.api.domain.RestreamStatus;
import touchline.api.domain.RestreamStatus.State;
import touchline.api.egress.EgressException;
import touchline.ingest.rtmp.RtmpPush;
import touchline.ingest.rtmp.RtmpPushClient;
import touchline.ingest.rtmp.RtmpPushException;
import touchline.ingest.rtmp.RtmpTarget;
import touchline.media.SessionId;
import touchline.media.concurrent.LogContext;
import touchline.media.hub.Feed;
import touchline.overlay.page.Backoff;

/**
 * One restream of one session: connects, sends, and connects again after a failure, until the
 * session ends or it is closed. Its virtual thread runs it; other methods any thread.
 */
final class RestreamRunner implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RestreamRunner.class);

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    /** A connection that lasted this long is tried again after the first pause. */
    private static final Duration HEALTHY = Duration.ofMinutes(1);

    private final RestreamRepository.Target target;
    private final Supplier<Feed> source;
    private final Dependencies dependencies;
    private final Backoff pauses = new Backoff(FIRST_PAUSE, LONGEST_PAUSE, HEALTHY);
    private final SentRate rate;
    private final CountDownLatch stopping = new CountDownLatch(1);

    private volatile @Nullable Thread thread;

    // Written by the runner's thread.
    private volatile Restream shown;
    private volatile RestreamStatus status = RestreamStatus.IDLE;
    private volatile @Nullable RestreamRelay relay;
    private volatile @Nullable RtmpPush push;

    private long reportedBytes;
    private int connections;
    private boolean failureReported;

    /** Shared by all; borrowed. */
    record Dependencies(
            RtmpPushClient client,
            Addresses addresses,
            RestreamCounters counters,
            Reports reports,
            InstantSource clock,
            LongSupplier nanoTime) {}

    /** The permitted addresses of a host. */
    @FunctionalInterface
    interface Addresses {
        List<InetAddress> of(String host) throws EgressException;
    }

    /** Receives changes of state that are events. Must not block. */
    @FunctionalInterface
    interface Reports {
        void changed(EventType type, Restream restream, RestreamStatus status);
    }

    /**
     * @param source where the session's media is now
     */
    RestreamRunner(
            RestreamRepository.Target target, Supplier<Feed> source, Dependencies dependencies) {
        this.target = target;
        this.source = source;
        this.dependencies = dependencies;
        this.shown = target.restream();
        this.rate = new SentRate(dependencies.nanoTime());
    }

    /** Called once. */
    void start(SessionId session) {
        thread =
                Thread.ofVirtual()
                        .name("restream-" + target.restream().id())
                        .start(LogContext.session(target.restream().stream(), session, this::run));
    }

    /** Whether it sends to the target as it is configured now. */
    boolean serves(RestreamRepository.Target now) {
        return target.restream().url().equals(now.restream().url())
                && target.streamKey().equals(now.streamKey());
    }

    /** A new name, which needs no new connection. */
    void show(Restream changed) {
        shown = changed;
    }

    RestreamStatus status() {
        RestreamStatus now = status;
        RtmpPush current = push;
        long bps = now.state() == State.LIVE && current != null ? rate.bps(current.sentBytes()) : 0;
        return new RestreamStatus(
                now.state(),
                now.lastError(),
                bps,
                now.since(),
                now.reconnects(),
                now.droppedFrames());
    }

    private void run() {
        try {
            boolean more = true;
            while (more && stopping.getCount() > 0) {
                more = connectAndSend();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            state(State.IDLE, Optional.empty());
        }
    }

    /** False when the session has ended. After a failure it returns when the pause is over. */
    private boolean connectAndSend() throws InterruptedException {
        long beganNs = dependencies.nanoTime().getAsLong();
        String failure;
        try (RestreamRelay reader =
                new RestreamRelay(
                        source,
                        dependencies.nanoTime(),
                        dependencies.counters(),
                        new RelayProgress())) {
            relay = reader;
            if (stopping.getCount() == 0 || !reader.awaitMedia()) {
                return false;
            }
            beganNs = dependencies.nanoTime().getAsLong();
            send(reader);
            return false;
        } catch (RtmpPushException e) {
            failure = e.reason();
        } catch (EgressException e) {
            failure = String.valueOf(e.getMessage());
        } catch (RuntimeException e) {
            log.error("restream={} failed", target.restream().id(), e);
            failure = "internal error";
        } finally {
            relay = null;
            push = null;
        }
        if (stopping.getCount() > 0) {
            failed(failure);
            long ranNs = dependencies.nanoTime().getAsLong() - beganNs;
            boolean _ = stopping.await(pauses.nextNs(ranNs), TimeUnit.NANOSECONDS);
        }
        return true;
    }

    private void send(RestreamRelay reader)
            throws EgressException, RtmpPushException, InterruptedException {
        state(State.CONNECTING, status.lastError());
        RtmpTarget address = RtmpTarget.parse(target.restream().url());
        try (RtmpPush opened =
                dependencies
                        .client()
                        .open(
                                address,
                                target.streamKey(),
                                dependencies.addresses().of(address.host()))) {
            rate.restart();
            reportedBytes = 0;
            push = opened;
            if (connections++ > 0) {
                dependencies.counters().reconnected();
            }
            try {
                reader.run(opened);
                opened.finish();
            } finally {
                report(opened);
            }
        }
    }

    private void report(RtmpPush opened) {
        long bytes = opened.sentBytes();
        dependencies.counters().sent(bytes - reportedBytes);
        reportedBytes = bytes;
        rate.note(bytes);
    }

    private final class RelayProgress implements RestreamRelay.Progress {
        @Override
        public void live() {
            if (status.state() != State.LIVE) {
                failureReported = false;
                state(State.LIVE, Optional.empty());
                log.info("restream={} live at {}", shown.id(), host());
                dependencies.reports().changed(EventType.RESTREAM_LIVE, shown, status());
            }
        }

        @Override
        public void sent() {
            RtmpPush current = push;
            if (current != null) {
                report(current);
            }
        }

        @Override
        public void dropped(long units) {
            RestreamStatus now = status;
            status =
                    new RestreamStatus(
                            now.state(),
                            now.lastError(),
                            0,
                            now.since(),
                            now.reconnects(),
                            now.droppedFrames() + units);
        }
    }

    private void failed(String reason) {
        dependencies.counters().failed();
        state(State.FAILED, Optional.of(reason));
        if (!failureReported) {
            failureReported = true;
            log.warn("restream={} to {} failed: {}", shown.id(), host(), reason);
            dependencies.reports().changed(EventType.RESTREAM_FAILED, shown, status());
        }
    }

    /** The path may be known to the owner of the target only. */
    private String host() {
        return RtmpTarget.parse(target.restream().url()).host();
    }

    private void state(State state, Optional<String> lastError) {
        RestreamStatus before = status;
        Optional<Instant> since =
                before.state() == state
                        ? before.since()
                        : Optional.of(dependencies.clock().instant());
        status =
                new RestreamStatus(
                        state,
                        lastError,
                        0,
                        since,
                        Math.max(0, connections - 1),
                        before.droppedFrames());
    }

    /** Waits until the last media is sent, at the session's end. */
    boolean awaitEnd(Duration atMost) throws InterruptedException {
        Thread started = thread;
        return started == null || started.join(atMost);
    }

    /** Closes the connection at once. */
    @Override
    public void close() {
        stopping.countDown();
        RestreamRelay reader = relay;
        if (reader != null) {
            reader.close();
        }
        Thread started = thread;
        if (started != null) {
            started.interrupt();
        }
    }
}
