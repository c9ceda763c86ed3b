package touchline.media.ffmpeg;

import java.util.Optional;
import org.bytedeco.ffmpeg.avutil.AVBufferRef;
import org.bytedeco.ffmpeg.avutil.AVDictionary;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.avutil.AVHWFramesContext;
import org.bytedeco.ffmpeg.global.avutil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The NVIDIA GPU of this host. The process has one CUDA context, made at the first use and kept:
 * decoders, scalers and encoders share it, so that a frame goes from one to the next without
 * leaving the GPU's memory. Any thread.
 */
public final class Gpu {
    private static final Logger log = LoggerFactory.getLogger(Gpu.class);

    private static final int TRIAL_WIDTH = 320;
    private static final int TRIAL_HEIGHT = 240;
    private static final int TRIAL_FRAMES = 3;
    private static final int TICKS_A_FRAME = 3_600;

    private static volatile boolean tried;

    private Gpu() {}

    /**
     * Tries the GPU, if there is one. At the first use the driver compiles for seconds: live
     * streams do without the GPU until then. Blocks.
     */
    public static void prepare() {
        boolean scales = scales();
        boolean encodes = encodes();
        tried = true;
        if (scales) {
            log.info(
                    "the GPU decodes{} live video",
                    encodes ? ", scales and encodes" : " and scales");
        }
    }

    /** Whether {@link #prepare} has ended. Does not block. */
    public static boolean isTried() {
        return tried;
    }

    /** Whether the host has a GPU with its driver; checked once, without log lines. */
    public static boolean isPresent() {
        Ffmpeg.load();
        return Device.CONTEXT.isPresent();
    }

    /**
     * Whether frames can be scaled in the GPU's memory and copied from there; tried once, with
     * frames.
     */
    public static boolean scales() {
        return isPresent() && Trials.SCALES;
    }

    /** Whether NVENC encodes frames of the GPU's memory; tried once, with frames. */
    public static boolean encodes() {
        return isPresent() && Trials.ENCODES;
    }

    /** Whether this encoder reads frames in the GPU's memory; tried once, with frames. */
    public static boolean isReadBy(H264Encoder encoder) {
        return encoder == H264Encoder.NVENC && encodes();
    }

    /** A reference to the CUDA context, for the caller to release; empty without a GPU. */
    static Optional<AVBufferRef> device() {
        return isPresent() ? Device.CONTEXT.map(avutil::av_buffer_ref) : Optional.empty();
    }

    /**
     * A pool of frames in the GPU's memory, for the caller to release.
     *
     * @param pixelFormat FFmpeg's number of a format that a CUDA device has
     * @throws FfmpegException no GPU, or it refuses
     */
    static AVBufferRef frames(int width, int height, int pixelFormat) {
        AVBufferRef device = device().orElseThrow(() -> Ffmpeg.missing("av_hwdevice_ctx_create"));
        AVBufferRef pool = avutil.av_hwframe_ctx_alloc(device);
        avutil.av_buffer_unref(device);
        if (pool == null) {
            throw Ffmpeg.missing("av_hwframe_ctx_alloc");
        }
        try (AVHWFramesContext settings = new AVHWFramesContext(pool.data())) {
            settings.format(avutil.AV_PIX_FMT_CUDA).sw_format(pixelFormat);
            settings.width(width).height(height);
        }
        int code = avutil.av_hwframe_ctx_init(pool);
        if (code < 0) {
            avutil.av_buffer_unref(pool);
        }
        Ffmpeg.check(code, "av_hwframe_ctx_init");
        return pool;
    }

