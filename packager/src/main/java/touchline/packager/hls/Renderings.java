package touchline.packager.hls;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The renderings of the live window as it is now, each with one reference of its own. Not safe by
 * itself: guarded by the lock of its window.
 */
final class Renderings {
    private @Nullable PlaylistText window;
    private @Nullable PlaylistText delta;

    /** Takes over the references; without a delta the whole playlist is served in its place. */
    void replace(PlaylistText newWindow, @Nullable PlaylistText newDelta) {
        clear();
        window = newWindow;
        delta = newDelta;
    }

    boolean isEmpty() {
        return window == null;
    }

    /** With references for the caller. */
    Optional<PlaylistText> window() {
        return retained(window);
    }

    /** With references for the caller. */
    Optional<PlaylistText> delta() {
        return retained(delta != null ? delta : window);
    }

    void clear() {
        window = released(window);
        delta = released(delta);
    }

    private static Optional<PlaylistText> retained(@Nullable PlaylistText text) {
        if (text != null) {
            SharedPlaylist.retain(text);
        }
        return Optional.ofNullable(text);
    }

    private static @Nullable PlaylistText released(@Nullable PlaylistText text) {
        if (text != null) {
            SharedPlaylist.release(text);
        }
        return null;
    }
}
