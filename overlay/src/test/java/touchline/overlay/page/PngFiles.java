package touchline.overlay.page;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** PNG files with all filters and colour types of browsers. */
final class PngFiles {
    private PngFiles() {}

    /**
     * @param rgba rows from the top
     * @param filter of every row, 0 to 4
     */
    static byte[] rgba(int width, int height, byte[] rgba, int filter) {
        int stride = width * 4;
        byte[] lines = new byte[(stride + 1) * height];
        for (int y = 0; y < height; y++) {
            lines[y * (stride + 1)] = (byte) filter;
            for (int x = 0; x < stride; x++) {
                int at = y * stride + x;
                int a = x < 4 ? 0 : rgba[at - 4] & 0xff;
                int b = y == 0 ? 0 : rgba[at - stride] & 0xff;
                int c = x < 4 || y == 0 ? 0 : rgba[at - stride - 4] & 0xff;
                int predicted =
                        switch (filter) {
                            case 1 -> a;
                            case 2 -> b;
                            case 3 -> (a + b) / 2;
                            case 4 -> paeth(a, b, c);
                            default -> 0;
                        };
                lines[y * (stride + 1) + 1 + x] = (byte) (rgba[at] - predicted);
            }
        }
        return file(width, height, 6, lines);
    }

    /** Without alpha. */
    static byte[] rgb(int width, int height, byte[] rgba) {
        byte[] lines = new byte[(width * 3 + 1) * height];
        int to = 0;
        for (int y = 0; y < height; y++) {
            lines[to++] = 0;
            for (int x = 0; x < width; x++) {
                for (int i = 0; i < 3; i++) {
                    lines[to++] = rgba[(y * width + x) * 4 + i];
                }
            }
        }
        return file(width, height, 2, lines);
    }

    /** As defined in PNG, third edition, 9.4. */
    private static int paeth(int a, int b, int c) {
        int p = a + b - c;
        int pa = Math.abs(p - a);
        int pb = Math.abs(p - b);
        int pc = Math.abs(p - c);
        if (pa <= pb && pa <= pc) {
            return a;
        }
        return pb <= pc ? b : c;
    }

    private static byte[] file(int width, int height, int colour, byte[] lines) {
        byte[] header = new byte[13];
        ByteBuffer.wrap(header).putInt(width).putInt(height).put((byte) 8).put((byte) colour);
        byte[] packed = deflated(lines);
        int half = packed.length / 2;
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.writeBytes(HexFormat.of().parseHex("89504e470d0a1a0a"));
        chunk(file, "IHDR", header);
        chunk(file, "IDAT", Arrays.copyOf(packed, half));
        chunk(file, "IDAT", Arrays.copyOfRange(packed, half, packed.length));
        chunk(file, "IEND", new byte[0]);
        return file.toByteArray();
    }

    private static void chunk(ByteArrayOutputStream file, String type, byte[] data) {
        ByteArrayOutputStream named = new ByteArrayOutputStream();
        named.writeBytes(type.getBytes(StandardCharsets.US_ASCII));
        named.writeBytes(data);
        CRC32 crc = new CRC32();
        crc.update(named.toByteArray());
        file.writeBytes(bigEndian(data.length));
        file.writeBytes(named.toByteArray());
        file.writeBytes(bigEndian((int) crc.getValue()));
    }

    private static byte[] bigEndian(int value) {
        byte[] bytes = new byte[4];
        ByteBuffer.wrap(bytes).putInt(value);
        return bytes;
    }

    private static byte[] deflated(byte[] bytes) {
        Deflater deflater = new Deflater();
        deflater.setInput(bytes);
        deflater.finish();
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        byte[] buffer = new byte[512];
        while (!deflater.finished()) {
            packed.write(buffer, 0, deflater.deflate(buffer));
        }
        deflater.end();
        return packed.toByteArray();
    }
}
