package touchline.media.ffmpeg;

import java.io.Serial;

/** FFmpeg's libraries do not load on this host; the message says what they need. */
public final class FfmpegUnavailableException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    FfmpegUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
