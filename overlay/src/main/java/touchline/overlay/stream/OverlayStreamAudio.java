package touchline.overlay.stream;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where the second stream's audio waits for the mix, in the form that the mix has now. The
 * compositing thread says which that is, the second stream's thread writes.
 */
final class OverlayStreamAudio {
    // Replaced as a whole: a writer that still holds the one before writes for nobody.
    private volatile @Nullable AudioRing ring;

    /** The mix has this form from now on. */
    AudioRing format(int rateHz, int channels) {
        AudioRing current = ring;
        if (current == null || current.rateHz() != rateHz || current.channels() != channels) {
            current = new AudioRing(rateHz, channels);
            ring = current;
        }
        return current;
    }

    /** Empty before the main audio is known. */
    Optional<AudioRing> ring() {
        return Optional.ofNullable(ring);
    }

    /** The second stream's clock begins anew. */
    void restarted() {
        ring().ifPresent(AudioRing::clear);
    }
}
