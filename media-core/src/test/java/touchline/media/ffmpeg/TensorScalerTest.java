package touchline.media.ffmpeg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import touchline.media.ffmpeg.TensorScaler.Area;

final class TensorScalerTest {
    private static final float GREY = 114 / 255f;

    private final Arena arena = Arena.ofConfined();

    @AfterEach
    void close() {
        arena.close();
    }

    /** Colours by BT.709 in video range; the float path is exact to less than a step of 8 bits. */
    @ParameterizedTest
    @CsvSource({
        "1280, 720, 224, 224",
        "640, 360, 640, 384",
        "16, 16, 64, 48",
        "4096, 2160, 160, 160",
        "1280, 720, 299, 299",
        "100, 60, 17, 31"
    })
    void stretchedFrame_planesAreRedGreenBlue(int width, int height, int toWidth, int toHeight) {
        MemorySegment tensor = scaled(cyan(width, height), toWidth, toHeight, false);

        for (int y = 0; y < toHeight; y++) {
            for (int x = 0; x < toWidth; x++) {
                assertEquals(0, sample(tensor, toWidth, toHeight, 0, x, y), 0.01, "red");
                assertEquals(1, sample(tensor, toWidth, toHeight, 1, x, y), 0.01, "green");
                assertEquals(1, sample(tensor, toWidth, toHeight, 2, x, y), 0.01, "blue");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1280, 720, 640, 640",
        "720, 1280, 640, 640",
        "720, 1270, 320, 200",
        "16, 16, 300, 70",
        "4096, 2160, 320, 320"
    })
    void shapeKept_greyAroundTheFrameAndNothingOfItBeyond(
            int width, int height, int toWidth, int toHeight) {
        VideoFrame frame = cyan(width, height);
        Area area;
        try (TensorScaler scaler = TensorScaler.open(frame.format(), toWidth, toHeight, true)) {
            area = scaler.content();
        }
        MemorySegment tensor = scaled(frame, toWidth, toHeight, true);

        assertEquals(
                (double) width / height,
                (double) area.width() / area.height(),
                0.03 * width / height,
                area.toString());
        for (int y = 0; y < toHeight; y++) {
            for (int x = 0; x < toWidth; x++) {
                boolean inside =
                        x >= area.left()
                                && x < area.left() + area.width()
                                && y >= area.top()
                                && y < area.top() + area.height();
                String where = x + "," + y;
                assertEquals(
                        inside ? 0 : GREY, sample(tensor, toWidth, toHeight, 0, x, y), 0.01, where);
                assertEquals(
                        inside ? 1 : GREY, sample(tensor, toWidth, toHeight, 2, x, y), 0.01, where);
            }
        }
    }

    /** Rec. ITU-R BT.709, 3.4 and 3.5, in video range. */
    @Test
    void samples_areExact() {
        try (VideoFrame frame = VideoFrame.allocate(new FrameFormat(128, 64, Colour.BT709))) {
            TestFrames.flat(frame, 126, 118, 150);
            double y = 110 / 219.0;
            double[] rgb = {
                y + 1.5748 * 22 / 224,
                y + 0.1873 * 10 / 224 - 0.4681 * 22 / 224,
                y - 1.8556 * 10 / 224
            };
            MemorySegment tensor = arena.allocate(TensorScaler.sizeBytes(32, 32), 64);
            try (TensorScaler scaler = TensorScaler.open(frame.format(), 32, 32, false)) {
                scaler.scale(frame.view(), tensor);
            }
            for (int plane = 0; plane < 3; plane++) {
                assertEquals(rgb[plane], sample(tensor, 32, 32, plane, 16, 16), 0.003);
            }
        }
    }

    @Test
    void tensorOfAnotherSize_isRefused() {
        try (VideoFrame frame = cyan(64, 64);
                TensorScaler scaler = TensorScaler.open(frame.format(), 32, 32, false)) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> scaler.scale(frame.view(), arena.allocate(32 * 32 * 12 - 4, 64)));
            assertThrows(
                    IllegalArgumentException.class,
                    () ->
                            scaler.scale(
                                    frame.view(), MemorySegment.ofArray(new byte[32 * 32 * 12])));
        }
    }

    /** Closes the frame. */
    private MemorySegment scaled(VideoFrame frame, int width, int height, boolean keepShape) {
        long bytes = TensorScaler.sizeBytes(width, height);
        // Guard bytes before and after the tensor detect writes out of bounds.
        MemorySegment guarded = arena.allocate(bytes + 128, 64).fill((byte) 0x5A);
        try (frame;
                TensorScaler scaler = TensorScaler.open(frame.format(), width, height, keepShape)) {
            scaler.scale(frame.view(), guarded.asSlice(64, bytes));
        }
        for (int i = 0; i < 64; i++) {
            assertEquals(0x5A, guarded.get(ValueLayout.JAVA_BYTE, i));
            assertEquals(0x5A, guarded.get(ValueLayout.JAVA_BYTE, 64 + bytes + i));
        }
        return guarded.asSlice(64, bytes);
    }

    private static float sample(
            MemorySegment tensor, int width, int height, int plane, int x, int y) {
        return tensor.getAtIndex(ValueLayout.JAVA_FLOAT, ((long) plane * height + y) * width + x);
    }

    private static VideoFrame cyan(int width, int height) {
        VideoFrame frame = VideoFrame.allocate(new FrameFormat(width, height, Colour.BT709));
        TestFrames.flat(frame, 188, 154, 16);
        return frame;
    }
}
