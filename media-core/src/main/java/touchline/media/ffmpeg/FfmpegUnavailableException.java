package touchline.media.ffmpeg;

import java.io.Serial;

/** FFmpeg's libraries cannot be loaded on this host; the message names their requirements. */
public final class FfmpegUnavailableException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    FfmpegUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
