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

    /** Takes over the references and releases those of the playlists shown before. */
    void show(RenderedPlaylist newWindow, @Nullable RenderedPlaylist newDelta) {
        replace(newWindow, newDelta);
        version = newWindow.version();
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

    boolean isEmpty() {
        return window == null;
    }

    /** Version of the playlists shown last. */
    long version() {
        return version;
    }
}
