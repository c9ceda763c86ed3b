package touchline.overlay;

import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.AccessUnit;
import touchline.media.Track;
import touchline.media.ffmpeg.Ffmpeg;
import touchline.media.ffmpeg.FfmpegException;
import touchline.media.ffmpeg.FrameRate;
import touchline.media.ffmpeg.Gpu;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.ffmpeg.VideoEncoder;
import touchline.media.ffmpeg.VideoFrame;
import touchline.media.ffmpeg.VideoSettings;

/**
 * The encoder of one canvas. A change of speed opens a new encoder at a key frame, with the same
 * parameter sets, so that players continue. One owner thread.
 */
final class EncoderSession implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(EncoderSession.class);

    /** Key frames are forced one by one; the encoder's own interval is longer. */
    private static final int FAR_FRAMES = 3600;

    private static final int HD_PIXELS = 1280 * 720;
    private static final int FULL_HD_PIXELS = 1920 * 1088;
    private static final long US_PER_SECOND = 1_000_000;

    private final CompositorSettings settings;
    private final Canvas canvas;
    private final FrameRate frameRate;
    private final int firstRateBps;
    private final boolean onGpu;

    private H264Encoder kind;
    private VideoEncoder encoder;
    private VideoSettings.Speed speed;
    private int rateBps;
    private long lastPtsUs = Long.MIN_VALUE;
    private long keyPtsUs = Long.MIN_VALUE;
    private boolean keyRequested = true;

    private EncoderSession(
            CompositorSettings settings,
            Canvas canvas,
            FrameRate frameRate,
            int rateBps,
            VideoSettings.Speed speed,
            boolean onGpu) {
        this.settings = settings;
        this.canvas = canvas;
        this.frameRate = frameRate;
        this.firstRateBps = rateBps;
        this.rateBps = rateBps;
        this.onGpu = onGpu;
        this.speed = speed;
        this.kind = settings.encoding().encoder();
        this.encoder = opened(speed);
    }

    /**
     * @param frameRate nominal frame rate
     * @param onGpu whether all frames are in the memory of the GPU
     */
    static EncoderSession open(
            CompositorSettings settings,
            Canvas canvas,
            FrameRate frameRate,
            int rateBps,
            VideoSettings.Speed speed,
            boolean onGpu) {
        EncoderSession opened =
                new EncoderSession(settings, canvas, frameRate, rateBps, speed, onGpu);
        log.info(
                "stream={} session={} encoding {}x{} with {} {} at {} kbit/s",
                settings.stream(),
                settings.session(),
                canvas.width(),
                canvas.height(),
                opened.kind.configName(),
                speed,
                rateBps / 1_000);
        return opened;
    }

    Canvas canvas() {
        return canvas;
    }

    /** Whether its frames have this size, and are in such memory. */
    boolean fits(Canvas wanted, boolean gpuFrames) {
        return canvas.equals(wanted) && onGpu == gpuFrames;
    }

    Track track() {
        return encoder.track();
    }

    /** The next frame becomes a key frame. */
    void keyFrameNext() {
        keyRequested = true;
    }

    /** Whether a next frame with this time will be a key frame. */
    boolean keyIsDue(long ptsUs) {
        return keyRequested
                || ptsUs - keyPtsUs >= settings.keyFrameUs()
                || ptsUs - lastPtsUs > US_PER_SECOND;
    }

    /** Whether a faster speed is requested: this change must not wait. */
    boolean isSlowerThan(VideoSettings.Speed wanted) {
        return speed.compareTo(wanted) > 0;
    }

    /** Changes the speed; called before a key frame. */
    void switchTo(VideoSettings.Speed wanted) {
        if (wanted == speed) {
            return;
        }
        VideoEncoder next = opened(wanted);
        encoder.close();
        encoder = next;
        log.info(
                "stream={} session={} encoding {} -> {}",
                settings.stream(),
                settings.session(),
                speed,
                wanted);
        speed = wanted;
        keyRequested = true;
        if (rateBps != firstRateBps) {
            encoder.bitrate(rateBps);
        }
    }

    void bitrate(int wantedBps) {
        if (wantedBps != rateBps) {
            rateBps = wantedBps;
            encoder.bitrate(wantedBps);
        }
    }

    /** Whether this time is after the last frame's: times must increase. */
    boolean accepts(long ptsUs) {
        return ptsUs > lastPtsUs;
    }

    /** Encodes one frame, usually to one unit. */
    List<AccessUnit> encode(VideoFrame frame) {
        long ptsUs = frame.ptsUs();
        boolean key = keyIsDue(ptsUs);
        lastPtsUs = ptsUs;
        if (key) {
            keyPtsUs = ptsUs;
            keyRequested = false;
        }
        return encoder.encode(frame, key);
    }

    /** A GPU limits its number of encoders: falls back to the next kind. */
    private VideoEncoder opened(VideoSettings.Speed chosen) {
        List<H264Encoder> others = new ArrayList<>(Ffmpeg.encoders().usable());
        others.remove(kind);
        while (true) {
            try {
                boolean reads = onGpu && Gpu.isReadBy(kind);
                return VideoEncoder.open(videoSettings(chosen), /* sampleAspect= */ 1, reads);
            } catch (FfmpegException e) {
                if (others.isEmpty()) {
                    throw e;
                }
                log.warn(
                        "stream={} session={} {}; continuing with {}",
                        settings.stream(),
                        settings.session(),
                        e.getMessage(),
                        others.getFirst().configName());
                kind = others.removeFirst();
            }
        }
    }

    private VideoSettings videoSettings(VideoSettings.Speed chosen) {
        return new VideoSettings(
                canvas.format(),
                frameRate,
                firstRateBps,
                new VideoSettings.Gop(FAR_FRAMES, /* bFrames= */ 0),
                new VideoSettings.Tuning(chosen, threads(), /* lowDelay= */ true),
                kind,
                /* parameterSetId= */ 0);
    }

    /** One thread is cheapest; large frames or high rates need more. */
    private int threads() {
        if (settings.encoding().threads() > 0) {
            return settings.encoding().threads();
        }
        double pixelsPerSecond = (double) canvas.width() * canvas.height() * frameRate.perSecond();
        int wanted = pixelsPerSecond <= HD_PIXELS * 60.0 ? 1 : 2;
        if (pixelsPerSecond > FULL_HD_PIXELS * 60.0) {
            wanted = 4;
        }
        return Math.min(wanted, Runtime.getRuntime().availableProcessors());
    }

    @Override
    public void close() {
        encoder.close();
    }
}
