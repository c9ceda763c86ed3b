package touchline.packager.clip;

import java.io.Serial;

/** No frame of the recording, or no audio where it has none, is shown in the range. */
public final class EmptyRangeException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    EmptyRangeException() {
        super("nothing is shown in the range");
    }
}
