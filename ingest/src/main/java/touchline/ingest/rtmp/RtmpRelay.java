package touchline.ingest.rtmp;

import io.netty.channel.ConnectTimeoutException;
import io.netty.util.concurrent.Future;
import java.lang.foreign.MemorySegment;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.ingest.RelayedPublish.Ended;
import touchline.ingest.rtmp.RtmpCounters.Refusal;

/**
 * Relays one encoder to the node that owns its stream. Media goes on as it was parsed; sequence
 * headers and metadata are kept for the next owner. While there is no owner, media is dropped. One
 * per publish, on the encoder's event loop, which is also that of the connection to the owner.
 *
 * <pre>
 * CONNECTING --accepted--> RELAYING --owner lost--> HOLDING --relay to--> CONNECTING
 *     '------not accepted------------------------------^ '--serve here--> closed by the session
 * </pre>
 */
final class RtmpRelay implements PublishedMedia {
    private static final Logger log = LoggerFactory.getLogger(RtmpRelay.class);

    /** Pause before the next connection to an owner that has closed one without an answer. */
    private static final long RETRY_MS = 100;

    private static final long PING_MS = 2_000;

    private enum State {
        CONNECTING,
        RELAYING,
        HOLDING,
        CLOSED
    }

    /** The encoder's session. Called on its event loop. */
    interface Session {
        /** The first owner accepts: the encoder gets its answer. */
        void relayed(RtmpMessage.Command status);

        /** The owner refuses or ends the publish: the encoder gets its answer, and is closed. */
        void relayEnded(RtmpMessage.Command status);

        /** The gate is asked again; {@link #decided} follows. */
        void undecided();

        void decided(PublishAdmission.Outcome outcome);
    }

    private final RtmpRelays relays;
    private final RtmpRelays.Encoder encoder;
    private final Session session;
    private final KeptHeaders headers = new KeptHeaders();
    private final RelayPace pace = new RelayPace();

    private State state = State.HOLDING;
    private PublishAdmission.@Nullable Relayed to;
    private @Nullable RelayUpstream upstream;
    private @Nullable Future<?> deadline;
    private @Nullable Future<?> holdEnd;
    private boolean accepted;
    private long questions;
    private long messages;
    private long bytes;
    private long dropped;
    private long unreportedBytes;

    RtmpRelay(RtmpRelays relays, RtmpRelays.Encoder encoder, Session session) {
        this.relays = relays;
        this.encoder = encoder;
        this.session = session;
    }

    /** Connects to an owner. Called once for each decision. */
    void connect(PublishAdmission.Relayed next) {
        to = next;
        state = State.CONNECTING;
        if (holdEnd == null) {
            holdEnd = later(relays.limits().hold(), this::holdExpired);
        }
        deadline = later(relays.limits().publish(), this::noAnswer);
        attempt();
    }

    private void attempt() {
        if (state != State.CONNECTING) {
            return;
        }
        RelayUpstream next =
                RelayUpstream.open(relays, Objects.requireNonNull(to), encoder, this::isSending);
        upstream = next;
        next.connecting()
                .addListener(
                        done -> {
                            if (!done.isSuccess()) {
                                notConnected(next, done.cause());
                            }
                        });
        var _ = later(relays.limits().connect(), () -> notAnswered(next));
        var _ = next.handler().published().thenAccept(published -> accepted(next));
        var _ = next.handler().ended().thenAccept(reason -> ended(next, reason));
    }

    private boolean isSending() {
        return upstream != null && upstream.hasUnsent();
    }

    private void notConnected(RelayUpstream failed, @Nullable Throwable cause) {
        if (upstream != failed || state != State.CONNECTING) {
            return;
        }
        boolean refused =
                cause instanceof ConnectException && !(cause instanceof ConnectTimeoutException);
        notAccepted(refused ? Ended.CONNECTION_REFUSED : Ended.TIMED_OUT, "cannot connect");
    }

    /** A process that is stopped takes connections, too: its system does. */
    private void notAnswered(RelayUpstream by) {
        if (upstream == by && state == State.CONNECTING && !by.handler().hasAnsweredConnect()) {
            notAccepted(Ended.TIMED_OUT, "no answer to connect");
        }
    }

    private void noAnswer() {
        if (state == State.CONNECTING) {
            notAccepted(Ended.TIMED_OUT, "no answer in time");
        }
    }

    private void accepted(RelayUpstream by) {
        if (upstream != by || state != State.CONNECTING) {
            by.close();
            return;
        }
        state = State.RELAYING;
        cancel(deadline);
        cancel(holdEnd);
        holdEnd = null;
        relays.counters().relayStarted();
        InetSocketAddress owner = Objects.requireNonNull(to).owner().address();
        log.info("{} begun at {}:{}", description(), owner.getHostString(), owner.getPort());
        boolean first = !accepted;
        accepted = true;
        by.begin();
        if (first) {
            session.relayed(by.handler().lastStatus().orElseThrow());
        } else {
            headers.all().forEach(by::write);
            by.flush();
        }
        ping(by);
    }

    private void ended(RelayUpstream over, String reason) {
        if (upstream != over || state == State.CLOSED) {
            return;
        }
        boolean wasRelaying = state == State.RELAYING;
        Optional<RtmpMessage.Command> status =
                over.handler().lastStatus().filter(each -> !RelayUpstream.isStart(each));
        Optional<Ended> elsewhere = status.flatMap(each -> RelayMark.of(each, wasRelaying));
        if (status.isPresent() && elsewhere.isEmpty()) {
            finish("ended by the owner", /* lost= */ false);
            session.relayEnded(status.get());
        } else if (wasRelaying) {
            lost(reason);
        } else if (elsewhere.isPresent()) {
            notAccepted(elsewhere.get(), reason);
        } else {
            // A listener that is full closes at once; the owner may be free the next time.
            upstream = null;
            var _ = later(Duration.ofMillis(RETRY_MS), this::attempt);
        }
    }

