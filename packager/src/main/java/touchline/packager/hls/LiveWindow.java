package touchline.packager.hls;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
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
public final class LiveWindow implements LivePlayback {
    /** Sealed segments that stay in memory although they are stored. */
    static final int IN_MEMORY = 2;

    /** Sealed media kept in memory for want of a disk, at most. */
    private static final long MAX_MEMORY_BYTES = 64L << 20;

    /** Never fewer segments than this, whatever their size. */
    private static final int MIN_SEGMENTS = 3;

    private final Settings settings;
    private final MediaMemory memory;
    private final DvrPlaylist full;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final LiveWindowContents contents;

    @GuardedBy("lock")
    private final BlockingRequests waiters = new BlockingRequests();

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

    public LiveWindow(Settings settings, MediaMemory memory) {
        this(
                settings,
                memory,
                MAX_MEMORY_BYTES,
                task -> Thread.ofVirtual().name("full-playlist-" + settings.session()).start(task));
    }

    /**
     * @param maxMemoryBytes sealed media kept in memory for want of a disk
     * @param executor renders the full playlist
     */
    LiveWindow(Settings settings, MediaMemory memory, long maxMemoryBytes, Executor executor) {
        this.settings = settings;
        this.memory = memory;
        long windowUs = settings.window().toNanos() / 1_000;
        LiveSegments shelf =
                new LiveSegments(
                        new LiveSegments.Limits(
                                windowUs,
                                settings.recorded(),
                                maxMemoryBytes,
                                MIN_SEGMENTS,
                                IN_MEMORY,
                                settings.profile().listsParts()),
                        settings.firstMediaSequence());
        this.contents = new LiveWindowContents(settings, shelf);
        this.full = new DvrPlaylist(this::since, memory, executor);
    }

    public Settings settings() {
        return settings;
    }

    /** The number the next segment gets: what the stream's next session may start with. */
    public long nextMediaSequence() {
        return locked(contents -> contents.shelf().nextMediaSequence());
    }

    /** Segments with smaller numbers are fetched no more: their files may go. */
    public long oldestKept() {
        return locked(contents -> contents.shelf().oldestKept());
    }

    @Override
    public SessionId session() {
        return settings.session();
    }

    // What the packager's thread says.

    /** A new init segment; retained here. */
    void begin(int initNumber, Timeline started, MediaBlock bytes) {
        change(contents -> contents.begin(initNumber, started, bytes));
    }

    /** When the session's first frame (or audio) is shown, before its first part. */
    void zero(long mediaUs) {
        change(contents -> contents.zero(mediaUs));
    }

    /**
     * A finished part of the growing segment; its bytes are retained here.
     *
     * @param initNumber what it is decoded with
     * @param programDateTime of the segment's start
     * @param segmentIsDue the next part probably starts the next segment
     */
    void add(
            PartSink.FinishedPart part,
            int initNumber,
            Instant programDateTime,
            boolean segmentIsDue) {
        boolean added =
                locked(contents -> contents.add(part, initNumber, programDateTime, segmentIsDue));
        if (added && settings.profile().listsParts()) {
            publish();
        }
    }

    /** The growing segment is complete. */
    void seal(SegmentStatistics now) {
        change(contents -> contents.seal(now));
        publish();
    }

    /** The session has ended: EXT-X-ENDLIST; everything stays until {@link #close}. */
    void end() {
        change(LiveWindowContents::end);
        publish();
    }

    /**
     * A sealed segment's bytes lie whole in a file, and stay there at least until {@link
     * #oldestKept} passes it. Any thread.
     */
    public void stored(long mediaSequence, Path file, long offsetBytes) {
        change(contents -> contents.shelf().stored(mediaSequence, file, offsetBytes));
    }

    // What viewers ask.

    @Override
    public Optional<String> multivariant(String prefix) {
        return locked(LiveWindowContents::multivariant)
                .map(text -> text.text(prefix + session() + "/media.m3u8"));
    }

