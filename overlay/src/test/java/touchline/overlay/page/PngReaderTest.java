package touchline.overlay.page;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PngReaderTest {
    private static final int WIDTH = 23;
    private static final int HEIGHT = 17;

    private final byte[] pixels = new byte[WIDTH * HEIGHT * 4];
    private final byte[] read = new byte[WIDTH * HEIGHT * 4];

    PngReaderTest() {
        new Random(1).nextBytes(pixels);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4})
    void frame_ofEachFilter_isReadAsItWas(int filter) throws IOException {
        try (PngReader reader = new PngReader(WIDTH, HEIGHT)) {
            assertTrue(
                    reader.read(
                            ByteBuffer.wrap(PngFiles.rgba(WIDTH, HEIGHT, pixels, filter)), read));
        }
        assertArrayEquals(pixels, read);
    }

    @Test
    void opaqueFrame_ofThreeChannels_getsAnAlphaOf255() throws IOException {
        for (int i = 3; i < pixels.length; i += 4) {
            pixels[i] = (byte) 255;
        }
        try (PngReader reader = new PngReader(WIDTH, HEIGHT)) {
            assertTrue(reader.read(ByteBuffer.wrap(PngFiles.rgb(WIDTH, HEIGHT, pixels)), read));
            assertArrayEquals(pixels, read);
            assertTrue(reader.read(ByteBuffer.wrap(PngFiles.rgba(WIDTH, HEIGHT, pixels, 2)), read));
            assertArrayEquals(pixels, read);
        }
    }

    /** As the fuzz target {@code png} has found it: rows went into the frame before. */
    @Test
    void frame_withRowsBeforeItsHeader_isRefusedByAUsedReaderToo() throws IOException {
        byte[] png = PngFiles.rgba(WIDTH, HEIGHT, pixels, 2);
        int headerBytes = 12 + 13;
        int dataBytes = 12 + ByteBuffer.wrap(png).getInt(8 + headerBytes);
        byte[] swapped = png.clone();
        System.arraycopy(png, 8 + headerBytes, swapped, 8, dataBytes);
        System.arraycopy(png, 8, swapped, 8 + dataBytes, headerBytes);
        try (PngReader reader = new PngReader(WIDTH, HEIGHT)) {
            assertTrue(reader.read(ByteBuffer.wrap(png), read));
            assertThrows(IOException.class, () -> reader.read(ByteBuffer.wrap(swapped), read));
        }
    }

    @Test
    void frame_ofAnotherSize_isPassedOver() throws IOException {
        try (PngReader reader = new PngReader(WIDTH + 1, HEIGHT)) {
            assertFalse(
                    reader.read(ByteBuffer.wrap(PngFiles.rgba(WIDTH, HEIGHT, pixels, 2)), read));
        }
        assertArrayEquals(new byte[read.length], read);
    }

    @Test
    void frame_cutAnywhere_isRefused() {
        byte[] whole = PngFiles.rgba(WIDTH, HEIGHT, pixels, 2);
        // The last chunk, IEND, has 12 bytes.
        for (int length = 0; length < whole.length - 12; length++) {
            ByteBuffer cut = ByteBuffer.wrap(Arrays.copyOf(whole, length));
            try (PngReader reader = new PngReader(WIDTH, HEIGHT)) {
                assertThrows(IOException.class, () -> reader.read(cut, read));
            }
        }
    }

    @Test
    void frame_withAnyByteChanged_isReadOrRefused() {
        byte[] whole = PngFiles.rgba(WIDTH, HEIGHT, pixels, 4);
        Random random = new Random(2);
        int refused = 0;
        for (int i = 0; i < 2000; i++) {
            byte[] broken = whole.clone();
            broken[random.nextInt(broken.length)] ^= (byte) (1 + random.nextInt(255));
            try (PngReader reader = new PngReader(WIDTH, HEIGHT)) {
                reader.read(ByteBuffer.wrap(broken), read);
            } catch (IOException _) {
                refused++;
            }
        }
        assertTrue(refused > 0, "none was refused");
    }
}
