package touchline.packager.hls;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.CodecConfig;
import touchline.media.Track;
import touchline.media.hub.FeedReader;
import touchline.packager.hls.RenditionMedia.Readiness;

/**
 * Packages one rendition as its source was packaged: waits for the units of each of the source's
 * parts and publishes them with the same numbers, times and audio. Two virtual threads of its own:
 * one reads units, one waits and writes. The source's packager only queues its events.
 *
 * <p>It starts with a segment of the source whose key frame it has. A part whose units never come,
 * or come more than {@value #PATIENCE_S} seconds late, ends it: its window is closed.
 */
final class RenditionFollower {
    private static final Logger log = LoggerFactory.getLogger(RenditionFollower.class);

    /** A source publishes some parts and one seal a second. */
    private static final int MAX_EVENTS = 2_048;

    private static final long PATIENCE_S = 10;
    private static final long MIN_LATE_NS = TimeUnit.SECONDS.toNanos(1);

    private final String name;
    private final LiveRenditions owner;
    private final LiveWindow source;
    private final FeedReader reader;
    private final RenditionMedia units;
    private final RenditionWriter writer;

    /** Writes the frames alone, beside {@link #writer}. */
    private final RenditionWriter framesWriter;

    private final List<RenditionWriter> writers;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final ArrayDeque<SourceEvent> events = new ArrayDeque<>();

    /** An event is being handled. */
    @GuardedBy("lock")
    private boolean busy;

    @GuardedBy("lock")
    private boolean closed;

    @GuardedBy("lock")
    private boolean leftOpen;

    /** Made with the first part. */
    @GuardedBy("lock")
    private @Nullable LiveWindow window;

    /** Of the frames alone; made with the first part after the audio was separated. */
    @GuardedBy("lock")
    private @Nullable LiveWindow framesWindow;

    private volatile boolean failed;
    private volatile boolean behind;

    // Used by the writing thread only.
    private SourceEvent.@Nullable Init init;

    /**
     * @param reader taken over
     * @param units empty; kept between the two threads
     */
    RenditionFollower(
            String name,
            LiveRenditions owner,
            LiveWindow source,
            FeedReader reader,
            RenditionMedia units) {
        this.name = name;
        this.owner = owner;
        this.source = source;
        this.reader = reader;
        this.units = units;
        this.writer = new RenditionWriter(name, owner.memory(), units.content());
        this.framesWriter =
                new RenditionWriter(name, owner.memory(), RenditionWriter.Content.FRAMES);
        this.writers = List.of(writer, framesWriter);
    }

    void start() {
        String threads = "rendition-" + source.session() + "-" + name;
        Thread.ofVirtual().name(threads + "-units").start(this::read);
        Thread.ofVirtual().name(threads).start(this::run);
    }

    String name() {
        return name;
    }

    /** Not an audio rendition. */
    boolean isVideo() {
        return units.isVideo();
    }