    /**
     * A frame in the GPU's memory with a copy of a frame's samples and its time; the caller closes
     * it.
     *
     * @param frame in main memory, borrowed
     * @throws FfmpegException no GPU, or it refuses
     */
    public static VideoFrame upload(VideoFrame frame) {
        AVFrame from = frame.frame();
        AVBufferRef pool = frames(from.width(), from.height(), from.format());
        AVFrame to = avutil.av_frame_alloc();
        try {
            Ffmpeg.check(avutil.av_hwframe_get_buffer(pool, to, 0), "av_hwframe_get_buffer");
            Ffmpeg.check(avutil.av_hwframe_transfer_data(to, from, 0), "av_hwframe_transfer_data");
            Ffmpeg.check(avutil.av_frame_copy_props(to, from), "av_frame_copy_props");
            return VideoFrame.moved(to, frame.format().colour(), frame.ptsTicks());
        } finally {
            avutil.av_frame_free(to);
            avutil.av_buffer_unref(pool);
        }
    }

    /**
     * A copy in main memory, which the caller closes. Code that copies many frames keeps a {@link
     * GpuDownload}.
     *
     * @param frame in the GPU's memory, borrowed
     * @throws FfmpegException the GPU fails
     */
    public static VideoFrame download(VideoFrame frame) {
        try (GpuDownload once = new GpuDownload()) {
            return once.of(frame);
        }
    }

    /** Made once, only after the libraries are loaded. */
    private static final class Device {
        static final Optional<AVBufferRef> CONTEXT = FfmpegLog.quietly(Device::open);

        private static Optional<AVBufferRef> open() {
            AVBufferRef device = new AVBufferRef(null);
            int code =
                    avutil.av_hwdevice_ctx_create(
                            device,
                            avutil.AV_HWDEVICE_TYPE_CUDA,
                            (String) null,
                            (AVDictionary) null,
                            /* flags= */ 0);
            return code < 0 ? Optional.empty() : Optional.of(device);
        }
    }

    /** Made once, where there is a GPU: what its driver promises is tried before it is used. */
    private static final class Trials {
        static final boolean SCALES = passes("scaling", Trials::scale);
        static final boolean ENCODES = SCALES && passes("NVENC", Trials::encode);

        private static boolean passes(String what, Runnable trial) {
            try {
                FfmpegLog.quietly(
                        () -> {
                            trial.run();
                            return true;
                        });
                return true;
            } catch (RuntimeException e) {
                log.info("{} of frames in the GPU's memory: {}", what, e.getMessage());
                return false;
            }
        }

        private static void scale() {
            FrameFormat target = new FrameFormat(TRIAL_WIDTH / 2, TRIAL_HEIGHT / 2, Colour.BT709);
            try (VideoFrame frame = trialFrame();
                    FrameResizer resizer = FrameResizer.open(frame, target);
                    VideoFrame small = resizer.resize(frame);
                    VideoFrame seen = download(small)) {
                if (!seen.format().equals(target)) {
                    throw new IllegalStateException("frames have the wrong format");
                }
            }
        }

        private static void encode() {
            VideoSettings settings =
                    VideoSettings.live(
                            new FrameFormat(TRIAL_WIDTH, TRIAL_HEIGHT, Colour.BT709),
                            FrameRate.of(25),
                            H264Encoder.NVENC);
            try (VideoEncoder encoder = VideoEncoder.open(settings, 1, /* gpuFrames= */ true);
                    VideoFrame frame = trialFrame()) {
                int units = 0;
                for (int i = 0; i < TRIAL_FRAMES; i++) {
                    frame.ptsTicks((long) i * TICKS_A_FRAME);
                    units += encoder.encode(frame, /* forceKeyFrame= */ i == 0).size();
                }
                units += encoder.finish().size();
                if (units != TRIAL_FRAMES) {
                    throw new IllegalStateException(units + " units of " + TRIAL_FRAMES);
                }
            }
        }

        private static VideoFrame trialFrame() {
            FrameFormat format = new FrameFormat(TRIAL_WIDTH, TRIAL_HEIGHT, Colour.BT709);
            try (VideoFrame grey = VideoFrame.allocate(format)) {
                grey.planes().forEach(plane -> plane.samples().fill((byte) 128));
                return upload(grey);
            }
        }
    }
}
