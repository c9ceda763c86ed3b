package touchline.api.programme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.domain.Image;
import touchline.api.domain.ImageFile;
import touchline.media.worker.WorkerJobException;

/** From an uploaded file to the image that is stored, without the process between them. */
final class ImageHandlerTest {
    private static final int MAX_SIDE = 4_096;

    @TempDir private Path folder;

    private JsonNode size = JsonNodeFactory.instance.objectNode();

    /** What the child process decodes, and the server encodes. */
    private ImageFile stored(BufferedImage image, String format) throws Exception {
        Path source = folder.resolve("image");
        Path result = folder.resolve("pixels");
        assertTrue(ImageIO.write(image, format, source.toFile()));
        size =
                new ImageHandler()
                        .handle(
                                JsonNodeFactory.instance
                                        .objectNode()
                                        .put("source", source.toString())
                                        .put("result", result.toString())
                                        .put("max_side", MAX_SIDE)
                                        .put("stored_side", Image.MAX_STORED_SIDE),
                                _ -> {});
        return ImageEncoder.encode(
                ImagePixels.read(
                        result,
                        size.path("stored_width").asInt(),
                        size.path("stored_height").asInt()));
    }

    private static BufferedImage decoded(ImageFile file) throws IOException {
        assertTrue(file.bytes().length <= Image.MAX_STORED_BYTES, () -> "" + file.bytes().length);
        return ImageIO.read(new ByteArrayInputStream(file.bytes()));
    }

    /** Left half in one colour, right half in another. */
    private static BufferedImage halves(int width, int height, int type, int left, int right) {
        BufferedImage image = new BufferedImage(width, height, type);
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                image.setRGB(x, y, x < width / 2 ? left : right);
            }
        }
        return image;
    }

    private static void assertNear(int expected, int pixel) {
        for (int shift = 0; shift < 32; shift += 8) {
            int apart = (expected >>> shift & 0xFF) - (pixel >>> shift & 0xFF);
            assertTrue(Math.abs(apart) <= 3, () -> "%08x %08x".formatted(expected, pixel));
        }
    }

    @Test
    void alpha_isKept_asPng() throws Exception {
        int half = 0x80_20A040;
        ImageFile file = stored(halves(40, 20, BufferedImage.TYPE_INT_ARGB, half, 0), "png");

        assertEquals("image/png", file.mediaType());
        BufferedImage image = decoded(file);
        assertNear(half, image.getRGB(5, 10));
        assertEquals(0, image.getRGB(30, 10) >>> 24);
    }

    @Test
    void alpha_ofAPalette_isKept() throws Exception {
        byte[] levels = {0, (byte) 255};
        IndexColorModel palette =
                new IndexColorModel(1, 2, levels, levels, levels, new byte[] {0, (byte) 255});
        BufferedImage logo = new BufferedImage(16, 16, BufferedImage.TYPE_BYTE_BINARY, palette);
        logo.setRGB(3, 3, 0xFFFFFFFF);
        ImageFile file = stored(logo, "png");

        assertEquals("image/png", file.mediaType());
        assertEquals(0, decoded(file).getRGB(9, 9) >>> 24);
        assertEquals(0xFFFFFFFF, decoded(file).getRGB(3, 3));
    }

    @Test
    void opaqueImages_areStoredAsJpeg() throws Exception {
        int red = 0xFFC02020;
        ImageFile png = stored(halves(64, 64, BufferedImage.TYPE_INT_ARGB, red, red), "png");
        assertEquals("image/jpeg", png.mediaType());
        assertNear(red, decoded(png).getRGB(32, 32));

        // Scaling makes no pixel of the border transparent.
        ImageFile jpeg = stored(halves(2_501, 999, BufferedImage.TYPE_INT_RGB, red, red), "jpg");
        assertEquals("image/jpeg", jpeg.mediaType());
        assertNear(red, decoded(jpeg).getRGB(32, 32));
    }

    @Test
    void largeLogo_isScaled_andTransparentPixelsLendItsEdgeNoColour() throws Exception {
        // What lies under alpha 0 is green: it must not show at the edge of the white half.
        ImageFile file =
                stored(
                        halves(4_000, 400, BufferedImage.TYPE_INT_ARGB, 0xFFFFFFFF, 0x0000FF00),
                        "png");

        assertEquals(4_000, size.path("width").asInt());
        BufferedImage image = decoded(file);
        assertEquals(Image.MAX_STORED_SIDE, image.getWidth());
        assertEquals(192, image.getHeight());
        for (int x = 950; x < 970; x++) {
            int pixel = image.getRGB(x, 100);
            if (pixel >>> 24 > 16) {
                assertNear(0xFFFFFF, pixel & 0xFFFFFF);
            }
        }
    }

    @Test
    void noise_withAlpha_losesPixelsUntilItFits() throws Exception {
        BufferedImage noise = new BufferedImage(800, 600, BufferedImage.TYPE_INT_ARGB);
        Random random = new Random(1);
        for (int i = 0; i < 800 * 600; i++) {
            noise.setRGB(i % 800, i / 800, random.nextInt());
        }

        ImageFile file = stored(noise, "png");
        assertEquals("image/png", file.mediaType());
        BufferedImage image = decoded(file);
        assertTrue(image.getWidth() < 800 && image.getWidth() > 200, () -> "" + image.getWidth());
        assertEquals(4.0 / 3, (double) image.getWidth() / image.getHeight(), 0.02);
    }

    @Test
    void otherFormatsAndLargeImages_areRefused() {
        BufferedImage image = new BufferedImage(8, 8, BufferedImage.TYPE_INT_RGB);
        WorkerJobException gif = assertThrows(WorkerJobException.class, () -> stored(image, "gif"));
        assertEquals(WorkerJobException.INVALID_INPUT, gif.code());
        BufferedImage wide = new BufferedImage(MAX_SIDE + 1, 1, BufferedImage.TYPE_BYTE_BINARY);
        assertThrows(WorkerJobException.class, () -> stored(wide, "png"));
    }

    @Test
    void pixels_thatAreMissing_areRefused_moreAreIgnored() throws Exception {
        Path file = Files.write(folder.resolve("short"), new byte[4 * 4 * 4 - 1]);
        assertThrows(InvalidImageException.class, () -> ImagePixels.read(file, 4, 4));
        Files.write(file, new byte[1_000]);
        assertEquals(4, ImagePixels.read(file, 4, 4).getWidth());
        Path link = Files.createSymbolicLink(folder.resolve("link"), file);
        assertThrows(IOException.class, () -> ImagePixels.read(link, 4, 4));
    }
}
