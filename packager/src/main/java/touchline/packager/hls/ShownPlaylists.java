package touchline.packager.hls;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The window's playlists as viewers get them. Owns one reference to each block. Not thread-safe:
 * guarded by its window's lock.
 */
final class ShownPlaylists {
    private @Nullable RenderedPlaylist window;

    /** Absent without low latency: {@link #window} is served in its place. */
    private @Nullable RenderedPlaylist delta;

    private long version;

    /**
     * The playlists of one moment, with one reference to each block.
     *
     * @param delta null without low latency
     */
    record Rendered(RenderedPlaylist window, @Nullable RenderedPlaylist delta) {
        /**
         * @param listed what the window lists
         * @param leftOut before its first segment
         * @param reports EXT-X-RENDITION-REPORT lines of the other renditions
         */
        static Rendered of(
                DvrPlaylist.Snapshot listed,
                LeftOutNumbers leftOut,
                String reports,
                MediaMemory memory) {
            MediaPlaylist playlist = listed.playlist();
            return new Rendered(
                    of(playlist.window(leftOut, reports), listed, memory),
                    playlist.head().listsParts()
                            ? of(playlist.delta(leftOut, reports), listed, memory)
                            : null);
        }

        private static RenderedPlaylist of(
                String text, DvrPlaylist.Snapshot listed, MediaMemory memory) {
            return RenderedPlaylist.of(text, listed.version(), listed.playlist().end(), memory);
        }
    }

    /** Takes over the references and releases those of the playlists shown before. */
    void show(Rendered rendered) {
        replace(rendered.window(), rendered.delta());
        version = rendered.window().version();
    }

    void clear() {
        replace(null, null);
    }

    private void replace(
            @Nullable RenderedPlaylist newWindow, @Nullable RenderedPlaylist newDelta) {
        if (window != null) {
            window.release();
        }
        if (delta != null) {
            delta.release();
        }
        window = newWindow;
        delta = newDelta;
    }

    /** With a reference for the caller; empty while nothing is shown. */
    Optional<RenderedPlaylist> get(LivePlayback.PlaylistKind kind) {
        boolean skips = kind == LivePlayback.PlaylistKind.WINDOW_DELTA && delta != null;
        return Optional.ofNullable(skips ? delta : window).map(RenderedPlaylist::retain);
    }

    /** What they list last; empty while nothing is shown. */
    Optional<PlaylistEnd> end() {
        return Optional.ofNullable(window).map(RenderedPlaylist::end);
    }

    boolean isEmpty() {
        return window == null;
    }

    /** Version of the playlists shown last. */
    long version() {
        return version;
    }
}