    @Override
    public CompletionStage<Optional<RenderedPlaylist>> mediaPlaylist(PlaylistKind kind) {
        return switch (kind) {
            case WINDOW ->
                    CompletableFuture.completedFuture(
                            locked(contents -> contents.renderings().window()));
            case WINDOW_DELTA ->
                    CompletableFuture.completedFuture(
                            locked(contents -> contents.renderings().delta()));
            case FULL ->
                    settings.recorded()
                            ? full.text(locked(LiveWindowContents::version))
                            : CompletableFuture.completedFuture(Optional.empty());
        };
    }

    @Override
    public CompletionStage<Boolean> whenAvailable(long mediaSequence, OptionalInt wanted) {
        // Where parts are not listed, a part is there when its segment is.
        OptionalInt part = settings.profile().listsParts() ? wanted : OptionalInt.empty();
        return when(new BlockingRequests.BlockingRequest(mediaSequence, part, /* exact= */ false));
    }

    @Override
    public CompletionStage<Boolean> whenPart(long mediaSequence, int part) {
        return when(
                new BlockingRequests.BlockingRequest(
                        mediaSequence, OptionalInt.of(part), /* exact= */ true));
    }

    private CompletionStage<Boolean> when(BlockingRequests.BlockingRequest request) {
        lock.lock();
        try {
            BlockingRequests.RequestState fate = contents.fate(request);
            if (fate != BlockingRequests.RequestState.OPEN) {
                return CompletableFuture.completedFuture(
                        fate == BlockingRequests.RequestState.THERE);
            }
            if (contents.isTooFar(request)) {
                return CompletableFuture.failedFuture(
                        new IllegalArgumentException(
                                "%s (the newest segment: %d)"
                                        .formatted(request, contents.shelf().newest())));
            }
            return waiters.add(contents.normal(request));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Optional<MediaBody> initSegment(int number) {
        return locked(contents -> contents.initSegment(number));
    }

    @Override
    public Optional<MediaBody> segment(long mediaSequence) {
        return locked(contents -> contents.shelf().body(mediaSequence));
    }

    @Override
    public Optional<MediaBody> part(long mediaSequence, int part) {
        return locked(contents -> contents.shelf().part(mediaSequence, part));
    }

    @Override
    public Optional<FrameSource> frames() {
        OptionalLong zeroUs = locked(LiveWindowContents::zeroUs);
        return zeroUs.isPresent()
                ? Optional.of(new WindowFrames(this, zeroUs.getAsLong()))
                : Optional.empty();
    }

    /** The newest kept segment that starts at a time or before it, growing or not. */
    Optional<MediaSegment> startingBy(long mediaUs) {
        return locked(contents -> contents.shelf().startingBy(mediaUs));
    }

    /** What there is of a segment, growing or not. */
    Optional<MediaBody> soFar(long mediaSequence) {
        return locked(contents -> contents.shelf().soFar(mediaSequence));
    }

    @Override
    public void close() {
        if (locked(LiveWindowContents::close)) {
            full.close();
            wake();
        }
    }

    /** Makes the playlists anew and wakes whoever waited for what they list now. */
    private void publish() {
        DvrPlaylist.Snapshot listed = locked(LiveWindowContents::listed).orElse(null);
        if (listed != null) {
            MediaPlaylist playlist = listed.playlist();
            RenderedPlaylist window =
                    PlaylistEncoder.of(playlist.window(), listed.version(), memory);
            RenderedPlaylist shorter =
                    settings.profile().listsParts()
                            ? PlaylistEncoder.of(playlist.delta(), listed.version(), memory)
                            : null;
            change(contents -> contents.show(window, shorter));
        }
        wake();
    }

    private void wake() {
        List<BlockingRequests.Completion> told;
        lock.lock();
        try {
            LiveWindowContents now = contents;
            told = waiters.take(now::fate);
        } finally {
            lock.unlock();
        }
        told.forEach(BlockingRequests.Completion::tell);
    }

    /** For the full playlist; any thread. */
    private Optional<DvrPlaylist.Snapshot> since(long mediaSequence) {
        return locked(contents -> contents.since(mediaSequence));
    }

    private void change(Consumer<LiveWindowContents> action) {
        lock.lock();
        try {
            action.accept(contents);
        } finally {
            lock.unlock();
        }
    }

    private <T> T locked(Function<LiveWindowContents, T> action) {
        lock.lock();
        try {
            return action.apply(contents);
        } finally {
            lock.unlock();
        }
    }
}
