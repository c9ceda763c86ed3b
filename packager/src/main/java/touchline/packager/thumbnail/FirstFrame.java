package touchline.packager.thumbnail;

import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import touchline.packager.hls.FrameSource;
import touchline.packager.thumbnail.KeyFrame.FrameId;
import touchline.packager.thumbnail.KeyFrameFinder.NoFrameException;

/**
 * Chooses the default frame of a recording: the first key frame that is not plain, since many
 * recordings begin with black. Stateless.
 */
final class FirstFrame {
    /** A frame of one colour with camera noise has less contrast. */
    static final int FLAT = 8;

    /** Times to try, since the first frame; each may cost a decoded frame. */
    private static final long[] LOOKS_US = {0, 1_000_000, 2_000_000, 4_000_000, 8_000_000};

    private FirstFrame() {}

    /** A thumbnail and its name. */
    record Chosen(FrameId id, ThumbnailResult result) {
        private Optional<Thumbnail> frame() {
            return result instanceof ThumbnailResult.Made(var made)
                    ? Optional.of(made)
                    : Optional.empty();
        }
    }

    /** Decodes a key frame. */
    @FunctionalInterface
    interface Decoder {
        Chosen decode(KeyFrame keyFrame) throws Exception;
    }

    /**
     * @param endUs of what is there, in media microseconds
     */
    static Chosen choose(FrameSource source, long endUs, Decoder decoder) throws Exception {
        Set<Place> seen = new HashSet<>();
        Chosen best = null;
        for (long lookUs : LOOKS_US) {
            if (best != null && source.mediaUs(lookUs) > endUs) {
                break;
            }
            KeyFrame keyFrame = at(source, lookUs, best);
            if (keyFrame == null || !seen.add(Place.of(keyFrame))) {
                continue;
            }
            Chosen chosen = decoder.decode(keyFrame);
            if (best == null || contrast(chosen) > contrast(best)) {
                best = chosen;
            }
            if (contrast(best) > FLAT) {
                break;
            }
        }
        if (best == null) {
            throw new NoFrameException("no frame is there");
        }
        return best;
    }

    /** The first attempt must succeed; later ones are optional. */
    private static @Nullable KeyFrame at(FrameSource source, long lookUs, @Nullable Chosen best)
            throws IOException, NoFrameException {
        try {
            return KeyFrameFinder.at(source, lookUs);
        } catch (NoFrameException e) {
            if (best == null) {
                throw e;
            }
            return null;
        }
    }

    private static int contrast(Chosen chosen) {
        return chosen.frame().map(Thumbnail::contrast).orElse(-1);
    }

    /** A key frame's place. */
    private record Place(long mediaSequence, int index) {
        static Place of(KeyFrame keyFrame) {
            return new Place(keyFrame.mediaSequence(), keyFrame.index());
        }
    }
}
