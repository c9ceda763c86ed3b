package touchline.packager.hls;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import touchline.media.SessionId;
import touchline.media.Timeline;

/**
 * The sliding live window of one session: segments, parts, init segments and playlists, and those
 * who wait for them. The packager's thread writes, any thread reads; nobody waits for long.
 *
 * <p>Memory holds the growing segment and the newest {@value #IN_MEMORY} sealed ones; an older one
 * stays there only until it is {@link #stored}. Segments leave the playlist when what remains is at
 * least a window long, and stay fetchable for one more window (RFC 8216, 6.2.2), in a recorded
 * session for ever. Where nothing is stored the window is cut to what fits into memory.
 */
public final class SegmentWindow implements LivePlayback {
    /** Sealed segments that stay in memory although they are stored. */
    static final int IN_MEMORY = 2;

    /** Sealed media kept in memory for want of a disk, at most. */
    private static final long MAX_MEMORY_BYTES = 64L << 20;

    /** Never fewer segments than this, whatever their size. */
    private static final int MIN_SEGMENTS = 3;

    private final Settings settings;
    private final MediaMemory memory;
    private final SegmentShelf shelf;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<Integer, MediaBlock> inits = new HashMap<>();

    @GuardedBy("lock")
    private final Waiters waiters = new Waiters();

    @GuardedBy("lock")
    private @Nullable Timeline timeline;

    @GuardedBy("lock")
    private Measures measures = new Measures(0, 0, 0);

    @GuardedBy("lock")
    private final Renderings renderings = new Renderings();

    @GuardedBy("lock")
    private long version;

    @GuardedBy("lock")
    private boolean ended;

    @GuardedBy("lock")
    private boolean closed;

    /**
     * @param session whose window this is
     * @param profile how long its parts and segments are
     * @param window media that stays listed
     * @param firstMediaSequence number of the first segment, at least 0; above every number this
     *     stream's earlier playlists held
     * @param recorded segments stay for ever, and {@link LivePlayback.PlaylistKind#FULL} is served
     * @param composited every segment is known to start with a key frame, but for what the
     *     publisher breaks
     */
    public record Settings(
            SessionId session,
            LatencyProfile profile,
            Duration window,
            long firstMediaSequence,
            boolean recorded,
            boolean composited) {
        public Settings {
            if (firstMediaSequence < 0) {
                throw new IllegalArgumentException(
                        "firstMediaSequence: " + firstMediaSequence + " (expected: >= 0)");
            }
        }
    }

    public SegmentWindow(Settings settings, MediaMemory memory) {
        this(settings, memory, MAX_MEMORY_BYTES);
    }

    SegmentWindow(Settings settings, MediaMemory memory, long maxMemoryBytes) {
        this.settings = settings;
        this.memory = memory;
        long windowUs = settings.window().toNanos() / 1_000;
        this.shelf =
                new SegmentShelf(
                        new SegmentShelf.Limits(
                                windowUs,
                                settings.recorded(),
                                maxMemoryBytes,
                                MIN_SEGMENTS,
                                IN_MEMORY,
                                settings.profile().listsParts()),
                        settings.firstMediaSequence());
    }

    public Settings settings() {
        return settings;
    }

    /** The number the next segment gets: what the stream's next session may start with. */
    public long nextMediaSequence() {
        return locked(shelf::nextMediaSequence);
    }

    /** Segments with smaller numbers are fetched no more: their files may go. */
    public long oldestKept() {
        return locked(shelf::oldestKept);
    }

    @Override
    public SessionId session() {
        return settings.session();
    }

    // What the packager's thread says.

    /** A new init segment; retained here. */
    void begin(int initNumber, Timeline started, MediaBlock bytes) {
        lock.lock();
        try {
            if (!closed) {
                timeline = started;
                inits.put(initNumber, bytes.retain());
            }
        } finally {
            lock.unlock();
        }
    }

