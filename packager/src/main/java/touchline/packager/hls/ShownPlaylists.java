package touchline.packager.hls;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The playlists of a window as they are now. Owns a reference to each; guarded by its window. */
final class ShownPlaylists {
    private @Nullable RenderedPlaylist window;

    /** Absent without low latency: the window is served in its place. */
    private @Nullable RenderedPlaylist delta;

    private long version;

    /** Takes over the references and releases those of the playlists shown before. */
    void show(
            @Nullable RenderedPlaylist newWindow,
            @Nullable RenderedPlaylist newDelta,
            long newVersion) {
        clear();
        window = newWindow;
        delta = newDelta;
        version = newVersion;
    }

    void clear() {
        if (window != null) {
            window.release();
            window = null;
        }
        if (delta != null) {
            delta.release();
            delta = null;
        }
    }

    boolean isEmpty() {
        return window == null;
    }

    /** Of the playlists shown last. */
    long version() {
        return version;
    }

    /** With a reference for the caller. */
    Optional<RenderedPlaylist> get(boolean wantsDelta) {
        RenderedPlaylist now = wantsDelta && delta != null ? delta : window;
        return Optional.ofNullable(now).map(RenderedPlaylist::retain);
    }
}
