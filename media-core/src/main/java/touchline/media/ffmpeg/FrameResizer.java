package touchline.media.ffmpeg;

import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.global.avutil;

/**
 * Makes frames of another size, by zimg (FFmpeg's filter {@code zscale}): bicubic as FFmpeg's own
 * scaler, in a third of its time. Colours stay as they are. New frames use memory of earlier ones
 * again. Frames in the memory of the {@link Gpu} are scaled there, and stay there. One owner
 * thread; the frames may go to other threads.
 */
public final class FrameResizer implements AutoCloseable {
    private static final String ZIMG = "zscale";

    /** The same curve as FFmpeg's scaler has. */
    private static final String ZIMG_OPTIONS = ":filter=bicubic:param_a=0:param_b=0.6";

    private static final int UNSPECIFIED = avutil.AVCOL_SPC_UNSPECIFIED;

    /** The third option is the curve, as above: FFmpeg's default is another one. */
    private static final String GPU_CHAIN =
            "scale_cuda=w=%d:h=%d:interp_algo=bicubic:param=0.6:format=yuv420p";

    private static final int IN_MAIN_MEMORY = avutil.AV_PIX_FMT_NONE;

    private final FrameFormat source;
    private final FrameFormat target;
    private final int gpuFormat;
    private final FilterGraph graph;
    private final AVFrame in = avutil.av_frame_alloc();
    private final AVFrame out = avutil.av_frame_alloc();
    private boolean closed;

    private FrameResizer(FrameFormat source, FrameFormat target, int gpuFormat, FilterGraph graph) {
        this.source = source;
        this.target = target;
        this.gpuFormat = gpuFormat;
        this.graph = graph;
    }

    /**
     * For frames like one, which is borrowed. The caller closes it.
     *
     * @param target its colours are those of the new frames, whose samples are not converted
     * @throws FfmpegException the GPU that has the frame refuses
     */
    public static FrameResizer open(VideoFrame like, FrameFormat target) {
        if (!like.isOnGpu()) {
            return open(like.format(), target);
        }
        boolean same =
                like.format().width() == target.width()
                        && like.format().height() == target.height();
        // Without a curve samples of the same size are copied exactly.
        String chain =
                same
                        ? "scale_cuda=format=yuv420p"
                        : GPU_CHAIN.formatted(target.width(), target.height());
        FrameFormat source = like.format();
        return new FrameResizer(
                source,
                target,
                like.gpuFormat(),
                FilterGraph.gpu(like.frame(), matrix(source), range(source), chain));
    }

    /**
     * For frames in main memory. The caller closes it.
     *
     * @param target its colours are those of the new frames, whose samples are not converted
     */
    public static FrameResizer open(FrameFormat source, FrameFormat target) {
        String arguments =
                "video_size=%dx%d:pix_fmt=%d:time_base=1/90000:pixel_aspect=1/1:colorspace=%d:range=%d"
                        .formatted(
                                source.width(),
                                source.height(),
                                avutil.AV_PIX_FMT_YUV420P,
                                matrix(source),
                                range(source));
        return new FrameResizer(
                source,
                target,
                IN_MAIN_MEMORY,
                FilterGraph.video(arguments, chain(source, target), 1));
    }

    /** zimg needs even sizes; no build of FFmpeg must have it. */
    private static String chain(FrameFormat source, FrameFormat target) {
        boolean even =
                (source.width() | source.height() | target.width() | target.height()) % 2 == 0;
        String size = "=w=%d:h=%d".formatted(target.width(), target.height());
        return even && FilterGraph.has(ZIMG)
                ? ZIMG + size + ZIMG_OPTIONS
                : "scale" + size + ":flags=area";
    }

    private static int matrix(FrameFormat format) {
        return format.colour().isBt709(format.height())
                ? avutil.AVCOL_SPC_BT709
                : avutil.AVCOL_SPC_SMPTE170M;
    }

    private static int range(FrameFormat format) {
        return format.colour().fullRange() ? avutil.AVCOL_RANGE_JPEG : avutil.AVCOL_RANGE_MPEG;
    }

    /** Whether it makes such frames of this one. */
    public boolean fits(VideoFrame frame, FrameFormat wanted) {
        return frame.format().equals(source)
                && wanted.equals(target)
                && memoryOf(frame) == gpuFormat;
    }

    private static int memoryOf(VideoFrame frame) {
        return frame.isOnGpu() ? frame.gpuFormat() : IN_MAIN_MEMORY;
    }

    /**
     * Returns a new frame with the same time, in the same memory, which the caller closes.
     *
     * @param frame of the source's size, borrowed
     */
    public VideoFrame resize(VideoFrame frame) {
        if (closed) {
            throw new IllegalStateException("resizer is closed");
        }
        FrameFormat came = frame.format();
        if (came.width() != source.width()
                || came.height() != source.height()
                || memoryOf(frame) != gpuFormat) {
            throw new IllegalArgumentException("frame: " + came + " (expected: " + source + ")");
        }
        Ffmpeg.check(avutil.av_frame_ref(in, frame.frame()), "av_frame_ref");
        try {
            // Captions and the like belong to the source.
            while (in.nb_side_data() > 0) {
                avutil.av_frame_remove_side_data(in, in.side_data(0).type());
            }
            in.colorspace(matrix(source)).color_range(range(source));
            in.color_primaries(UNSPECIFIED).color_trc(UNSPECIFIED);
            graph.push(in);
        } finally {
            avutil.av_frame_unref(in);
        }
        if (!graph.pull(out)) {
            throw new IllegalStateException("the filter returned no frame");
        }
        Colour colour = target.colour();
        out.color_primaries(colour.primaries())
                .color_trc(colour.transfer())
                .colorspace(colour.matrix());
        return VideoFrame.moved(out, colour, frame.ptsTicks());
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        graph.close();
        avutil.av_frame_free(out);
        avutil.av_frame_free(in);
    }
}
