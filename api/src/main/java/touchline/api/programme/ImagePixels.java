package touchline.api.programme;

import java.awt.image.BufferedImage;
import java.awt.image.DataBufferInt;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * Pixels of an image in a file, by which a child process returns what it has decoded: rows from the
 * top, without padding, four bytes each pixel (alpha, red, green, blue; alpha is not multiplied).
 */
final class ImagePixels {
    static final int PIXEL_BYTES = 4;

    private ImagePixels() {}

    /** Writes an image of any type. */
    static void write(BufferedImage image, Path file) throws IOException {
        int[] row = new int[image.getWidth()];
        byte[] bytes = new byte[row.length * PIXEL_BYTES];
        IntBuffer of = ByteBuffer.wrap(bytes).asIntBuffer();
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
            for (int y = 0; y < image.getHeight(); y++) {
                image.getRGB(0, y, row.length, 1, row, 0, row.length);
                of.put(0, row);
                out.write(bytes);
            }
        }
    }

    /**
     * Reads a file that another process has written, and that may hold anything. Links are not
     * followed, and no more is read than the size of the image demands.
     *
     * @return of {@link BufferedImage#TYPE_INT_ARGB}
     * @throws InvalidImageException the file is too short
     */
    static BufferedImage read(Path file, int width, int height) throws IOException {
        int bytes = width * height * PIXEL_BYTES;
        byte[] read;
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            read = in.readNBytes(bytes);
        }
        if (read.length != bytes) {
            throw new InvalidImageException(read.length + " bytes (expected: " + bytes + ")");
        }
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_ARGB);
        ByteBuffer.wrap(read)
                .asIntBuffer()
                .get(((DataBufferInt) image.getRaster().getDataBuffer()).getData());
        return image;
    }
}
