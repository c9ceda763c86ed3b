package touchline.benchmarks.micro;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.VideoFrame;
import touchline.overlay.BoxConverter;
import touchline.overlay.BoxFrame;
import touchline.overlay.Canvas;
import touchline.overlay.CanvasBox;

/**
 * A box over a frame of 1280x720: converting its pixels, once per change, and blending it, once per
 * frame. Beside it the copy of the whole frame, which a decoder requires.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 2)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls prepare first
public class BlendBenchmark {
    private static final Canvas CANVAS = new Canvas(1280, 720, Colour.BT709);
    private static final FrameFormat FORMAT = new FrameFormat(1280, 720, Colour.BT709);

    /** Width and height of the box. */
    @Param({"640x160", "1280x720"})
    String size;

    /** Alpha of every pixel: 255 is copied, a lower value is blended. */
    @Param({"255", "128"})
    int alpha;

    private VideoFrame ground;
    private VideoFrame decoded;
    private BoxConverter converter;
    private BoxConverter.Pixels pixels;
    private BoxFrame box;
    private int rows;
    private final byte[] scratch = new byte[CANVAS.width()];

    @Setup
    public void prepare() {
        int width = Integer.parseInt(size.substring(0, size.indexOf('x')));
        rows = Integer.parseInt(size.substring(size.indexOf('x') + 1));
        ground = VideoFrame.allocate(FORMAT);
        decoded = VideoFrame.allocate(FORMAT);
        converter = new BoxConverter(CANVAS, new CanvasBox(0, 0, width, rows), 100);
        MemorySegment bytes = Arena.ofAuto().allocate(4L * width * rows);
        for (long i = 0; i < bytes.byteSize(); i++) {
            int value = i % 4 == 3 ? alpha : (int) (i % (alpha + 1));
            bytes.set(ValueLayout.JAVA_BYTE, i, (byte) value);
        }
        pixels = new BoxConverter.Pixels(bytes, 4 * width);
        box = converter.convert(pixels, 0, rows);
    }

    @TearDown
    public void close() {
        ground.close();
        decoded.close();
    }

    @Benchmark
    public BoxFrame convert() {
        return converter.convert(pixels, 0, rows);
    }

    @Benchmark
    public void blend() {
        box.blendInto(ground.planes(), scratch);
    }

    @Benchmark
    public void copyFrame() {
        ground.fillFrom(decoded);
    }
}
