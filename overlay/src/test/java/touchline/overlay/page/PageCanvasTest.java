package touchline.overlay.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PageCanvasTest {
    private static final int WIDTH = 40;
    private static final int HEIGHT = 30;

    private final byte[] pixels = new byte[WIDTH * HEIGHT * 4];

    private Optional<PixelBox> take(PageCanvas canvas) throws IOException {
        byte[] png = PngFiles.rgba(WIDTH, HEIGHT, pixels, 2);
        return canvas.apply(ByteBuffer.wrap(Base64.getEncoder().encode(png)), 7)
                .map(PageFrame::changed);
    }

    private void set(int x, int y, int channel, int value) {
        pixels[(y * WIDTH + x) * 4 + channel] = (byte) value;
    }

    @Test
    void frame_theFirst_andOneAfterARefresh_areChangedAllOver() throws IOException {
        try (PageCanvas canvas = new PageCanvas(WIDTH, HEIGHT)) {
            PixelBox whole = new PixelBox(0, 0, WIDTH, HEIGHT);
            assertEquals(Optional.of(whole), take(canvas));
            assertEquals(Optional.empty(), take(canvas));
            canvas.refresh();
            assertEquals(Optional.of(whole), take(canvas));
        }
    }

    @Test
    void change_ofSomePixels_isBoxedExactly_andOnThePixels() throws IOException {
        try (PageCanvas canvas = new PageCanvas(WIDTH, HEIGHT)) {
            take(canvas);
            set(12, 5, 3, 9);
            assertEquals(Optional.of(new PixelBox(12, 5, 1, 1)), take(canvas));

            set(3, 20, 0, 1);
            set(39, 8, 2, 1);
            set(20, 29, 1, 0x5a);
            byte[] png = PngFiles.rgba(WIDTH, HEIGHT, pixels, 4);
            PageFrame frame =
                    canvas.apply(ByteBuffer.wrap(Base64.getEncoder().encode(png)), 7).orElseThrow();
            assertEquals(new PixelBox(3, 8, 37, 22), frame.changed());
            assertEquals("005a0000", PageWitness.pixel(frame, 20, 29));
            assertEquals("00000009", PageWitness.pixel(frame, 12, 5));
        }
    }

    @Test
    void change_atTheCorners_isBoxedToTheEdges() throws IOException {
        try (PageCanvas canvas = new PageCanvas(WIDTH, HEIGHT)) {
            take(canvas);
            set(0, 0, 0, 1);
            set(WIDTH - 1, HEIGHT - 1, 3, 1);
            assertEquals(Optional.of(new PixelBox(0, 0, WIDTH, HEIGHT)), take(canvas));
        }
    }

    @Test
    void frame_thatIsNoBase64_isRefused() {
        try (PageCanvas canvas = new PageCanvas(WIDTH, HEIGHT)) {
            ByteBuffer junk = ByteBuffer.wrap("~".getBytes(StandardCharsets.UTF_8));
            assertThrows(IOException.class, () -> canvas.apply(junk, 0));
        }
    }
}
