package touchline.media.ffmpeg;

import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.global.avutil;

/**
 * Makes frames of another size, by zimg (FFmpeg's filter {@code zscale}): bicubic as FFmpeg's own
 * scaler, in a third of its time. Colours stay as they are. New frames use memory of earlier ones
 * again. One owner thread; the frames may go to other threads.
 */
public final class FrameResizer implements AutoCloseable {
    private static final String ZIMG = "zscale";

    /** The same curve as FFmpeg's scaler has. */
    private static final String ZIMG_OPTIONS = ":filter=bicubic:param_a=0:param_b=0.6";

    private static final int UNSPECIFIED = avutil.AVCOL_SPC_UNSPECIFIED;

    private final FrameFormat source;
    private final FrameFormat target;
    private final FilterGraph graph;
    private final AVFrame in = avutil.av_frame_alloc();
    private final AVFrame out = avutil.av_frame_alloc();
    private boolean closed;

    private FrameResizer(FrameFormat source, FrameFormat target, FilterGraph graph) {
        this.source = source;
        this.target = target;
        this.graph = graph;
    }

    /**
     * The caller closes it.
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
                source, target, FilterGraph.video(arguments, chain(source, target), 1));
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

    /**
     * Returns a new frame with the same time, which the caller closes.
     *
     * @param frame of the source's size, borrowed
     */
    public VideoFrame resize(VideoFrame frame) {
        if (closed) {
            throw new IllegalStateException("resizer is closed");
        }
        FrameFormat came = frame.format();
        if (came.width() != source.width() || came.height() != source.height()) {
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
