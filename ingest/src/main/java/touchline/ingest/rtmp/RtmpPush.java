package touchline.ingest.rtmp;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import touchline.ingest.flv.FlvMuxer;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.Timeline;
import touchline.media.Track;

/**
 * A running publish to another server. One thread sends and blocks while the target is slow: at
 * most {@link #MAX_UNSENT_BYTES} and one frame wait in memory. {@link #close}, {@link #sentBytes}
 * and {@link #onEnd}: any thread.
 */
public final class RtmpPush implements RtmpSender, AutoCloseable {
    /** Bytes that may wait for the network. */
    static final long MAX_UNSENT_BYTES = 64 << 10;

    /** Memory of a message in addition to its payload. */
    private static final int MESSAGE_BYTES = 256;

    private static final long END_MS = 1_000;

    private final Channel channel;
    private final RtmpPushHandler handler;
    private final RtmpPushHandler.Published published;
    private final String streamKey;
    private final Unsent unsent;
    private final PushClock clock = new PushClock();
    private @Nullable CodecConfig sentVideo;
    private @Nullable CodecConfig sentAudio;

    /** The bytes of a connection between its sender and the network. Any thread. */
    static final class Unsent {
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition changed = lock.newCondition();
        private final AtomicLong sentBytes = new AtomicLong();

        @GuardedBy("lock")
        private long waitingBytes;

        @GuardedBy("lock")
        private long waitingSinceNs;

        @GuardedBy("lock")
        private boolean ended;

        private void add(long bytes) throws InterruptedException {
            lock.lockInterruptibly();
            try {
                while (waitingBytes >= MAX_UNSENT_BYTES && !ended) {
                    changed.await();
                }
                if (waitingBytes == 0) {
                    waitingSinceNs = System.nanoTime();
                }
                waitingBytes += bytes;
            } finally {
                lock.unlock();
            }
        }

        private void done(long bytes, boolean sent) {
            if (sent) {
                sentBytes.addAndGet(bytes);
            }
            lock.lock();
            try {
                waitingBytes -= bytes;
                if (waitingBytes < MAX_UNSENT_BYTES) {
                    changed.signalAll();
                }
            } finally {
                lock.unlock();
            }
        }

        private void end() {
            lock.lock();
            try {
                ended = true;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }

        /** Whether some bytes have been waiting for this long, others perhaps before them. */
        boolean hasWaited(Duration time) {
            lock.lock();
            try {
                return waitingBytes > 0 && System.nanoTime() - waitingSinceNs >= time.toNanos();
            } finally {
                lock.unlock();
            }
        }

        private long waitingBytes() {
            lock.lock();
            try {
                return waitingBytes;
            } finally {
                lock.unlock();
            }
        }
    }

    RtmpPush(
            Channel channel,
            RtmpPushHandler handler,
            RtmpPushHandler.Published published,
            String streamKey,
            Unsent unsent) {
        this.channel = channel;
        this.handler = handler;
        this.published = published;
        this.streamKey = streamKey;
        this.unsent = unsent;
        onEnd(unsent::end);
    }

    @Override
    public void onEnd(Runnable action) {
        var _ = handler.ended().thenRun(action);
    }

    /** Why the connection has ended; empty while it lasts. */
    public Optional<String> failure() {
        return Optional.ofNullable(handler.ended().getNow(null));
    }

    @Override
    public void check() throws RtmpPushException {
        Optional<String> failure = failure();
        if (failure.isPresent()) {
            throw new RtmpPushException(failure.get());
        }
    }

    /** Bytes of media that the network has taken. */
    public long sentBytes() {
        return unsent.sentBytes.get();
    }

    @Override
    public void begin(Timeline timeline) throws InterruptedException, RtmpPushException {
        for (Track track : timeline.tracks()) {
            if (!published.capabilities().takes(track.codec())) {
                throw new RtmpPushException(
                        "the target does not take " + FlvMuxer.name(track.codec()));
            }
        }
        clock.discontinuity();
        boolean described =
                timeline.tracks().stream().allMatch(track -> track.codec().equals(sent(track)));
        if (described) {
            return;
        }
        List<Track> tracks = timeline.tracks();
        send(PushCommands.metadata(published.messageStreamId(), tracks), 0);
        for (Track track : tracks) {
            Optional<MemorySegment> header = FlvMuxer.configuration(track.codec());
            if (header.isPresent()) {
                send(message(track, clock.newestMs(), header.get()), header.get().byteSize());
            }
            if (track.isVideo()) {
                sentVideo = track.codec();
            } else {
                sentAudio = track.codec();
            }
        }
        flush();
    }

    private @Nullable CodecConfig sent(Track track) {
        return track.isVideo() ? sentVideo : sentAudio;
    }

    @Override
    public void write(AccessUnit unit) throws InterruptedException, RtmpPushException {
        long timestampMs = clock.timestampMs(unit);
        MemorySegment tag = FlvMuxer.frame(unit, PushClock.compositionTimeMs(unit));
        send(message(unit.track(), timestampMs, tag), tag.byteSize());
    }

    @Override
    public void flush() {
        var _ = channel.flush();
    }

    private static RtmpMessage message(Track track, long timestampMs, MemorySegment tag) {
        return track.isVideo()
                ? new RtmpMessage.Video(timestampMs, tag)
                : new RtmpMessage.Audio(timestampMs, tag);
    }

    private void send(RtmpMessage message, long payloadBytes)
            throws InterruptedException, RtmpPushException {
        long bytes = payloadBytes + MESSAGE_BYTES;
        if (unsent.waitingBytes() + bytes > MAX_UNSENT_BYTES) {
            // What waits must leave, or this thread waits for ever.
            flush();
        }
        unsent.add(bytes);
        Optional<String> failure = failure();
        if (failure.isPresent()) {
            unsent.done(bytes, /* sent= */ false);
            throw new RtmpPushException(failure.get());
        }
        ChannelFuture sent = channel.write(message);
        sent.addListener(
                done -> {
                    unsent.done(bytes, done.isSuccess());
                    if (!done.isSuccess()) {
                        channel.pipeline()
                                .fireExceptionCaught(Objects.requireNonNull(done.cause()));
                    }
                });
    }

    /** Ends the publish in order and closes; waits for a short time. */
    public void finish() throws InterruptedException {
        ChannelFuture lastWrite = channel.newSucceededFuture();
        for (RtmpMessage each : PushCommands.end(published.messageStreamId(), streamKey)) {
            // The last write is complete when all before it are.
            lastWrite = channel.write(each);
        }
        flush();
        boolean _ = lastWrite.await(END_MS, TimeUnit.MILLISECONDS);
        close();
    }

    /** Closes the connection at once. Idempotent. */
    @Override
    public void close() {
        var _ = channel.close();
    }
}
