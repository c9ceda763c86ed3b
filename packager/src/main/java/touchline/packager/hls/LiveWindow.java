package touchline.packager.hls;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
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
import touchline.media.CodecConfig;
import touchline.media.SessionId;
import touchline.media.Timeline;
import touchline.packager.hls.BlockingRequests.BlockingRequest;

/**
 * The live window of one session: its segments, its playlists as they are now, and the requests
 * that wait for what comes next. The packager's thread writes, any thread reads; no call waits.
 *
 * <p>Memory holds the growing segment and the newest {@value LiveSegments#IN_MEMORY} sealed ones;
 * an older one stays there only until it is {@link #stored}. A segment leaves the playlist when the
 * rest is at least a window long. It stays fetchable for one more window (RFC 8216, 6.2.2), in a
 * recorded session for ever. If nothing is stored, the window is limited to what fits into memory.
 */
public final class LiveWindow implements LivePlayback {
    /** Maximum of sealed media in memory that could not be stored. */
    private static final long MAX_MEMORY_BYTES = 64L << 20;

    private final Settings settings;
    private final boolean listsParts;
    private final MediaMemory memory;
    private final DvrPlaylist full;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final LiveSegments segments;

    @GuardedBy("lock")
    private final BlockingRequests requests;

    @GuardedBy("lock")
    private final ShownPlaylists shown = new ShownPlaylists();

    @GuardedBy("lock")
    private boolean closed;

    /**
     * @param session whose window this is
     * @param profile how long its parts and segments are
     * @param window media that stays listed
     * @param firstMediaSequence number of the first segment, at least 0; above every number in
     *     earlier playlists of this stream
     * @param recorded segments stay for ever, and {@link LivePlayback.PlaylistKind#FULL} is served
     * @param composited every segment starts with a key frame, except after a gap in the source
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

    /** With another limit, and another executor for the full playlist. */
    LiveWindow(Settings settings, MediaMemory memory, long maxMemoryBytes, Executor executor) {
        this.settings = settings;
        this.listsParts = settings.profile().listsParts();
        this.memory = memory;
        this.segments = new LiveSegments(settings, maxMemoryBytes);
        this.requests = new BlockingRequests(segments, listsParts);
        this.full = new DvrPlaylist(first -> read(all -> all.snapshot(first)), memory, executor);
    }

    /**
     * Continues the window of a session after a planned stop of the server. Its playlists are shown
     * at once. Blocks: reads the init segments.
     *
     * @param settings with {@code firstMediaSequence} behind the stored segments
     * @throws IOException if an init segment cannot be read
     */
    public static LiveWindow resume(Settings settings, MediaMemory memory, StoredWindow stored)
            throws IOException {
        LiveWindow resumed = new LiveWindow(settings, memory);
        StoredInits inits = StoredInits.read(stored, memory);
        resumed.change(segments -> segments.resume(stored, inits));
        resumed.publish();
        return resumed;
    }

    public Settings settings() {
        return settings;
    }

    /** What {@link #resume} needs; complete when all sealed segments are {@link #stored}. */
    public StoredWindow toStore() {
        return read(LiveSegments::toStore);
    }

    /** The server stops: the end of the packager does not end the playlists. */
    public void leaveOpen() {
        change(LiveSegments::leaveOpen);
    }

    /** Of the newest init segment with video, also of before a stop of the server. */
    Optional<CodecConfig> videoConfig() {
        return read(LiveSegments::videoConfig);
    }

    /** Number of the next segment; the stream's next session may start with it. */
    public long nextMediaSequence() {
        return read(LiveSegments::nextMediaSequence);
    }

    /** Segments with smaller numbers are no longer served: their files may be deleted. */
    public long oldestKept() {
        return read(LiveSegments::oldestKept);
    }

    @Override
    public SessionId session() {
        return settings.session();
    }

