package touchline.media.ffmpeg;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.bytedeco.ffmpeg.global.avutil;
import touchline.media.FrameView;

/**
 * Converts YUV 4:2:0 frames to model input: float32 planes R, G and B from 0 to 1 ({@code [3,
 * height, width]}). swscale writes directly into the tensor's memory. One owner thread.
 */
public final class TensorScaler implements AutoCloseable {
    /** Grey of the padding in aspect-preserving mode, the value used to train YOLO models. */
    private static final float GREY = 114 / 255f;

    private static final int PLANES = 3;

    /** Samples in 64 bytes, the maximum write size of swscale. */
    private static final int STEP = 16;

    private final FrameFormat source;
    private final int width;
    private final int height;
    private final Area content;
    private final SampleConverter converter;
    private final Arena arena = Arena.ofShared();

    /** Content rows padded to whole steps; empty if the rows are whole steps already. */
    private final MemorySegment padded;

    /**
     * Position of the frame in the tensor, in samples.
     *
     * @param left columns to its left
     * @param top rows above it
     */
    public record Area(int left, int top, int width, int height) {}

    private TensorScaler(FrameFormat source, int width, int height, Area content) {
        this.source = source;
        this.width = width;
        this.height = height;
        this.content = content;
        this.converter =
                SampleConverter.open(
                        source,
                        new SampleConverter.Target(
                                new FrameFormat(content.width(), content.height(), Colour.JPEG),
                                avutil.AV_PIX_FMT_GBRPF32LE));
        this.padded =
                content.width() % STEP == 0
                        ? MemorySegment.NULL
                        : arena.allocate((long) PLANES * planeStride() * content.height(), 64);
    }

    /**
     * Opens a scaler for frames of one format; the caller closes it.
     *
     * @param width of the tensor, 16 to 4096
     * @param height of the tensor, 16 to 4096
     * @param keepShape true: keep the aspect ratio, centred on grey; false: scale to the full
     *     tensor
     */
    public static TensorScaler open(FrameFormat source, int width, int height, boolean keepShape) {
        Ffmpeg.load();
        return new TensorScaler(source, width, height, content(source, width, height, keepShape));
    }

    /** Returns the number of bytes that {@link #scale} writes. */
    public static long sizeBytes(int width, int height) {
        return (long) PLANES * width * height * Float.BYTES;
    }

    public Area content() {
        return content;
    }

    /**
     * Writes the tensor of one frame.
     *
     * @param view of the source's size, valid during this call
     * @param target native memory of exactly {@link #sizeBytes}, aligned to 16 bytes
     */
    public void scale(FrameView view, MemorySegment target) {
        converter.checkSource(source, view);
        if (!target.isNative() || target.byteSize() != sizeBytes(width, height)) {
            throw new IllegalArgumentException(
                    "target: %d bytes (expected: %d, native)"
                            .formatted(target.byteSize(), sizeBytes(width, height)));
        }
        paintAround(target);
        if (padded.equals(MemorySegment.NULL)) {
            long first = target.address() + offset(0, 0);
            aim(first, (long) width * height * Float.BYTES, width * Float.BYTES);
            converter.convert(view);
            return;
        }
        aim(padded.address(), (long) planeStride() * content.height(), planeStride());
        converter.convert(view);
        copyRows(target);
    }

    /** FFmpeg's plane order of this pixel format is G, B, R. */
    private void aim(long red, long planeBytes, int strideBytes) {
        converter.target(new long[] {red + planeBytes, red + 2 * planeBytes, red}, strideBytes);
    }

    private void copyRows(MemorySegment target) {
        long rowBytes = (long) content.width() * Float.BYTES;
        for (int plane = 0; plane < PLANES; plane++) {
            for (int row = 0; row < content.height(); row++) {
                long from = (long) (plane * content.height() + row) * planeStride();
                MemorySegment.copy(padded, from, target, offset(plane, row), rowBytes);
            }
        }
    }

    /** Returns the byte offset of a content row in the tensor. */
    private long offset(int plane, int row) {
        long rows = (long) plane * height + content.top() + row;
        return (rows * width + content.left()) * Float.BYTES;
    }

    private void paintAround(MemorySegment target) {
        if (content.width() == width && content.height() == height) {
            return;
        }
        for (int plane = 0; plane < PLANES; plane++) {
            for (int row = 0; row < height; row++) {
                long start = ((long) plane * height + row) * width;
                boolean beside = row < content.top() || row >= content.top() + content.height();
                int right = content.left() + content.width();
                paint(target, start, start + (beside ? width : content.left()));
                paint(target, start + (beside ? width : right), start + width);
            }
        }
    }

    private static void paint(MemorySegment target, long from, long to) {
        for (long i = from; i < to; i++) {
            target.setAtIndex(ValueLayout.JAVA_FLOAT, i, GREY);
        }
    }

    private int planeStride() {
        return (content.width() + STEP - 1) / STEP * STEP * Float.BYTES;
    }

    private static Area content(FrameFormat source, int width, int height, boolean keepShape) {
        if (!keepShape) {
            return new Area(0, 0, width, height);
        }
        double scale = Math.min((double) width / source.width(), (double) height / source.height());
        int fittedWidth = Math.clamp(Math.round(source.width() * scale), 1, width);
        int fittedHeight = Math.clamp(Math.round(source.height() * scale), 1, height);
        return new Area(
                (width - fittedWidth) / 2, (height - fittedHeight) / 2, fittedWidth, fittedHeight);
    }

    @Override
    public void close() {
        if (converter.isClosed()) {
            return;
        }
        converter.close();
        arena.close();
    }
}
