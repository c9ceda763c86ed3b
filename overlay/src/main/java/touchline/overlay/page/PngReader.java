package touchline.overlay.page;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Reads the PNG files of a screencast: 8 bits of R, G, B and, unless opaque, A; not interlaced
 * (PNG, third edition, 5 and 9). Optimised for many frames of one size, into reused memory. As fast
 * as FFmpeg's decoder and twice as fast as ImageIO: inflating dominates. One thread; {@link #close}
 * frees the inflater.
 */
final class PngReader implements AutoCloseable {
    private static final long SIGNATURE = 0x89504e470d0a1a0aL;
    private static final int IHDR = 0x49484452;
    private static final int IDAT = 0x49444154;
    private static final int IEND = 0x49454e44;
    private static final int HEADER_BYTES = 13;
    private static final int RGB = 2;
    private static final int RGBA = 6;

    private final int width;
    private final int height;
    private final Inflater inflater = new Inflater();
    private byte[] filtered = {};

    PngReader(int width, int height) {
        this.width = width;
        this.height = height;
    }

    /**
     * Reads one frame.
     *
     * @param rgba filled with width * height * 4 bytes, rows from the top
     * @return false for a frame of another size; {@code rgba} is unchanged
     * @throws IOException damaged, or of a kind that a browser does not send; {@code rgba} is
     *     undefined
     */
    boolean read(ByteBuffer png, byte[] rgba) throws IOException {
        if (png.remaining() < Long.BYTES || png.getLong() != SIGNATURE) {
            throw new IOException("signature: not a PNG file");
        }
        int channels = 0;
        int filled = 0;
        inflater.reset();
        while (png.remaining() >= 2 * Integer.BYTES) {
            int length = png.getInt();
            int type = png.getInt();
            if (length < 0 || length > png.remaining() - Integer.BYTES) {
                throw new IOException("chunk: %d of %d bytes".formatted(length, png.remaining()));
            }
            ByteBuffer chunk = png.slice(png.position(), length);
            png.position(png.position() + length + Integer.BYTES);
            if (type == IHDR ? channels != 0 : type == IDAT && channels == 0) {
                throw new IOException("chunks: order (expected: one IHDR before all IDAT)");
            }
            if (type == IHDR) {
                channels = channels(chunk);
                if (channels == 0) {
                    return false;
                }
            } else if (type == IDAT) {
                filled = inflate(chunk, filled);
            } else if (type == IEND) {
                break;
            }
        }
        if (channels == 0 || filled != filtered.length) {
            throw new IOException("pixels: %d of %d bytes".formatted(filled, filtered.length));
        }
        unfilter(channels);
        spread(channels, rgba);
        return true;
    }

    @Override
    public void close() {
        inflater.end();
    }

    /** Bytes per pixel; 0 for another size. */
    private int channels(ByteBuffer header) throws IOException {
        if (header.remaining() != HEADER_BYTES) {
            throw new IOException("IHDR: " + header.remaining() + " bytes (expected: 13)");
        }
        int itsWidth = header.getInt();
        int itsHeight = header.getInt();
        int depth = header.get();
        int colour = header.get();
        header.getShort(); // Compression and filter method: PNG defines one of each.
        int interlace = header.get();
        if (depth != 8 || (colour != RGB && colour != RGBA) || interlace != 0) {
            throw new IOException(
                    "IHDR: depth %d, colour %d, interlace %d (expected: 8, 2 or 6, 0)"
                            .formatted(depth, colour, interlace));
        }
        if (itsWidth != width || itsHeight != height) {
            return 0;
        }
        int channels = colour == RGB ? 3 : 4;
        int bytes = (1 + width * channels) * height;
        if (filtered.length != bytes) {
            filtered = new byte[bytes];
        }
        return channels;
    }

    private int inflate(ByteBuffer chunk, int start) throws IOException {
        inflater.setInput(chunk);
        int filled = start;
        try {
            while (filled < filtered.length) {
                int count = inflater.inflate(filtered, filled, filtered.length - filled);
                if (count == 0) {
                    break; // Needs the next chunk, or has ended.
                }
                filled += count;
            }
        } catch (DataFormatException e) {
            throw new IOException("IDAT: " + e.getMessage(), e);
        }
        return filled;
    }

    /** PNG, third edition, 9.2; each row begins with its filter's number. */
    private void unfilter(int channels) throws IOException {
        int stride = width * channels;
        for (int y = 0; y < height; y++) {
            int row = y * (1 + stride) + 1;
            int above = row - 1 - stride;
            switch (filtered[row - 1]) {
                case 0 -> {}
                case 1 -> left(row, stride, channels);
                case 2 -> {
                    if (y > 0) {
                        up(row, above, stride);
                    }
                }
                case 3 -> average(row, y > 0 ? above : -1, stride, channels);
                case 4 -> paeth(row, y > 0 ? above : -1, stride, channels);
                default -> throw new IOException("filter: " + filtered[row - 1] + " (0 to 4)");
            }
        }
    }

    private void left(int row, int stride, int channels) {
        for (int x = channels; x < stride; x++) {
            filtered[row + x] += filtered[row + x - channels];
        }
    }

    /**
     * The filter that Chromium uses for screencasts; a loop that compiles to vector instructions.
     */
    private void up(int row, int above, int stride) {
        byte[] bytes = filtered;
        for (int x = 0; x < stride; x++) {
            bytes[row + x] = (byte) (bytes[row + x] + bytes[above + x]);
        }
    }

    private void average(int row, int above, int stride, int channels) {
        for (int x = 0; x < stride; x++) {
            int a = x < channels ? 0 : filtered[row + x - channels] & 0xff;
            int b = above < 0 ? 0 : filtered[above + x] & 0xff;
            filtered[row + x] += (byte) ((a + b) >> 1);
        }
    }

    private void paeth(int row, int above, int stride, int channels) {
        for (int x = 0; x < stride; x++) {
            int a = x < channels ? 0 : filtered[row + x - channels] & 0xff;
            int b = above < 0 ? 0 : filtered[above + x] & 0xff;
            int c = x < channels || above < 0 ? 0 : filtered[above + x - channels] & 0xff;
            int fromA = Math.abs(b - c);
            int fromB = Math.abs(a - c);
            int fromC = Math.abs(a + b - 2 * c);
            int best = fromA <= fromB && fromA <= fromC ? a : fromB <= fromC ? b : c;
            filtered[row + x] += (byte) best;
        }
    }

    private void spread(int channels, byte[] rgba) {
        int stride = width * channels;
        for (int y = 0; y < height; y++) {
            int from = y * (1 + stride) + 1;
            int to = y * width * 4;
            if (channels == 4) {
                System.arraycopy(filtered, from, rgba, to, stride);
            } else {
                for (int x = 0; x < width; x++) {
                    rgba[to + 4 * x] = filtered[from + 3 * x];
                    rgba[to + 4 * x + 1] = filtered[from + 3 * x + 1];
                    rgba[to + 4 * x + 2] = filtered[from + 3 * x + 2];
                    rgba[to + 4 * x + 3] = (byte) 255;
                }
            }
        }
    }
}
