package touchline.media.ffmpeg;

import java.util.function.Supplier;
import touchline.media.codec.MalformedMediaException;

/**
 * Maps decoder errors to {@link MalformedMediaException}. Every error code means invalid input, as
 * codes differ by codec. Exceptions are lack of memory and a call in the wrong state.
 */
public final class Malformed {
    private static final int OUT_OF_MEMORY = -12; // Linux errno, negated as AVERROR does

    private Malformed() {}

    static <T> T call(Supplier<T> work, String what) {
        try {
            return work.get();
        } catch (FfmpegException e) {
            if (e.code() != OUT_OF_MEMORY && e.code() != Ffmpeg.AGAIN) {
                throw new MalformedMediaException(what + ": " + e.getMessage(), e);
            }
            throw e;
        }
    }

    public static void run(Runnable work, String what) {
        call(
                () -> {
                    work.run();
                    return true;
                },
                what);
    }
}
