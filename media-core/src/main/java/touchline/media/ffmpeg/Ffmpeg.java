package touchline.media.ffmpeg;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avformat;
import org.bytedeco.ffmpeg.global.avutil;
import org.bytedeco.ffmpeg.global.swscale;
import org.bytedeco.javacpp.Loader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Entry point to FFmpeg: loads its libraries once, reports their version and the usable encoders,
 * and converts return codes to {@link FfmpegException}. Any thread.
 *
 * <p>The libraries unpack into {@code org.bytedeco.javacpp.cachedir} (default: a folder in the
 * user's home). A long-running process is started with {@code
 * -Dorg.bytedeco.javacpp.nopointergc=true}: owners close all native objects here, so JavaCPP's
 * garbage collection only costs time. It also needs {@code -Dorg.bytedeco.javacpp.maxBytes=0
 * -Dorg.bytedeco.javacpp.maxPhysicalBytes=0}: otherwise JavaCPP refuses to allocate when the
 * process uses four times its heap. libavdevice is never loaded: it requires X and audio libraries.
 */
public final class Ffmpeg {
    /** EAGAIN: no output is available yet, or the input queue is full. */
    public static final int AGAIN = -11; // Linux errno, negated as AVERROR does

    private static final Logger log = LoggerFactory.getLogger(Ffmpeg.class);
    private static final int REASON_BYTES = 128;

    @GuardedBy("Ffmpeg.class")
    private static boolean loaded;

    private Ffmpeg() {}

    /**
     * Loads the libraries and starts the log bridge; later calls return immediately.
     *
     * @throws FfmpegUnavailableException the host lacks a requirement of the libraries
     */
    public static synchronized void load() {
        if (loaded) {
            return;
        }
        try {
            Loader.load(avutil.class);
            Loader.load(avcodec.class);
            Loader.load(avformat.class);
            Loader.load(swscale.class);
        } catch (LinkageError e) {
            throw new FfmpegUnavailableException(
                    "FFmpeg natives do not load (expected: linux-x86_64 with glibc 2.35 or newer"
                            + " and a writable cache folder): "
                            + e.getMessage(),
                    e);
        }
        FfmpegLog.install();
        loaded = true;
        log.debug("FFmpeg {} loaded, {}", Version.TEXT, Version.LICENCE);
    }

    /** Returns the folder into which the libraries are unpacked. */
    public static Path folder() {
        try {
            return Loader.getCacheDir().toPath();
        } catch (IOException e) {
            throw new UncheckedIOException("folder of native libraries", e);
        }
    }

    /** Returns FFmpeg's release, e.g. {@code 8.0.1}. */
    public static String version() {
        load();
        return Version.TEXT;
    }

    /** Returns the licence of the loaded build, e.g. {@code GPL version 3 or later}. */
    public static String licence() {
        load();
        return Version.LICENCE;
    }

    /**
     * Returns the usable encoders, detected by opening each once; the first call takes up to 1 s.
     */
    public static EncoderCapabilities encoders() {
        load();
        return Probed.CAPABILITIES;
    }

    /**
     * Returns {@code code} if it is 0 or more.
     *
     * @param call name of the function that returned it, for the message
     * @throws FfmpegException it is negative
     */
    @CanIgnoreReturnValue
    public static int check(int code, String call) {
        if (code < 0) {
            throw new FfmpegException(call, code, reason(code));
        }
        return code;
    }

    /** FFmpeg returns null if memory is exhausted or a component is not compiled in. */
    public static FfmpegException missing(String call) {
        return new FfmpegException(call, avutil.AVERROR_UNKNOWN(), "nothing returned");
    }

    private static String reason(int code) {
        byte[] text = new byte[REASON_BYTES];
        // A code without a text yields a generic text, so the result is ignored.
        avutil.av_strerror(code, text, text.length);
        int end = 0;
        while (end < text.length && text[end] != 0) {
            end++;
        }
        return new String(text, 0, end, StandardCharsets.UTF_8);
    }

    /** Used only after loading. */
    private static final class Version {
        static final String TEXT = avutil.av_version_info().getString();
        static final String LICENCE = avcodec.avcodec_license().getString();
    }

    /** Probed once, only after loading. */
    private static final class Probed {
        static final EncoderCapabilities CAPABILITIES = probe();

        private static EncoderCapabilities probe() {
            Map<H264Encoder, String> refusals = new EnumMap<>(H264Encoder.class);
            for (H264Encoder encoder : H264Encoder.values()) {
                String refusal = FfmpegLog.quietly(() -> tryOpen(encoder));
                if (!refusal.isEmpty()) {
                    refusals.put(encoder, refusal);
                }
            }
            return new EncoderCapabilities(refusals, FfmpegLog.quietly(Probed::tryAac));
        }

        private static String tryOpen(H264Encoder encoder) {
            FrameFormat format = new FrameFormat(320, 240, Colour.BT709);
            VideoSettings settings = VideoSettings.live(format, FrameRate.of(25), encoder);
            try (VideoEncoder _ = VideoEncoder.open(settings)) {
                return "";
            } catch (FfmpegException e) {
                return String.valueOf(e.getMessage());
            }
        }

        private static String tryAac() {
            try (AudioEncoder _ = AudioEncoder.open(new AudioSettings(48_000, 2, 128_000))) {
                return "";
            } catch (FfmpegException e) {
                return String.valueOf(e.getMessage());
            }
        }
    }
}
