package touchline.packager.hls;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The playlist from the session's start. It is requested seldom and may be long. So it is rendered
 * on request, once per change, by a task of its own; lines that no longer change are kept from the
 * last time. Any thread; no call waits.
 */
final class DvrPlaylist {
    private static final long UNKNOWN = -1;

    private final Source source;
    private final MediaMemory memory;
    private final Executor executor;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final List<CompletableFuture<Optional<RenderedPlaylist>>> waiting = new ArrayList<>();

    @GuardedBy("lock")
    private @Nullable RenderedPlaylist shown;

    @GuardedBy("lock")
    private boolean rendering;

    @GuardedBy("lock")
    private boolean closed;

    // State of the rendering task, which runs once at a time.

    private final StringBuilder kept = new StringBuilder();
    private long firstSequence = UNKNOWN;
    private long nextSequence;
    private int init = MediaPlaylist.NO_INIT;

    /** Supplies the session's current segments; called by the rendering task. */
    @FunctionalInterface
    interface Source {
        /**
         * @param mediaSequence the first segment
         * @return empty if there is no playlist (any more)
         */
        Optional<Snapshot> since(long mediaSequence);
    }

    /**
     * @param playlist of the requested segments
     * @param oldest number of the session's first segment
     * @param version of the session's playlists
     */
    record Snapshot(MediaPlaylist playlist, long oldest, long version) {}

    /**
     * @param executor runs the rendering, one task at a time
     */
    DvrPlaylist(Source source, MediaMemory memory, Executor executor) {
        this.source = source;
        this.memory = memory;
        this.executor = executor;
    }

    /**
     * The playlist of this version or a newer one, with references for the caller; complete at once
     * if it was rendered before. Empty after the close.
     */
    CompletionStage<Optional<RenderedPlaylist>> text(long version) {
        CompletableFuture<Optional<RenderedPlaylist>> result = new CompletableFuture<>();
        lock.lock();
        try {
            RenderedPlaylist made = shown;
            if (closed) {
                result.complete(Optional.empty());
                return result;
            }
            if (made != null && made.version() >= version) {
                result.complete(Optional.of(made.retain()));
                return result;
            }
            waiting.add(result);
            if (rendering) {
                return result;
            }
            rendering = true;
        } finally {
            lock.unlock();
        }
        try {
            executor.execute(this::renderAll);
        } catch (RuntimeException e) {
            fail(e);
        }
        return result;
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            show(null);
        } finally {
            lock.unlock();
        }
    }

    private void renderAll() {
        try {
            List<CompletableFuture<Optional<RenderedPlaylist>>> asked = takeWaiting();
            while (!asked.isEmpty()) {
                answer(asked, render());
                asked = takeWaiting();
            }
        } catch (RuntimeException | Error e) {
            // Lines may be half written: the next rendering starts from scratch.
            firstSequence = UNKNOWN;
            fail(e);
            throw e;
        }
    }

    /** Empty if the task may end. */
    private List<CompletableFuture<Optional<RenderedPlaylist>>> takeWaiting() {
        lock.lock();
        try {
            List<CompletableFuture<Optional<RenderedPlaylist>>> asked = List.copyOf(waiting);
            rendering = !asked.isEmpty();
            return asked;
        } finally {
            lock.unlock();
        }
    }

    private Optional<RenderedPlaylist> render() {
        Snapshot snapshot = source.since(nextSequence).orElse(null);
        if (snapshot != null && snapshot.oldest() != firstSequence) {
            // The first time, after a failure, or after unstored segments were dropped.
            kept.setLength(0);
            init = MediaPlaylist.NO_INIT;
            firstSequence = snapshot.oldest();
            nextSequence = firstSequence;
            snapshot = source.since(nextSequence).orElse(null);
        }
        return snapshot == null
                ? Optional.empty()
                : Optional.of(
                        RenderedPlaylist.of(
                                text(snapshot),
                                snapshot.version(),
                                snapshot.playlist().end(),
                                memory));
    }

    private String text(Snapshot snapshot) {
        MediaPlaylist playlist = snapshot.playlist();
        if (kept.isEmpty()) {
            playlist.appendHead(kept, MediaPlaylist.Type.EVENT);
        }
        int old = playlist.withoutParts();
        init = playlist.appendSegments(kept, 0, old, init);
        nextSequence += old;
        int keptChars = kept.length();
        playlist.appendSegments(kept, old, playlist.segments().size(), init);
        playlist.appendEnd(kept);
        String text = kept.toString();
        kept.setLength(keptChars);
        return text;
    }

    private void answer(
            List<CompletableFuture<Optional<RenderedPlaylist>>> asked,
            Optional<RenderedPlaylist> made) {
        Optional<RenderedPlaylist> answer = made;
        lock.lock();
        try {
            waiting.subList(0, asked.size()).clear();
            show(made.orElse(null));
            if (shown == null) {
                answer = Optional.empty();
            }
            for (int i = 0; i < asked.size(); i++) {
                answer.ifPresent(RenderedPlaylist::retain);
            }
        } finally {
            lock.unlock();
        }
        for (CompletableFuture<Optional<RenderedPlaylist>> each : asked) {
            if (!each.complete(answer)) {
                answer.ifPresent(RenderedPlaylist::release);
            }
        }
    }

    /** Takes over one reference. */
    @GuardedBy("lock")
    private void show(@Nullable RenderedPlaylist text) {
        RenderedPlaylist before = shown;
        shown = closed ? null : text;
        if (closed && text != null) {
            text.release();
        }
        if (before != null) {
            before.release();
        }
    }

    private void fail(Throwable failure) {
        List<CompletableFuture<Optional<RenderedPlaylist>>> failed;
        lock.lock();
        try {
            failed = List.copyOf(waiting);
            waiting.clear();
            rendering = false;
        } finally {
            lock.unlock();
        }
        failed.forEach(each -> each.completeExceptionally(failure));
    }
}
