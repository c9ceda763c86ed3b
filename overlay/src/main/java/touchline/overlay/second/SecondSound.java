package touchline.overlay.second;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where the second stream's sound waits for the mix, in the form that the mix has now. The
 * compositing thread says which that is, the second stream's thread writes.
 */
final class SecondSound {
    // Replaced as a whole: a writer that still holds the one before writes for nobody.
    private volatile @Nullable SoundRing ring;

    /** The mix has this form from now on. */
    SoundRing format(int rateHz, int channels) {
        SoundRing current = ring;
        if (current == null || current.rateHz() != rateHz || current.channels() != channels) {
            current = new SoundRing(rateHz, channels);
            ring = current;
        }
        return current;
    }

    /** Empty before the main sound is known. */
    Optional<SoundRing> ring() {
        return Optional.ofNullable(ring);
    }

    /** The second stream's clock begins anew. */
    void restarted() {
        ring().ifPresent(SoundRing::clear);
    }
}
