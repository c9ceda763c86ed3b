package touchline.packager.thumbnail;

import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import touchline.packager.hls.PictureSource;
import touchline.packager.thumbnail.KeyFrame.PictureId;
import touchline.packager.thumbnail.KeyFrameFinder.NoPictureException;

/**
 * Chooses the picture that stands for a whole recording: the first key frame that shows something,
 * since many begin with black. Stateless.
 */
final class FirstPicture {
    /** A picture of one colour, with the noise of a camera in it, has less. */
    static final int FLAT = 8;

    /** Where it is looked for, since the first picture; each look may cost a decoded picture. */
    private static final long[] LOOKS_US = {0, 1_000_000, 2_000_000, 4_000_000, 8_000_000};

    private FirstPicture() {}

    /** A thumbnail and its name. */
    record Chosen(PictureId id, ThumbnailResult result) {
        private Optional<Thumbnail> picture() {
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
    static Chosen choose(PictureSource source, long endUs, Decoder decoder) throws Exception {
        Set<Place> seen = new HashSet<>();
        Chosen best = null;
        for (long lookUs : LOOKS_US) {
            if (best != null && source.zeroUs() + lookUs > endUs) {
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
            throw new NoPictureException("no picture is there");
        }
        return best;
    }

    /** The first look must succeed; without a further one the choice is among what was found. */
    private static @Nullable KeyFrame at(PictureSource source, long lookUs, @Nullable Chosen best)
            throws IOException, NoPictureException {
        try {
            return KeyFrameFinder.at(source, lookUs);
        } catch (NoPictureException e) {
            if (best == null) {
                throw e;
            }
            return null;
        }
    }

    private static int contrast(Chosen chosen) {
        return chosen.picture().map(Thumbnail::contrast).orElse(-1);
    }

    /** A key frame's place. */
    private record Place(long mediaSequence, int index) {
        static Place of(KeyFrame keyFrame) {
            return new Place(keyFrame.mediaSequence(), keyFrame.index());
        }
    }
}
