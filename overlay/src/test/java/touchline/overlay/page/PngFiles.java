package touchline.overlay.page;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** PNG files as a browser writes them, and as it might. */
final class PngFiles {
    private PngFiles() {}

    /**
     * @param rgba rows from the top
     * @param filter of every row, 0 to 4
     */
    static ByteBuffer rgba(int width, int height, byte[] rgba, int filter) {
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

    /** Without the alpha, which is lost. */
    static ByteBuffer rgb(int width, int height, byte[] rgba) {
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

    /** As the standard words it (PNG, third edition, 9.4). */
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

    private static ByteBuffer file(int width, int height, int colour, byte[] lines) {
        ByteBuffer header = ByteBuffer.allocate(13);
        header.putInt(width).putInt(height).put((byte) 8).put((byte) colour).put(new byte[3]);
        byte[] packed = deflated(lines);
        byte[] first = new byte[packed.length / 2];
        byte[] second = new byte[packed.length - first.length];
        System.arraycopy(packed, 0, first, 0, first.length);
        System.arraycopy(packed, first.length, second, 0, second.length);
        ByteBuffer file = ByteBuffer.allocate(8 + 4 * 12 + 13 + packed.length);
        file.putLong(0x89504e470d0a1a0aL);
        chunk(file, "IHDR", header.array());
        chunk(file, "IDAT", first);
        chunk(file, "IDAT", second);
        chunk(file, "IEND", new byte[0]);
        return file.flip();
    }

    private static void chunk(ByteBuffer file, String type, byte[] data) {
        file.putInt(data.length);
        int start = file.position();
        for (char each : type.toCharArray()) {
            file.put((byte) each);
        }
        file.put(data);
        CRC32 crc = new CRC32();
        crc.update(file.array(), start, file.position() - start);
        file.putInt((int) crc.getValue());
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
