package touchline.media.ffmpeg;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.bytedeco.ffmpeg.global.avutil;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;
import touchline.media.FrameView;

/**
 * Converts YUV 4:2:0 frames to RGB at another size, 8 bits per sample, full range, for models and
 * probes. One owner thread.
 */
public final class RgbScaler implements AutoCloseable {
    /** Memory layout of the three colours. */
    public enum Layout {
        /** Interleaved R, G, B: {@code [height, width, 3]}. */
        PACKED,
        /** Planar R, G, B: {@code [3, height, width]}; about 1.6 times as fast. */
        PLANAR
    }

    private static final int COLOURS = 3;

    private final FrameFormat source;
    private final int width;
    private final int height;
    private final Layout layout;
    private final SampleConverter converter;

    // Output buffer of swscale, with room for the row padding that swscale may use.
    private final BytePointer buffer;
    private final MemorySegment pixels;

    private RgbScaler(FrameFormat source, FrameFormat target, Layout layout) {
        this.source = source;
        this.width = target.width();
        this.height = target.height();
        this.layout = layout;
        int format = layout == Layout.PACKED ? avutil.AV_PIX_FMT_RGB24 : avutil.AV_PIX_FMT_GBRP;
        this.converter = SampleConverter.open(source, new SampleConverter.Target(target, format));
        Pointer memory = avutil.av_malloc((long) alignedStride() * height * planes() + 64);
        if (memory == null) {
            converter.close();
            throw Ffmpeg.missing("av_malloc");
        }
        this.buffer = new BytePointer(memory);
        this.pixels = NativeMemory.at(memory, (long) alignedStride() * height * planes());
        pointAtBuffer();
    }

    /**
     * Opens a scaler for exactly this target size. To keep the aspect ratio, the caller passes a
     * size with this ratio.
     */
    public static RgbScaler open(FrameFormat source, int width, int height, Layout layout) {
        Ffmpeg.load();
        return new RgbScaler(source, new FrameFormat(width, height, Colour.JPEG), layout);
    }

    /** Returns the number of bytes that {@link #scale} writes. */
    public int sizeBytes() {
        return COLOURS * width * height;
    }

    /**
     * Writes {@link #sizeBytes} bytes, rows without padding, from top to bottom.
     *
     * @param view of the source's size, valid during this call
     * @param target on the heap or native
     */
    public void scale(FrameView view, MemorySegment target) {
        converter.checkSource(source, view);
        if (target.byteSize() < sizeBytes()) {
            throw new IllegalArgumentException(
                    "target: " + target.byteSize() + " bytes (>= " + sizeBytes() + ")");
        }
        converter.convert(view);
        int rowBytes = layout == Layout.PACKED ? COLOURS * width : width;
        int rows = height * planes();
        for (int row = 0; row < rows; row++) {
            MemorySegment.copy(
                    pixels, (long) row * alignedStride(), target, (long) row * rowBytes, rowBytes);
        }
    }

    private void pointAtBuffer() {
        int stride = alignedStride();
        if (layout == Layout.PACKED) {
            converter.target(List.of(buffer), new int[] {stride});
            return;
        }
        long planeBytes = (long) stride * height;
        // FFmpeg's planar format has the order G, B, R.
        converter.target(
                List.of(
                        buffer.getPointer(planeBytes),
                        buffer.getPointer(2 * planeBytes),
                        buffer.getPointer(0)),
                new int[] {stride, stride, stride});
    }

    private int alignedStride() {
        int rowBytes = layout == Layout.PACKED ? COLOURS * width : width;
        return (rowBytes + 63) & ~63;
    }

    private int planes() {
        return layout == Layout.PACKED ? 1 : COLOURS;
    }

    @Override
    public void close() {
        if (converter.isClosed()) {
            return;
        }
        converter.close();
        avutil.av_free(buffer);
    }
}
