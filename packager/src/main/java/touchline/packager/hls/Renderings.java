package touchline.packager.hls;

import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import touchline.packager.hls.LivePlayback.PlaylistKind;

/**
 * The renderings of a media playlist as it is now, each with one reference of its own. Not safe by
 * itself: guarded by the lock of its window.
 */
final class Renderings {
    private @Nullable PlaylistText window;
    private @Nullable PlaylistText delta;
    private @Nullable PlaylistText full;

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
    Optional<PlaylistText> window(PlaylistKind kind) {
        return retained(kind == PlaylistKind.WINDOW_DELTA && delta != null ? delta : window);
    }

    /**
     * With references for the caller.
     *
     * @param maker called where it has not been made since the last change: few rewind, and it may
     *     be long
     */
    Optional<PlaylistText> full(Supplier<PlaylistText> maker) {
        if (full == null) {
            full = maker.get();
        }
        return retained(full);
    }

    void clear() {
        window = released(window);
        delta = released(delta);
        full = released(full);
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
