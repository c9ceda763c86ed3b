package touchline.media.rendition;

import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.ffmpeg.Ffmpeg;
import touchline.media.ffmpeg.FfmpegException;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.FrameRate;
import touchline.media.ffmpeg.Gpu;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.ffmpeg.VideoEncoder;
import touchline.media.ffmpeg.VideoSettings;

/**
 * How the frames of a rendition are encoded in one timeline. Immutable; {@link #open} on the thread
 * of the encoder.
 *
 * @param format of every frame
 * @param onGpu whether the frames are in the memory of the GPU
 * @param sampleAspect width / height of a sample
 * @param frameRate nominal
 */
record EncodedStream(
        FrameFormat format,
        boolean onGpu,
        double sampleAspect,
        FrameRate frameRate,
        int bitrateBps,
        RenditionEncoding encoding) {
    private static final Logger log = LoggerFactory.getLogger(EncodedStream.class);

    /** Key frames are forced one by one; the encoder's own interval is longer. */
    private static final int FAR_FRAMES = 3600;

    private static final int HD_PIXELS = 1280 * 720;
    private static final int FULL_HD_PIXELS = 1920 * 1088;

    /**
     * Opens the encoder, or another one where it fails: a GPU limits its number of encoders.
     *
     * @throws FfmpegException no encoder of this host accepts the settings
     */
    VideoEncoder open() {
        H264Encoder kind = encoding.encoder();
        List<H264Encoder> others = new ArrayList<>(Ffmpeg.encoders().usable());
        others.remove(kind);
        while (true) {
            try {
                return VideoEncoder.open(settings(kind), sampleAspect, onGpu && Gpu.isReadBy(kind));
            } catch (FfmpegException e) {
                if (others.isEmpty()) {
                    throw e;
                }
                kind = others.removeFirst();
                log.warn("{}; continuing with {}", e.getMessage(), kind.configName());
            }
        }
    }

    private VideoSettings settings(H264Encoder kind) {
        return new VideoSettings(
                format,
                frameRate,
                bitrateBps,
                new VideoSettings.Gop(FAR_FRAMES, /* bFrames= */ 0),
                new VideoSettings.Tuning(encoding.speed(), threads(), /* lowDelay= */ true),
                kind,
                /* parameterSetId= */ 0);
    }

    /** One thread is cheapest; large frames or high rates need more. */
    private int threads() {
        if (encoding.threads() > 0) {
            return encoding.threads();
        }
        double pixelsPerSecond = (double) format.width() * format.height() * frameRate.perSecond();
        int wanted = pixelsPerSecond <= HD_PIXELS * 60.0 ? 1 : 2;
        if (pixelsPerSecond > FULL_HD_PIXELS * 60.0) {
            wanted = 4;
        }
        return Math.min(wanted, Runtime.getRuntime().availableProcessors());
    }
}
