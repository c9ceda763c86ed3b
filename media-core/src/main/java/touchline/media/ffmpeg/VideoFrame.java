package touchline.media.ffmpeg;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.avutil.AVHWFramesContext;
import org.bytedeco.ffmpeg.avutil.AVRational;
import org.bytedeco.ffmpeg.global.avutil;
import org.jspecify.annotations.Nullable;
import touchline.media.FrameView;
import touchline.media.Timescale;

/**
 * An owned frame in native memory: YUV 4:2:0, 8 bits per sample, in presentation order; or a frame
 * in the memory of the {@link Gpu}, which has no planes. One owner at a time, on any thread. The
 * caller of a decoder or of {@link #allocate} closes the frame. Views and planes are valid until
 * then. Every call on a closed frame throws IllegalStateException. With the system property {@value
 * #CHECKED}, as in all tests, each access to planes of a closed frame throws too. Without it, such
 * an access reads freed memory. The check briefly stops all threads of the process whenever a frame
 * is closed.
 */
public final class VideoFrame implements AutoCloseable {
    private static final String CHECKED = "touchline.frames.checked";
    private static final boolean IS_CHECKED = Boolean.getBoolean(CHECKED);
    private static final int PLANES = 3;

    /** Largest numerator and denominator of a sample aspect ratio. */
    static final int MAX_ASPECT_TERM = 65_535;

    private final FrameFormat format;
    private final AVFrame frame;

    private @Nullable Arena arena;
    private @Nullable List<FrameView.Plane> planes;
    private boolean closed;

    private VideoFrame(FrameFormat format, AVFrame frame) {
        this.format = format;
        this.frame = frame;
    }

    /** Allocates a frame; its samples are not initialised. */
    public static VideoFrame allocate(FrameFormat format) {
        Ffmpeg.load();
        AVFrame frame = avutil.av_frame_alloc();
        frame.format(avutil.AV_PIX_FMT_YUV420P).width(format.width()).height(format.height());
        Colour colour = format.colour();
        frame.color_primaries(colour.primaries())
                .color_trc(colour.transfer())
                .colorspace(colour.matrix())
                .color_range(
                        colour.fullRange() ? avutil.AVCOL_RANGE_JPEG : avutil.AVCOL_RANGE_MPEG);
        int code = avutil.av_frame_get_buffer(frame, /* align= */ 0);
        if (code < 0) {
            avutil.av_frame_free(frame);
        }
        Ffmpeg.check(code, "av_frame_get_buffer");
        return new VideoFrame(format, frame);
    }

    /** Returns a copy of a view, with its time. */
    public static VideoFrame copyOf(FrameView view, Colour colour) {
        VideoFrame copy = allocate(new FrameFormat(view.width(), view.height(), colour));
        try {
            copy.fill(view);
        } catch (RuntimeException e) {
            copy.close();
            throw e;
        }
        return copy;
    }

    private void fill(FrameView view) {
        ptsTicks(Timescale.VIDEO.fromUs(view.ptsUs()));
        for (int i = 0; i < PLANES; i++) {
            FrameView.Plane from = view.planes().get(i);
            FrameView.Plane to = planes().get(i);
            int rowBytes = i == 0 ? format.width() : format.chromaWidth();
            int rows = i == 0 ? format.height() : format.chromaHeight();
            for (int row = 0; row < rows; row++) {
                MemorySegment.copy(
                        from.samples(),
                        (long) row * from.strideBytes(),
                        to.samples(),
                        (long) row * to.strideBytes(),
                        rowBytes);
            }
        }
    }

    /**
     * Takes over the content of a YUV 4:2:0 frame and leaves that frame empty.
     *
     * @param ptsTicks presentation time in 1/90 000 s
     * @throws IllegalArgumentException the frame is too large; it keeps its content
     */
    static VideoFrame moved(AVFrame source, Colour colour, long ptsTicks) {
        FrameFormat format = new FrameFormat(source.width(), source.height(), colour);
        AVFrame frame = avutil.av_frame_alloc();
        avutil.av_frame_move_ref(frame, source);
        frame.pts(ptsTicks);
        return new VideoFrame(format, frame);
    }

    public FrameFormat format() {
        return format;
    }

    /** Returns the presentation time in 1/90 000 s; 0 in a new frame. */
    public long ptsTicks() {
        long pts = frame().pts();
        return pts == avutil.AV_NOPTS_VALUE ? 0 : pts;
    }

