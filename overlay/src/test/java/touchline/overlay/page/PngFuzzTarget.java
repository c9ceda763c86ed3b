package touchline.overlay.page;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.zip.Deflater;
import touchline.testing.fuzz.FuzzTarget;

/**
 * PNG files: the input as it is, and as the filtered rows of a file whose lengths and compression
 * are right. Two readers give the same pixels, also where one has read another frame before.
 */
public final class PngFuzzTarget implements FuzzTarget {
    private static final int WIDTH = 9;
    private static final int HEIGHT = 5;
    private static final int RGB = 2;
    private static final int RGBA = 6;

    @Override
    public String name() {
        return "png";
    }

    @Override
    public List<byte[]> seeds() {
        byte[] pixels = new byte[WIDTH * HEIGHT * 4];
        for (int i = 0; i < pixels.length; i++) {
            pixels[i] = (byte) (i * 7);
        }
        return List.of(
                PngFiles.rgba(WIDTH, HEIGHT, pixels, 0),
                PngFiles.rgba(WIDTH, HEIGHT, pixels, 2),
                PngFiles.rgba(WIDTH, HEIGHT, pixels, 4),
                PngFiles.rgb(WIDTH, HEIGHT, pixels),
                PngFiles.rgba(WIDTH + 1, HEIGHT, new byte[(WIDTH + 1) * HEIGHT * 4], 1),
                rows(3, 3));
    }

    private static byte[] rows(int channels, int filter) {
        byte[] rows = new byte[1 + (1 + WIDTH * channels) * HEIGHT];
        Arrays.fill(rows, (byte) filter);
        return rows;
    }

    @Override
    public void read(byte[] input) {
        try (PngReader used = new PngReader(WIDTH, HEIGHT)) {
            byte[] before = new byte[WIDTH * HEIGHT * 4];
            read(used, PngFiles.rgba(WIDTH, HEIGHT, before, 4));
            same(used, input);
            if (input.length > 0) {
                same(used, file((input[0] & 1) == 0 ? RGB : RGBA, input));
            }
        }
    }

    private static void same(PngReader used, byte[] file) {
        try (PngReader fresh = new PngReader(WIDTH, HEIGHT)) {
            byte[] first = read(fresh, file);
            byte[] second = read(used, file);
            if (!Arrays.equals(first, second)) {
                throw new AssertionError("a reader that has read before gives other pixels");
            }
        }
    }

    /** The pixels; empty where the file is refused. */
    private static byte[] read(PngReader reader, byte[] file) {
        byte[] pixels = new byte[WIDTH * HEIGHT * 4];
        try {
            return reader.read(ByteBuffer.wrap(file), pixels) ? pixels : new byte[0];
        } catch (IOException _) {
            return new byte[0];
        }
    }

    /** A file of these rows, cut or filled up with 0. */
    private static byte[] file(int colour, byte[] input) {
        int rowBytes = 1 + WIDTH * (colour == RGB ? 3 : 4);
        byte[] rows = Arrays.copyOf(Arrays.copyOfRange(input, 1, input.length), rowBytes * HEIGHT);
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.writeBytes(ByteBuffer.allocate(8).putLong(0x89504e470d0a1a0aL).array());
        ByteBuffer header = ByteBuffer.allocate(13).putInt(WIDTH).putInt(HEIGHT);
        chunk(file, 0x49484452, header.put((byte) 8).put((byte) colour).array());
        chunk(file, 0x49444154, deflated(rows));
        chunk(file, 0x49454e44, new byte[0]);
        return file.toByteArray();
    }

    /** The reader does not look at the checksum. */
    private static void chunk(ByteArrayOutputStream file, int type, byte[] data) {
        file.writeBytes(ByteBuffer.allocate(8).putInt(data.length).putInt(type).array());
        file.writeBytes(data);
        file.writeBytes(new byte[4]);
    }

    private static byte[] deflated(byte[] bytes) {
        Deflater deflater = new Deflater(Deflater.BEST_SPEED);
        deflater.setInput(bytes);
        deflater.finish();
        byte[] packed = new byte[bytes.length + 128];
        int length = deflater.deflate(packed);
        deflater.end();
        return Arrays.copyOf(packed, length);
    }
}