    /** Called by the source's packager. */
    void offer(SourceEvent event) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            events.add(event);
            changed.signalAll();
            if (events.size() <= MAX_EVENTS) {
                return;
            }
        } finally {
            lock.unlock();
        }
        fail("too many parts wait for their units");
    }

    /** Serves the viewers; null before its first part and when closed. */
    @Nullable LiveWindow window() {
        return window(/* framesAlone= */ false);
    }

    /** The same of the frames alone. */
    @Nullable LiveWindow window(boolean framesAlone) {
        lock.lock();
        try {
            return closed ? null : framesAlone ? framesWindow : window;
        } finally {
            lock.unlock();
        }
    }

    /** One track of the source, and not among its renditions. */
    boolean isOfSource() {
        return units instanceof SourceTrack;
    }

    /** As it is now. */
    RenditionInfo info() {
        LiveWindow now = window();
        MultivariantPlaylist media = now == null ? null : now.playlists().variant().orElse(null);
        if (media == null) {
            CodecConfig codec =
                    units.newest().map(last -> last.tracks().getFirst().codec()).orElse(null);
            return RenditionInfo.of(name, codec, state(/* isShown= */ false));
        }
        return RenditionInfo.of(name, media, state(/* isShown= */ true));
    }

    /** Neither shown to viewers yet, nor failed. */
    boolean isStarting() {
        return info().state() == RenditionInfo.State.STARTING;
    }

    private RenditionInfo.State state(boolean isShown) {
        if (failed) {
            return RenditionInfo.State.FAILED;
        }
        if (!isShown) {
            return RenditionInfo.State.STARTING;
        }
        return behind ? RenditionInfo.State.BEHIND : RenditionInfo.State.RUNNING;
    }

    /** The end of the session does not end the playlists. */
    void leaveOpen() {
        lock.lock();
        try {
            leftOpen = true;
            if (window != null) {
                window.leaveOpen();
            }
            if (framesWindow != null) {
                framesWindow.leaveOpen();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Everything answers 404 from now on. Idempotent. */
    void close() {
        LiveWindow served;
        LiveWindow frames;
        lock.lock();
        try {
            closed = true;
            events.clear();
            served = window;
            frames = framesWindow;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        Stream.of(Optional.ofNullable(served), Optional.ofNullable(frames))
                .flatMap(Optional::stream)
                .forEach(LiveWindow::close);
        reader.close();
        units.clear();
    }

    /** Waits until all events are handled. False if the time is over. */
    boolean awaitIdle(Duration atMost) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long leftNs = atMost.toNanos();
            while ((busy || !events.isEmpty()) && leftNs > 0) {
                leftNs = changed.awaitNanos(leftNs);
            }
            return !busy && events.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    private void read() {
        long dropped = reader.droppedUnits();
        try {
            while (reader.drain(units::accept)) {
                if (reader.droppedUnits() != dropped) {
                    dropped = reader.droppedUnits();
                    units.dropped();
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            units.end();
        }
    }

    private void run() {
        try {
            for (SourceEvent event = next(); event != null; event = next()) {
                handle(event);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            close();
        } catch (RuntimeException | Error e) {
            log.error("session={} rendition={} failed", source.session(), name, e);
            fail(e.toString());
        } finally {
            writers.forEach(RenditionWriter::close);
        }
    }

    /** Null when closed. */
    private @Nullable SourceEvent next() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            busy = false;
            changed.signalAll();
            while (events.isEmpty() && !closed) {
                changed.await();
            }
            busy = !events.isEmpty();
            return events.poll();
        } finally {
            lock.unlock();
        }
    }

    private void handle(SourceEvent event) throws InterruptedException {
        switch (event) {
            case SourceEvent.Init next -> {
                init = next;
                writers.forEach(RenditionWriter::initIsDue);
            }
            case SourceEvent.Part part -> part(part);
            case SourceEvent.Sealed sealed -> writers.forEach(each -> each.seal(sealed));
            case SourceEvent.Discontinuity _ -> writers.forEach(RenditionWriter::discontinuity);
            case SourceEvent.End _ -> writers.forEach(RenditionWriter::end);
        }
    }

    private void part(SourceEvent.Part part) throws InterruptedException {
        SourceEvent.Init of = init;
        boolean starts = part.index() == 0 && units.canStart(part);
        if (of == null || !(writer.isOpen() || starts)) {
            return;
        }
        switch (await(part, of)) {
            case COMPLETE -> write(part, of);
            case WAITING -> {
                if (writer.isOpen()) {
                    fail("units are more than " + PATIENCE_S + " s late");
                }
            }
            case NEVER -> {
                if (writer.isOpen()) {
                    fail("units of segment " + part.mediaSequence() + " are missing");
                }
            }
        }
    }

    private Readiness await(SourceEvent.Part part, SourceEvent.Init of)
            throws InterruptedException {
        long lateNs =
                Math.max(
                        MIN_LATE_NS,
                        2
                                * TimeUnit.MICROSECONDS.toNanos(
                                        source.settings().profile().partTargetUs()));
        Readiness now = units.await(part, of, lateNs);
        if (now == Readiness.WAITING && writer.isOpen()) {
            if (!behind) {
                log.warn("session={} rendition={} is behind", source.session(), name);
            }
            behind = true;
            return units.await(part, of, TimeUnit.SECONDS.toNanos(PATIENCE_S) - lateNs);
        }
        behind = false;
        return now;
    }

    private void write(SourceEvent.Part part, SourceEvent.Init of) {
        Track track = units.track(of.timeline().startedAt()).orElse(null);
        var samples = units.take(part, of);
        boolean hasTrack = track != null || (units.isVideo() && of.timeline().video().isEmpty());
        if (!hasTrack || (!units.isVideo() && samples.isEmpty())) {
            if (writer.isOpen()) {
                fail("it has no media for segment " + part.mediaSequence());
            }
            return;
        }
        if (!writer.isOpen() && !open(part, /* framesAlone= */ false)) {
            return;
        }
        writer.write(part, of, track, samples);
        if (framesWriter.isOpen() || startsFramesAlone(part)) {
            framesWriter.write(part, of, track, samples);
        }
    }

    /** At a segment with a key frame, once the audio is separated. */
    private boolean startsFramesAlone(SourceEvent.Part part) {
        return owner.isAudioSeparate()
                && units.isVideo()
                && !isOfSource()
                && part.index() == 0
                && part.video().startsAnew()
                && open(part, /* framesAlone= */ true);
    }

    /** False if closed meanwhile. */
    private boolean open(SourceEvent.Part first, boolean framesAlone) {
        String own = framesAlone ? name + LiveRenditions.FRAMES_ALONE : name;
        LiveWindow made = owner.window(own, first.mediaSequence());
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            if (framesAlone) {
                framesWindow = made;
            } else {
                window = made;
            }
            if (leftOpen) {
                made.leaveOpen();
            }
        } finally {
            lock.unlock();
        }
        (framesAlone ? framesWriter : writer).open(made, owner.storage().open(own, made));
        return true;
    }

    private void fail(String reason) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
        } finally {
            lock.unlock();
        }
        log.warn("session={} rendition={} ends: {}", source.session(), name, reason);
        failed = true;
        close();
    }
}
