package touchline.media.ffmpeg;

import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.bytedeco.ffmpeg.avutil.LogCallback;
import org.bytedeco.ffmpeg.global.avutil;
import org.bytedeco.javacpp.BytePointer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import touchline.media.concurrent.LineLimit;

/**
 * Forwards FFmpeg's log lines to SLF4J, on the thread of FFmpeg's callback. FFmpeg's "error"
 * usually means invalid input, which an exception also reports. So it becomes WARN, and each lower
 * level is reduced by one as well.
 *
 * <p>A codec can log once per frame. Above {@value #LINES_PER_SECOND} warnings per second, lines
 * are only counted and the count is logged. Registered secrets are masked in every line.
 */
public final class FfmpegLog extends LogCallback {
    private static final Logger log = LoggerFactory.getLogger("touchline.media.ffmpeg.native");
    private static final int LINES_PER_SECOND = 20;
    private static final int MAX_LINE_CHARS = 500;

    // Native code calls this object until the process ends: a static field keeps it reachable.
    private static final FfmpegLog INSTANCE = new FfmpegLog();

    private static final List<String> secrets = new CopyOnWriteArrayList<>();
    private static final ThreadLocal<Boolean> quiet = ThreadLocal.withInitial(() -> false);

    private final LineLimit warnings = new LineLimit(LINES_PER_SECOND, System::nanoTime);

    private FfmpegLog() {}

    /** Must be called once, after the libraries are loaded. */
    static void install() {
        avutil.av_log_set_level(log.isDebugEnabled() ? avutil.AV_LOG_INFO : avutil.AV_LOG_WARNING);
        avutil.setLogCallback(INSTANCE);
    }

    /** Runs {@code work} without FFmpeg's log lines, for expected failures. */
    public static <T> T quietly(Supplier<T> work) {
        boolean before = quiet.get();
        quiet.set(true);
        try {
            return work.get();
        } finally {
            quiet.set(before);
        }
    }

    /**
     * Masks {@code secret} in every line until {@link #unmask} is called the same number of times.
     */
    static void mask(String secret) {
        if (secret.isEmpty()) {
            throw new IllegalArgumentException("secret: empty");
        }
        secrets.add(secret);
    }

    static void unmask(String secret) {
        secrets.remove(secret);
    }

    /** Called by native code: an exception that leaves this method would crash the process. */
    @Override
    public void call(int level, BytePointer message) {
        try {
            if (!quiet.get()) {
                write(level, message.getString());
            }
        } catch (Throwable e) {
            log.warn("a log line of FFmpeg was lost", e);
        }
    }

    void write(int level, String message) {
        String line = masked(message.strip());
        if (line.isEmpty()) {
            return;
        }
        // Lines below AV_LOG_WARNING occur at open and close, not for each frame.
        if (level <= avutil.AV_LOG_WARNING) {
            OptionalInt left = warnings.admit();
            if (left.isEmpty()) {
                return;
            }
            if (left.getAsInt() > 0) {
                log.warn("{} more lines of FFmpeg left out", left.getAsInt());
            }
        }
        log.atLevel(levelOf(level)).log(line);
    }

    static Level levelOf(int level) {
        if (level <= avutil.AV_LOG_FATAL) {
            return Level.ERROR;
        }
        if (level <= avutil.AV_LOG_ERROR) {
            return Level.WARN;
        }
        if (level <= avutil.AV_LOG_WARNING) {
            return Level.INFO;
        }
        return level <= avutil.AV_LOG_INFO ? Level.DEBUG : Level.TRACE;
    }

    static String masked(String line) {
        String result = line.length() > MAX_LINE_CHARS ? line.substring(0, MAX_LINE_CHARS) : line;
        for (String secret : secrets) {
            result = result.replace(secret, "***");
        }
        return result;
    }
}
