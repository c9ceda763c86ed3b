package touchline.packager.clip;

import java.io.Serial;

/** Some ranges of a clip have video, and others have none. */
public final class MixedMediaException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    private final int range;

    MixedMediaException(int range) {
        super("range " + range + " has video where the ones before have none, or the reverse");
        this.range = range;
    }

    /** Index of the first range that differs from those before. */
    public int range() {
        return range;
    }
}