    /** A finished part of the growing segment; its bytes are retained here. */
    void add(PartSink.FinishedPart part, int initNumber, Instant programDateTime) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            shelf.add(part, initNumber, programDateTime);
        } finally {
            lock.unlock();
        }
        if (settings.profile().listsParts()) {
            publish();
        }
    }

    /** The growing segment is complete. */
    void seal(Measures now) {
        lock.lock();
        try {
            measures = now;
            shelf.seal();
            dropUnusedInits();
        } finally {
            lock.unlock();
        }
        publish();
    }

    /** The session has ended: EXT-X-ENDLIST; everything stays until {@link #close}. */
    void end() {
        lock.lock();
        try {
            ended = true;
        } finally {
            lock.unlock();
        }
        publish();
    }

    /**
     * A sealed segment's bytes lie whole in a file, and stay there at least until {@link
     * #oldestKept} passes it. Any thread.
     */
    public void stored(long mediaSequence, Path file, long offsetBytes) {
        lock.lock();
        try {
            shelf.stored(mediaSequence, file, offsetBytes);
        } finally {
            lock.unlock();
        }
    }

    // What viewers ask.

    @Override
    public Optional<String> multivariant(String prefix) {
        lock.lock();
        try {
            if (ended || closed || timeline == null || renderings.isEmpty()) {
                return Optional.empty();
            }
            MultivariantPlaylist text =
                    new MultivariantPlaylist(
                            timeline,
                            shelf.peakBps(),
                            shelf.averageBps(),
                            measures.frameRate(),
                            settings.composited());
            return Optional.of(text.text(prefix + session() + "/media.m3u8"));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Optional<PlaylistText> mediaPlaylist(PlaylistKind kind) {
        lock.lock();
        try {
            return switch (kind) {
                case WINDOW, WINDOW_DELTA -> renderings.window(kind);
                case FULL -> fullPlaylist();
            };
        } finally {
            lock.unlock();
        }
    }

    @Override
    public CompletionStage<Boolean> whenAvailable(long mediaSequence, OptionalInt wanted) {
        // Where parts are not listed, a part is there when its segment is.
        OptionalInt part = settings.profile().listsParts() ? wanted : OptionalInt.empty();
        lock.lock();
        try {
            if (shelf.lists(mediaSequence, part)) {
                return CompletableFuture.completedFuture(!closed);
            }
            if (ended || closed) {
                return CompletableFuture.completedFuture(false);
            }
            if (shelf.isTooFar(mediaSequence, part, measures.partTargetUs())) {
                return CompletableFuture.failedFuture(
                        new IllegalArgumentException(
                                "media sequence %d part %s (the newest is %d)"
                                        .formatted(mediaSequence, part, shelf.newest())));
            }
            return waiters.add(mediaSequence, part);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Optional<MediaBody> initSegment(int number) {
        lock.lock();
        try {
            MediaBlock block = inits.get(number);
            return block == null
                    ? Optional.empty()
                    : Optional.of(new MediaBody.Blocks(List.of(block.retain())));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Optional<MediaBody> segment(long mediaSequence) {
        return locked(() -> shelf.body(mediaSequence));
    }

    @Override
    public Optional<MediaBody> part(long mediaSequence, int part) {
        return locked(() -> shelf.part(mediaSequence, part));
    }

    @Override
    public void close() {
        List<CompletableFuture<Boolean>> released;
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            shelf.clear();
            inits.values().forEach(MediaBlock::release);
            inits.clear();
            renderings.clear();
            released = waiters.takeAll();
        } finally {
            lock.unlock();
        }
        released.forEach(waiter -> waiter.complete(false));
    }

    /** Makes the playlists anew and wakes whoever waited for what they list now. */
    private void publish() {
        MediaPlaylist state;
        long next;
        lock.lock();
        try {
            state = state(shelf.listed());
            next = ++version;
        } finally {
            lock.unlock();
        }
        if (state != null) {
            PlaylistText window = SharedPlaylist.of(state.window(), next, memory);
            PlaylistText shorter =
                    settings.profile().listsParts()
                            ? SharedPlaylist.of(state.delta(), next, memory)
                            : null;
            show(window, shorter);
        }
        wake();
    }

    private void show(PlaylistText window, @Nullable PlaylistText shorter) {
        lock.lock();
        try {
            renderings.replace(window, shorter);
            if (closed) {
                renderings.clear();
            }
        } finally {
            lock.unlock();
        }
    }

    private void wake() {
        List<CompletableFuture<Boolean>> come;
        List<CompletableFuture<Boolean>> gone = new ArrayList<>();
        lock.lock();
        try {
            come = waiters.takeListed(shelf::lists);
            if (ended) {
                gone = waiters.takeAll();
            }
        } finally {
            lock.unlock();
        }
        come.forEach(waiter -> waiter.complete(true));
        gone.forEach(waiter -> waiter.complete(false));
    }

    @GuardedBy("lock")
    private @Nullable MediaPlaylist state(List<MediaSegment> segments) {
        if (closed || measures.targetDurationS() == 0) {
            return null;
        }
        return new MediaPlaylist(
                measures.targetDurationS(),
                measures.partTargetUs(),
                settings.profile().listsParts(),
                settings.composited(),
                segments,
                ended);
    }

    @GuardedBy("lock")
    private Optional<PlaylistText> fullPlaylist() {
        MediaPlaylist state = settings.recorded() ? state(shelf.all()) : null;
        long now = version;
        return state == null
                ? Optional.empty()
                : renderings.full(() -> SharedPlaylist.of(state.full(), now, memory));
    }

    @GuardedBy("lock")
    private void dropUnusedInits() {
        int oldest = shelf.oldestInit();
        inits.entrySet()
                .removeIf(
                        entry -> {
                            boolean unused = entry.getKey() < oldest;
                            if (unused) {
                                entry.getValue().release();
                            }
                            return unused;
                        });
    }

    private <T> T locked(Supplier<T> action) {
        lock.lock();
        try {
            return action.get();
        } finally {
            lock.unlock();
        }
    }
}