    private void lost(String reason) {
        log.warn("{} lost ({}): the encoder is held", description(), reason);
        relays.counters().relayEnded(/* lost= */ true);
        if (holdEnd == null) {
            holdEnd = later(relays.limits().hold(), this::holdExpired);
        }
        askAgain(Ended.LOST);
    }

    private void notAccepted(Ended ended, String reason) {
        log.info("{} not accepted ({}: {})", description(), ended, reason);
        askAgain(ended);
    }

    private void askAgain(Ended ended) {
        state = State.HOLDING;
        cancel(deadline);
        RelayUpstream over = upstream;
        upstream = null;
        if (over != null) {
            over.close();
        }
        session.undecided();
        PublishAdmission.Relayed before = Objects.requireNonNull(to);
        long question = ++questions;
        relays.admission()
                .askNext(
                        before,
                        ended,
                        outcome -> encoder.connection().execute(() -> decided(question, outcome)));
    }

    private void decided(long question, PublishAdmission.Outcome outcome) {
        if (state == State.HOLDING && question == questions) {
            session.decided(outcome);
        }
    }

    private void holdExpired() {
        if (state == State.CONNECTING || state == State.HOLDING) {
            session.undecided();
            session.decided(
                    new PublishAdmission.Refused(
                            Refusal.NO_OWNER,
                            RtmpReplies.DENIED,
                            "The node that has this stream does not answer, try again."));
        }
    }

    /** An owner that has stopped takes bytes for a while: its system has buffers. */
    private void ping(RelayUpstream to) {
        if (upstream != to || state != State.RELAYING) {
            return;
        }
        // A push faster than real time waits in buffers, and pings wait behind it.
        if (!to.channel().isWritable() || pace.aheadUs(nowNs()) > RtmpPublishSession.BURST_US) {
            to.excuse(nowNs());
        }
        if (nowNs() - to.heardNs() > relays.limits().silence().toNanos()) {
            to.close();
            lost("no answer to pings");
            return;
        }
        to.ping(nowNs());
        var _ = later(Duration.ofMillis(PING_MS), () -> ping(to));
    }

    @Override
    public void video(RtmpMessage.Video message, long nowNs) {
        headers.media(message, /* video= */ true, message.payload());
        pace.sent(message.timestampMs(), nowNs);
        write(message, message.payload());
    }

    @Override
    public void audio(RtmpMessage.Audio message, long nowNs) {
        headers.media(message, /* video= */ false, message.payload());
        pace.sent(message.timestampMs(), nowNs);
        write(message, message.payload());
    }

    private void write(RtmpMessage message, MemorySegment payload) {
        if (state != State.RELAYING || upstream == null) {
            dropped++;
            return;
        }
        messages++;
        unreportedBytes += payload.byteSize();
        upstream.write(message);
    }

    @Override
    public void data(RtmpMessage.Data message) {
        headers.data(message);
        if (state == State.RELAYING && upstream != null) {
            upstream.write(message);
        }
    }

    @Override
    public void flush() {
        bytes += unreportedBytes;
        relays.counters().relayed(unreportedBytes);
        unreportedBytes = 0;
        if (upstream != null && state == State.RELAYING) {
            upstream.flush();
        }
    }

    @Override
    public long aheadUs() {
        return pace.aheadUs(nowNs());
    }

    /** Whether the owner reads no faster: at most the unsent bytes and one read wait here. */
    @Override
    public boolean isTooFast() {
        return state == State.RELAYING && upstream != null && !upstream.channel().isWritable();
    }

    @Override
    public void log(Runnable line) {
        line.run();
    }

    /** Whether an owner accepted, so that the encoder has its answer. */
    boolean isAccepted() {
        return accepted;
    }

    /** Metadata and sequence headers, for a publisher of this server. */
    List<RtmpMessage> headers() {
        return headers.all();
    }

    /** Ends the publish at the owner in order, within a bounded time. Idempotent. */
    @Override
    public void close(String reason) {
        if (state == State.CLOSED) {
            return;
        }
        flush();
        RelayUpstream last = upstream;
        boolean relaying = state == State.RELAYING;
        finish(reason, /* lost= */ false);
        if (last != null && relaying) {
            last.finish(Objects.requireNonNull(to).streamKey());
        } else if (last != null) {
            last.close();
        }
    }

    private void finish(String reason, boolean lost) {
        if (state == State.RELAYING) {
            relays.counters().relayEnded(lost);
        }
        state = State.CLOSED;
        upstream = null;
        cancel(deadline);
        cancel(holdEnd);
        log.info(
                "{} ended ({}): {} messages, {} bytes, {} dropped without an owner",
                description(),
                reason,
                messages,
                bytes,
                dropped);
    }

    private String description() {
        PublishAdmission.Relayed now = Objects.requireNonNull(to);
        return "stream=%s peer=%s relay to node=%s"
                .formatted(now.stream(), encoder.connection().peer(), now.owner().id());
    }

    private Future<?> later(Duration delay, Runnable task) {
        return encoder.loop().schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    private static void cancel(@Nullable Future<?> timer) {
        if (timer != null) {
            timer.cancel(false);
        }
    }

    private long nowNs() {
        return encoder.loop().ticker().nanoTime();
    }
}
