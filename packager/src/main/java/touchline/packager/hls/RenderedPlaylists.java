package touchline.packager.hls;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The renderings of the live window as it is now, each with one reference of its own. Not safe by
 * itself: guarded by the lock of its window.
 */
final class RenderedPlaylists {
    private @Nullable RenderedPlaylist window;
    private @Nullable RenderedPlaylist delta;

    /** Takes over the references; without a delta the whole playlist is served in its place. */
    void replace(RenderedPlaylist newWindow, @Nullable RenderedPlaylist newDelta) {
        clear();
        window = newWindow;
        delta = newDelta;
    }

    boolean isEmpty() {
        return window == null;
    }

    /** With references for the caller. */
    Optional<RenderedPlaylist> window() {
        return retained(window);
    }

    /** With references for the caller. */
    Optional<RenderedPlaylist> delta() {
        return retained(delta != null ? delta : window);
    }

    void clear() {
        window = released(window);
        delta = released(delta);
    }

    private static Optional<RenderedPlaylist> retained(@Nullable RenderedPlaylist text) {
        if (text != null) {
            PlaylistEncoder.retain(text);
        }
        return Optional.ofNullable(text);
    }

    private static @Nullable RenderedPlaylist released(@Nullable RenderedPlaylist text) {
        if (text != null) {
            PlaylistEncoder.release(text);
        }
        return null;
    }
}
