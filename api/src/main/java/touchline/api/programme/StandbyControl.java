package touchline.api.programme;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.db.StreamRepository;
import touchline.api.domain.StreamDefinition;
import touchline.api.domain.StreamSettings;
import touchline.media.StreamId;
import touchline.media.hub.LiveStream;
import touchline.media.hub.StandbyMaker;
import touchline.media.hub.StandbyMedia;
import touchline.media.hub.StandbyReason;
import touchline.media.hub.StandbySettings;

/** Applies the standby of streams to their running sessions. Any thread. */
public final class StandbyControl {
    private static final Logger log = LoggerFactory.getLogger(StandbyControl.class);

    private final Function<StreamId, Optional<LiveStream>> active;
    private final StreamRepository streams;
    private final StandbyMaker maker;
    private final ReentrantLock order = new ReentrantLock();
    private final Map<StandbyReason, LongAdder> started = new EnumMap<>(StandbyReason.class);
    private final LongAdder failed = new LongAdder();

    /**
     * @param active the running session of a stream
     * @param maker of frames and silence; borrowed
     */
    public StandbyControl(
            Function<StreamId, Optional<LiveStream>> active,
            StreamRepository streams,
            StandbyMaker maker) {
        this.active = active;
        this.streams = streams;
        this.maker = request -> maker.make(request).whenComplete(this::made);
        for (StandbyReason reason : StandbyReason.values()) {
            started.put(reason, new LongAdder());
        }
    }

    private void made(@Nullable StandbyMedia media, @Nullable Throwable failure) {
        if (media == null) {
            failed.increment();
        }
    }

    /** Counts a standby that has begun. */
    public void started(StandbyReason reason) {
        counter(reason).increment();
    }

    /** Standbys that have begun for this reason. */
    public long startedBy(StandbyReason reason) {
        return counter(reason).sum();
    }

    private LongAdder counter(StandbyReason reason) {
        return Objects.requireNonNull(started.get(reason));
    }

    /** Standbys that could not be made. */
    public long failed() {
        return failed.sum();
    }

    /** The session of a stream has started. Blocks; a failure leaves it without a standby. */
    public void begin(StreamId stream) {
        try {
            follow(stream);
        } catch (RuntimeException e) {
            log.warn("stream={} has no standby: {}", stream, e.getMessage());
        }
    }

    /** The stream has changed, or its session has started: applies what is stored. Blocks. */
    public void follow(StreamId stream) {
        Optional<LiveStream> live = active.apply(stream);
        if (live.isEmpty()) {
            return;
        }
        // What was read last is applied last.
        order.lock();
        try {
            streams.find(stream)
                    .map(StreamDefinition::settings)
                    .ifPresent(settings -> live.get().standby().follow(of(settings), maker));
        } finally {
            order.unlock();
        }
    }

    /**
     * Keeps the encoders of an active stream out until {@link #off}. Does not block.
     *
     * @return false if the stream has no session, or none with media since the start of the server
     */
    public boolean on(StreamId stream, StandbyReason reason) {
        return active.apply(stream).map(live -> live.standby().force(reason)).orElse(false);
    }

    /** Lets encoders write again, from their next key frame on. Does not block. Idempotent. */
    public void off(StreamId stream) {
        active.apply(stream).ifPresent(live -> live.standby().release());
    }

    /** Whether the standby of this stream is kept on by an operator or by moderation. */
    public boolean isKeptOn(StreamId stream) {
        return active.apply(stream).flatMap(live -> live.standby().status()).stream()
                .anyMatch(status -> status.reason() != StandbyReason.ENCODER_LOST);
    }

    private static StandbySettings of(StreamSettings settings) {
        StandbySettings stored = settings.standby();
        return new StandbySettings(stored.mode(), stored.after(), stored.image(), settings.title());
    }
}
