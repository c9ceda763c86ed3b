package touchline.overlay.stream;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Buffer for the overlay stream's audio, in the mix's current format. The compositing thread sets
 * the format, the overlay stream's thread writes.
 */
final class OverlayStreamAudio {
    // Replaced as a whole: audio in a replaced ring is never read.
    private volatile @Nullable AudioRing ring;

    /** Sets the format of the mix. */
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

    /** The overlay stream's clock restarts. */
    void restarted() {
        ring().ifPresent(AudioRing::clear);
    }
}
