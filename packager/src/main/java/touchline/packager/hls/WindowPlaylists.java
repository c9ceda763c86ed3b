package touchline.packager.hls;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import touchline.packager.hls.BlockingRequests.BlockingRequest;

/**
 * Renders the playlists of a window, shows them, and answers the requests that wait for them. The
 * packager's thread publishes, any thread reads.
 */
final class WindowPlaylists {
    /** Of the versions of one rendition's playlists: 48 days of four parts a second. */
    private static final int VERSION_BITS = 24;

    private final LiveWindow.Settings settings;
    private final MediaMemory memory;
    private final ReentrantLock lock;

    @GuardedBy("lock")
    private final LiveSegments segments;

    @GuardedBy("lock")
    private final BlockingRequests requests;

    @GuardedBy("lock")
    private final ShownPlaylists shown = new ShownPlaylists();

    @GuardedBy("lock")
    private boolean closed;

    private volatile Supplier<String> reports = () -> "";
    private volatile String initSuffix = "";
    private volatile DiscontinuityNumbers discontinuities = DiscontinuityNumbers.ALL;

    /** Whose discontinuities these count; null for their own. */
    private volatile @Nullable WindowPlaylists numbering;

    private volatile LeftOutNumbers leftOut = LeftOutNumbers.NONE;

    /** The session had playlists before this window, none of whose segments are here. */
    private volatile boolean startsAnew;

    /**
     * @param lock of the window; guards the segments too
     */
    WindowPlaylists(
            LiveWindow.Settings settings,
            MediaMemory memory,
            ReentrantLock lock,
            LiveSegments segments) {
        this.settings = settings;
        this.memory = memory;
        this.lock = lock;
        this.segments = segments;
        this.requests = new BlockingRequests(segments, settings.profile().listsParts());
    }

    /**
     * @param others EXT-X-RENDITION-REPORT lines of the other renditions; called for each rendering
     */
    void reporting(Supplier<String> others) {
        reports = others;
    }

    /**
     * These are playlists of a rendition. Their versions and the addresses of init segments are not
     * those of an earlier window with the same address.
     */
    void ofRendition() {
        lock.lock();
        try {
            initSuffix = "." + settings.firstMediaSequence();
            segments.startVersions(settings.firstMediaSequence() << VERSION_BITS);
        } finally {
            lock.unlock();
        }
    }

    /** These continue earlier ones. Called before the packager starts. */
    void continues(StoredWindow stored) {
        discontinuities = DiscontinuityNumbers.of(stored.skippedInits());
        startsAnew = stored.isEmpty();
        leftOut = stored.leftOutBefore(settings.firstMediaSequence());
    }

    /** These are playlists of a rendition that starts with the same segment as its source. */
    void startsWith(WindowPlaylists source) {
        startsAnew = source.startsAnew;
        leftOut = source.leftOut;
    }

    /** Init segments of a rendition have its source's numbers. */
    void numberedLike(WindowPlaylists source) {
        numbering = source;
    }

    /** See {@link LivePlayback#awaited}. */
    OptionalLong awaited() {
        return startsAnew && end().isEmpty()
                ? OptionalLong.of(settings.firstMediaSequence())
                : OptionalLong.empty();
    }

    /**
     * Earlier servers have stored what comes before; takes over the references of the inits. False
     * if it is closed.
     *
     * @param live also in the live playlist, if none is shown yet
     */
    boolean precededBy(EarlierSegments earlier, Map<Integer, MediaBlock> inits, boolean live) {
        lock.lock();
        try {
            if (closed) {
                inits.values().forEach(MediaBlock::release);
            } else {
                discontinuities = segments.precededBy(earlier, inits, discontinuities, live);
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /** See {@link SessionBeginning#endsAt}. */
    void startAt(long positionUs) {
        lock.lock();
        try {
            segments.zero().startsAt(positionUs);
        } finally {
            lock.unlock();
        }
    }

    /** Whether init segments have this number behind their own. */
    boolean isRun(long first) {
        return !initSuffix.isEmpty() && first == settings.firstMediaSequence();
    }

    MediaPlaylist.Head head(int targetDurationS, long partTargetUs) {
        return new MediaPlaylist.Head(
                targetDurationS,
                partTargetUs,
                settings.profile().listsParts(),
                settings.composited(),
                initSuffix,
                discontinuities(),
                settings.profile().leastPartHoldBackUs());
    }

    DiscontinuityNumbers discontinuities() {
        WindowPlaylists other = numbering;
        return other == null ? discontinuities : other.discontinuities();
    }

    /** Renders the playlists without the lock, shows them and answers waiting requests. */
    void publish() {
        DvrPlaylist.Snapshot listed = listed().orElse(null);
        if (listed != null) {
            var rendered = ShownPlaylists.Rendered.of(listed, leftOut, reports.get(), memory);
            lock.lock();
            try {
                shown.show(rendered);
                if (closed) {
                    shown.clear();
                }
            } finally {
                lock.unlock();
            }
        }
        wake();
    }

    private Optional<DvrPlaylist.Snapshot> listed() {
        lock.lock();
        try {
            return segments.listed();
        } finally {
            lock.unlock();
        }
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

    /** See {@link LivePlayback#whenAvailable}. */
    CompletionStage<Boolean> whenAvailable(long mediaSequence, OptionalInt wanted) {
        // If parts are not listed, a part is available when its segment is.
        OptionalInt part = settings.profile().listsParts() ? wanted : OptionalInt.empty();
        return when(new BlockingRequest(mediaSequence, part, /* exact= */ false));
    }

    /** See {@link LivePlayback#whenPart}. */
    CompletionStage<Boolean> whenPart(long mediaSequence, int part) {
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

    @GuardedBy("lock")
    private BlockingRequests.Progress progress() {
        return requests.progress(closed, shown.version(), settings.profile().partTargetUs());
    }

    /** With a reference for the caller; empty while nothing is shown. */
    Optional<RenderedPlaylist> get(LivePlayback.PlaylistKind kind) {
        lock.lock();
        try {
            return shown.get(kind);
        } finally {
            lock.unlock();
        }
    }

    /** What is listed last; empty while nothing is shown. */
    Optional<PlaylistEnd> end() {
        lock.lock();
        try {
            return shown.end();
        } finally {
            lock.unlock();
        }
    }

    /** The window as a variant; empty before its first playlist and after the session's end. */
    Optional<MultivariantPlaylist> variant() {
        lock.lock();
        try {
            // Viewers must find the media playlist that this one names.
            return shown.isEmpty() ? Optional.empty() : segments.multivariant();
        } finally {
            lock.unlock();
        }
    }

    /** Nothing is shown from now on; waiting requests are answered. */
    void close() {
        lock.lock();
        try {
            closed = true;
            shown.clear();
        } finally {
            lock.unlock();
        }
        wake();
    }
}
