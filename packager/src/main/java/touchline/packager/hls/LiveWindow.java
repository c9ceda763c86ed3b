package touchline.packager.hls;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import touchline.media.CodecConfig;
import touchline.media.SessionId;
import touchline.media.Timeline;

/**
 * The live window of one session: its segments, its playlists as they are now, and the requests
 * that wait for what comes next. The packager's thread writes, any thread reads; no call waits.
 *
 * <p>If parts are listed, memory holds the growing segment and the newest {@value
 * LiveSegments#IN_MEMORY} sealed ones; an older one stays there only until it is {@link #stored}.
 * If not, memory holds only what is not stored yet, part by part. A segment leaves the playlist
 * when the rest is at least a window long. It stays fetchable for one more window (RFC 8216,
 * 6.2.2), in a recorded session for ever. If nothing is stored, the window is limited to what fits
 * into memory.
 */
public final class LiveWindow implements LivePlayback {
    /** Maximum of sealed media in memory that could not be stored. */
    private static final long MAX_MEMORY_BYTES = 64L << 20;

    private final Settings settings;
    private final boolean listsParts;
    private final DvrPlaylist full;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final LiveSegments segments;

    private final WindowPlaylists playlists;
    private final SessionBeginning beginning;

    @GuardedBy("lock")
    private boolean closed;

