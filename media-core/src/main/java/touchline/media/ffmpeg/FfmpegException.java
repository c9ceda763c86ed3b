package touchline.media.ffmpeg;

import java.io.Serial;

/**
 * A call into FFmpeg failed. The message names the call and FFmpeg's own text for the return code;
 * it never holds an address or a key.
 */
public final class FfmpegException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    private final String call;
    private final int code;

    public FfmpegException(String call, int code, String reason) {
        super(call + ": " + reason + " (" + code + ")");
        this.call = call;
        this.code = code;
    }

    /** The function of FFmpeg that failed. */
    public String call() {
        return call;
    }

    /** Its return code, negative. */
    public int code() {
        return code;
    }
}