    public void ptsTicks(long ticks) {
        frame().pts(ticks);
    }

    public long ptsUs() {
        return Timescale.VIDEO.toUs(ptsTicks());
    }

    /** Whether it is in the memory of the GPU, so that only code of the GPU can read it. */
    public boolean isOnGpu() {
        return frame().format() == avutil.AV_PIX_FMT_CUDA;
    }

    /** FFmpeg's number of the format that the samples have in the GPU's memory. */
    int gpuFormat() {
        try (AVHWFramesContext pool = new AVHWFramesContext(frame().hw_frames_ctx().data())) {
            return pool.sw_format();
        }
    }

    /**
     * Returns Y, U, V; writable if no other reference to the samples exists, as with {@link
     * #allocate}.
     *
     * @throws IllegalStateException the frame is in the memory of the GPU
     */
    public List<FrameView.Plane> planes() {
        AVFrame open = frame();
        if (isOnGpu()) {
            throw new IllegalStateException("the frame is in the memory of the GPU");
        }
        List<FrameView.Plane> made = planes;
        if (made == null) {
            Arena scope = Arena.global();
            if (IS_CHECKED) {
                scope = Arena.ofShared();
                arena = scope;
            }
            made = List.of(plane(open, 0, scope), plane(open, 1, scope), plane(open, 2, scope));
            planes = made;
        }
        return made;
    }

    /** Returns the sample aspect ratio (width / height) of the stream; 1 if unspecified. */
    public double sampleAspect() {
        AVRational aspect = frame().sample_aspect_ratio();
        return aspect.num() > 0 && aspect.den() > 0 ? (double) aspect.num() / aspect.den() : 1;
    }

    /**
     * Sets the sample aspect ratio.
     *
     * @param ratio width / height, above 0
     */
    public void sampleAspect(double ratio) {
        if (!(ratio > 0)) {
            throw new IllegalArgumentException("sample aspect: " + ratio + " (> 0)");
        }
        frame().sample_aspect_ratio(avutil.av_d2q(ratio, MAX_ASPECT_TERM));
    }

    /** Whether the samples are writable: no other reference exists, e.g. in the decoder. */
    public boolean isWritable() {
        return avutil.av_frame_is_writable(frame()) > 0;
    }

    /**
     * Copies samples and time of another frame.
     *
     * @param other at least as large; samples beyond this frame's size are ignored
     */
    public void fillFrom(VideoFrame other) {
        if (other.format.width() < format.width() || other.format.height() < format.height()) {
            throw new IllegalArgumentException(
                    "frame: " + other.format + " (expected: at least " + format + ")");
        }
        Ffmpeg.check(avutil.av_frame_copy(frame(), other.frame()), "av_frame_copy");
        ptsTicks(other.ptsTicks());
    }

    /**
     * Returns another reference to the same samples, without copying them. Each is closed by its
     * own owner. Nothing may change the samples while both are open: see {@link #isWritable}.
     */
    public VideoFrame share() {
        AVFrame clone = avutil.av_frame_clone(frame());
        if (clone == null) {
            throw Ffmpeg.missing("av_frame_clone");
        }
        return new VideoFrame(format, clone);
    }

    /** Returns a view for code without access to FFmpeg; valid until close. */
    public FrameView view() {
        return new FrameView(format.width(), format.height(), ptsUs(), planes());
    }

    /**
     * Returns the whole frame as a JPEG file.
     *
     * @param quality 1 to 100; about 85 for evidence, 60 for a thumbnail
     */
    public byte[] toJpeg(int quality) {
        return JpegWriter.write(this, quality);
    }

    /**
     * Returns the whole frame as a PNG file; lossless except for rounding in the RGB conversion.
     */
    public byte[] toPng() {
        return PngWriter.write(this);
    }

    /** Returns the native frame, borrowed by the other classes of this package. */
    AVFrame frame() {
        if (closed) {
            throw new IllegalStateException("frame is closed");
        }
        return frame;
    }

    private FrameView.Plane plane(AVFrame open, int index, Arena scope) {
        int stride = open.linesize(index);
        int rows = index == 0 ? format.height() : format.chromaHeight();
        int lastRowBytes = index == 0 ? format.width() : format.chromaWidth();
        long bytes = (long) stride * (rows - 1) + lastRowBytes;
        return new FrameView.Plane(NativeMemory.at(open.data(index), bytes, scope), stride);
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (arena != null) {
            arena.close();
        }
        avutil.av_frame_free(frame);
    }
}
