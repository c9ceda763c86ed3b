package touchline.packager.hls;

import java.util.HashSet;
import java.util.Set;
import touchline.media.AccessUnit;

/**
 * Makes repeated frames, and finds them again in parts: a rendition has no units for them and
 * repeats its own key frame. The packager's thread.
 */
final class RepeatedFrames {
    private final Set<Long> unpublished = new HashSet<>();

    /** As {@link RepeatedFrame#of}. */
    AccessUnit of(AccessUnit keyFrame, long dtsTicks) {
        unpublished.add(dtsTicks);
        return RepeatedFrame.of(keyFrame, dtsTicks);
    }

    /** Whether a unit of a published part is a repeated frame; each is asked once. */
    boolean remove(AccessUnit unit) {
        return !unpublished.isEmpty() && unpublished.remove(unit.dtsTicks());
    }

    /** No frame is being repeated. */
    void clear() {
        unpublished.clear();
    }
}