    /** Of this source; set before the packager starts. */
    private volatile @Nullable LiveRenditions renditions;

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
        this.segments = new LiveSegments(settings, maxMemoryBytes);
        this.playlists = new WindowPlaylists(settings, memory, lock, segments);
        this.beginning = new SessionBeginning(settings, playlists, memory, this::renditions);
        this.full = new DvrPlaylist(first -> read(all -> all.snapshot(first)), memory, executor);
    }

    /**
     * Continues the window of a session after a planned stop of the server, or of another server.
     * With segments, its playlists are shown at once. Blocks: reads the init segments.
     *
     * @param settings with {@code firstMediaSequence} behind the stored segments
     * @throws IOException if an init segment cannot be read
     */
    public static LiveWindow resume(Settings settings, MediaMemory memory, StoredWindow stored)
            throws IOException {
        LiveWindow resumed = new LiveWindow(settings, memory);
        StoredInits inits = StoredInits.read(stored, memory);
        resumed.change(segments -> segments.resume(stored, inits));
        resumed.playlists.continues(stored);
        resumed.playlists.publish();
        return resumed;
    }

    public Settings settings() {
        return settings;
    }

    /** Makes this the source of renditions. Called before the packager starts. */
    void source(LiveRenditions all) {
        renditions = all;
    }

    /** Empty for a rendition, and for a source without any. */
    Optional<LiveRenditions> renditions() {
        return Optional.ofNullable(renditions);
    }

    /** What other servers have recorded of this session. */
    public SessionBeginning beginning() {
        return beginning;
    }

    /** What viewers see. */
    WindowPlaylists playlists() {
        return playlists;
    }

    /** What {@link #resume} needs; complete when all sealed segments are {@link #stored}. */
    public StoredWindow toStore() {
        return read(LiveSegments::toStore);
    }

    /** The server stops: the end of the packager does not end the playlists. */
    public void leaveOpen() {
        change(LiveSegments::leaveOpen);
        renditions().ifPresent(LiveRenditions::leaveOpen);
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

    @Override
    public OptionalLong awaited() {
        return playlists.awaited();
    }

    /** What stays constant within the session; empty until the first segment is sealed. */
    public Optional<StoredWindow.Targets> targets() {
        return read(LiveSegments::head).map(StoredWindow.Targets::of);
    }

    /** Presentation time of the session's first frame (or audio); empty before. */
    public OptionalLong zeroUs() {
        return read(all -> all.zero().us());
    }

    /** What the next server must know of the live playlist. */
    public StoredWindow.Newest newestPlaylist() {
        return read(LiveSegments::newestPlaylist);
    }

    /**
     * A new init segment; retained here.
     *
     * @param firstPtsUs presentation time of the first frame (or audio) that it decodes
     */
    public void begin(int initNumber, Timeline started, MediaBlock bytes, long firstPtsUs) {
        boolean _ = unlessClosed(all -> all.begin(initNumber, started, bytes, firstPtsUs));
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
        boolean added =
                unlessClosed(all -> all.add(part, initNumber, programDateTime, segmentIsDue));
        if (added && listsParts) {
            playlists.publish();
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
        change(segments -> segments.seal(playlists.head(targetS, partUs), framesPerSecond));
        playlists.publish();
    }

    /**
     * The next part follows a discontinuity: the encoder is away, or sends something new. No part
     * is hinted until it is there.
     */
    void discontinuity() {
        if (listsParts && read(LiveSegments::discontinuity)) {
            playlists.publish();
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
        playlists.publish();
    }

    /**
     * A sealed segment lies whole in a file. The file must stay until {@link #oldestKept} passes
     * the segment. Any thread.
     */
    public void stored(long mediaSequence, Path file, long offsetBytes) {
        change(segments -> segments.stored(mediaSequence, file, offsetBytes));
    }

    /**
     * A part lies in a file, behind those before it; the file must stay as long as that of a {@link
     * #stored} segment. Any thread.
     *
     * @param index of the part in its segment
     * @param offsetBytes of the segment in the file
     */
    public void partStored(long mediaSequence, int index, Path file, long offsetBytes) {
        change(segments -> segments.partStored(mediaSequence, index, file, offsetBytes));
    }

    @Override
    public Optional<String> multivariant(String prefix) {
        LiveRenditions all = renditions;
        return all == null ? sourceMultivariant(prefix) : all.multivariant(prefix + session());
    }

    @Override
    public Optional<String> sourceMultivariant(String prefix) {
        return playlists.variant().map(own -> own.text(prefix + session() + "/media.m3u8"));
    }

    @Override
    public Optional<LivePlayback> rendition(String name) {
        return renditions().flatMap(all -> all.playback(name));
    }

    @Override
    public CompletionStage<Optional<RenderedPlaylist>> mediaPlaylist(PlaylistKind kind) {
        if (kind != PlaylistKind.FULL) {
            return CompletableFuture.completedFuture(playlists.get(kind));
        }
        return settings.recorded()
                ? beginning.whenKnown(() -> full.text(read(LiveSegments::version)))
                : CompletableFuture.completedFuture(Optional.empty());
    }

    @Override
    public CompletionStage<Boolean> whenAvailable(long mediaSequence, OptionalInt wanted) {
        return playlists.whenAvailable(mediaSequence, wanted);
    }

    @Override
    public CompletionStage<Boolean> whenPart(long mediaSequence, int part) {
        return playlists.whenPart(mediaSequence, part);
    }

    @Override
    public Optional<MediaBody> initSegment(int number) {
        return read(all -> all.initSegment(number));
    }

    @Override
    public Optional<MediaBody> initSegment(int number, long run) {
        return playlists.isRun(run) ? initSegment(number) : Optional.empty();
    }

    @Override
    public Optional<MediaBody> segment(long mediaSequence) {
        return read(all -> all.body(mediaSequence));
    }

    @Override
    public CompletionStage<Optional<MediaBody>> whenSegment(long mediaSequence) {
        return beginning.segment(mediaSequence, () -> segment(mediaSequence));
    }

    @Override
    public Optional<MediaBody> part(long mediaSequence, int part) {
        return read(all -> all.part(mediaSequence, part));
    }

    @Override
    public Optional<FrameSource> frames() {
        OptionalLong zeroUs = zeroUs();
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
        } finally {
            lock.unlock();
        }
        full.close();
        playlists.close();
        beginning.close();
        renditions().ifPresent(LiveRenditions::close);
    }

    /** False if it is closed. */
    private boolean unlessClosed(Consumer<LiveSegments> work) {
        lock.lock();
        try {
            if (!closed) {
                work.accept(segments);
            }
            return !closed;
        } finally {
            lock.unlock();
        }
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