    /**
     * A new init segment; retained here.
     *
     * @param firstPtsUs presentation time of the first frame (or audio) that it decodes
     */
    public void begin(int initNumber, Timeline started, MediaBlock bytes, long firstPtsUs) {
        lock.lock();
        try {
            if (!closed) {
                segments.begin(initNumber, started, bytes, firstPtsUs);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * A finished part of the growing segment; its bytes are retained here.
     *
     * @param initNumber of the init segment that decodes it
     * @param programDateTime of the segment's start
     * @param segmentIsDue the next part probably starts the next segment
     */
    void add(
            PartSink.FinishedPart part,
            int initNumber,
            Instant programDateTime,
            boolean segmentIsDue) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            segments.add(part, initNumber, programDateTime, segmentIsDue);
        } finally {
            lock.unlock();
        }
        if (listsParts) {
            publish();
        }
    }

    /**
     * Completes the growing segment.
     *
     * @param targetS EXT-X-TARGETDURATION; constant within a session
     * @param partUs PART-TARGET; constant within a session
     * @param framesPerSecond in this segment; 0 without video
     */
    void seal(int targetS, long partUs, double framesPerSecond) {
        var head = new MediaPlaylist.Head(targetS, partUs, listsParts, settings.composited());
        change(segments -> segments.seal(head, framesPerSecond));
        publish();
    }

    /**
     * The next part follows a discontinuity: the encoder is away, or sends something new. No part
     * is hinted until it is there.
     */
    void discontinuity() {
        if (listsParts && read(LiveSegments::discontinuity)) {
            publish();
        }
    }

    /** The video carries closed captions. */
    void captionsSeen() {
        change(LiveSegments::captionsSeen);
    }

    /**
     * The session has ended: EXT-X-ENDLIST, unless the window is left open. Everything stays until
     * {@link #close}.
     */
    void end() {
        change(LiveSegments::end);
        publish();
    }

    /**
     * A sealed segment lies whole in a file. The file must stay until {@link #oldestKept} passes
     * the segment. Any thread.
     */
    public void stored(long mediaSequence, Path file, long offsetBytes) {
        change(segments -> segments.stored(mediaSequence, file, offsetBytes));
    }

    @Override
    public Optional<String> multivariant(String prefix) {
        Optional<MultivariantPlaylist> playlist;
        lock.lock();
        try {
            // Viewers must find the media playlist that this one names.
            playlist = shown.isEmpty() ? Optional.empty() : segments.multivariant();
        } finally {
            lock.unlock();
        }
        return playlist.map(text -> text.text(prefix + session() + "/media.m3u8"));
    }

    @Override
    public CompletionStage<Optional<RenderedPlaylist>> mediaPlaylist(PlaylistKind kind) {
        long current;
        lock.lock();
        try {
            if (kind != PlaylistKind.FULL) {
                return CompletableFuture.completedFuture(shown.get(kind));
            }
            current = segments.version();
        } finally {
            lock.unlock();
        }
        return settings.recorded()
                ? full.text(current)
                : CompletableFuture.completedFuture(Optional.empty());
    }

    @Override
    public CompletionStage<Boolean> whenAvailable(long mediaSequence, OptionalInt wanted) {
        // If parts are not listed, a part is available when its segment is.
        OptionalInt part = listsParts ? wanted : OptionalInt.empty();
        return when(new BlockingRequest(mediaSequence, part, /* exact= */ false));
    }

    @Override
    public CompletionStage<Boolean> whenPart(long mediaSequence, int part) {
        return when(new BlockingRequest(mediaSequence, OptionalInt.of(part), /* exact= */ true));
    }

    private CompletionStage<Boolean> when(BlockingRequest request) {
        lock.lock();
        try {
            return requests.when(request, progress());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Optional<MediaBody> initSegment(int number) {
        return read(all -> all.initSegment(number));
    }

    @Override
    public Optional<MediaBody> segment(long mediaSequence) {
        return read(all -> all.body(mediaSequence));
    }

    @Override
    public Optional<MediaBody> part(long mediaSequence, int part) {
        return read(all -> all.part(mediaSequence, part));
    }

    @Override
    public Optional<FrameSource> frames() {
        OptionalLong zeroUs = read(LiveSegments::zeroUs);
        return zeroUs.isPresent()
                ? Optional.of(new WindowFrames(this, zeroUs.getAsLong()))
                : Optional.empty();
    }

    /** The newest kept segment that starts at a time or before it, growing or not. */
    Optional<MediaSegment> startingBy(long mediaUs) {
        return read(all -> all.startingBy(mediaUs));
    }

    /** The bytes of a segment so far, growing or not. */
    Optional<MediaBody> soFar(long mediaSequence) {
        return read(all -> all.soFar(mediaSequence));
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            segments.clear();
            shown.clear();
        } finally {
            lock.unlock();
        }
        full.close();
        wake();
    }

    /** Renders the playlists without the lock, shows them and answers waiting requests. */
    private void publish() {
        DvrPlaylist.Snapshot listed = read(LiveSegments::listed).orElse(null);
        if (listed != null) {
            MediaPlaylist playlist = listed.playlist();
            RenderedPlaylist whole = render(playlist.window(), listed);
            RenderedPlaylist shorter = listsParts ? render(playlist.delta(), listed) : null;
            lock.lock();
            try {
                shown.show(whole, shorter);
                if (closed) {
                    shown.clear();
                }
            } finally {
                lock.unlock();
            }
        }
        wake();
    }

    private RenderedPlaylist render(String text, DvrPlaylist.Snapshot listed) {
        return RenderedPlaylist.of(text, listed.version(), listed.playlist().end(), memory);
    }

    private void wake() {
        List<BlockingRequests.Completion> answers;
        lock.lock();
        try {
            answers = requests.take(progress());
        } finally {
            lock.unlock();
        }
        answers.forEach(BlockingRequests.Completion::complete);
    }

    @GuardedBy("lock")
    private BlockingRequests.Progress progress() {
        Optional<MediaPlaylist.Head> head = segments.head();
        long partUs = head.map(MediaPlaylist.Head::partTargetUs).orElse(0L);
        return new BlockingRequests.Progress(
                closed,
                segments.isEnded(),
                head.isPresent() && shown.version() < segments.version(),
                partUs == 0 ? settings.profile().partTargetUs() : partUs);
    }

    private void change(Consumer<LiveSegments> work) {
        lock.lock();
        try {
            work.accept(segments);
        } finally {
            lock.unlock();
        }
    }

    private <T> T read(Function<LiveSegments, T> question) {
        lock.lock();
        try {
            return question.apply(segments);
        } finally {
            lock.unlock();
        }
    }
}
