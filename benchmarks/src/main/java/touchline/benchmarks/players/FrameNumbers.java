package touchline.benchmarks.players;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.function.IntUnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the numbers of shown frames from what a program writes for each. A frame carries its number
 * in sixteen cells along the top, bit 0 leftmost, white for 1, each a twentieth of the width.
 */
@FunctionalInterface
interface FrameNumbers {
    /** Size of a frame for {@link #ofGrey}: a pixel for each cell, in the upper four rows. */
    int GREY_WIDTH = 20;

    int GREY_HEIGHT = 45;

    /**
     * Waits for the next frame.
     *
     * @throws EOFException the program has ended
     */
    int next() throws IOException;

    /** Frames of {@link #GREY_WIDTH} by {@link #GREY_HEIGHT} grey pixels. */
    static FrameNumbers ofGrey(InputStream from) {
        DataInputStream in = new DataInputStream(from);
        byte[] frame = new byte[GREY_WIDTH * GREY_HEIGHT];
        return () -> {
            in.readFully(frame);
            return number(bit -> frame[GREY_WIDTH + bit] & 0xFF);
        };
    }

    /** Frames that are text with colours, a line each; the first row is in the cells. */
    static FrameNumbers ofTerminal(InputStream from) {
        Pattern colour = Pattern.compile("48;2;(\\d+);");
        BufferedReader in =
                new BufferedReader(new InputStreamReader(from, StandardCharsets.US_ASCII));
        return () -> {
            while (true) {
                String line = in.readLine();
                if (line == null) {
                    throw new EOFException();
                }
                int[] levels =
                        colour.matcher(line)
                                .results()
                                .limit(GREY_WIDTH)
                                .mapToInt(match -> Integer.parseInt(match.group(1)))
                                .toArray();
                if (levels.length == GREY_WIDTH) {
                    return number(bit -> levels[bit]);
                }
            }
        };
    }

    /** YUV4MPEG2 with frames in 4:2:0; a further header changes their size. */
    static FrameNumbers ofYuv4Mpeg(InputStream from) {
        return new Yuv4Mpeg(from)::next;
    }

    private static int number(IntUnaryOperator level) {
        int number = 0;
        for (int bit = 0; bit < 16; bit++) {
            number |= level.applyAsInt(bit) > 128 ? 1 << bit : 0;
        }
        return number;
    }

    /** Frames of one size until the next header. Owned by one thread. */
    final class Yuv4Mpeg {
        private static final Pattern SIZE = Pattern.compile("^YUV4MPEG2 W(\\d+) H(\\d+) ");

        private final DataInputStream in;
        private int width;
        private int height;
        private byte[] frame = new byte[0];

        private Yuv4Mpeg(InputStream from) {
            in = new DataInputStream(new BufferedInputStream(from, 1 << 16));
        }

        private int next() throws IOException {
            String line = line();
            while (!line.equals("FRAME")) {
                Matcher size = SIZE.matcher(line);
                if (!size.find()) {
                    throw new IOException("not YUV4MPEG2: " + line);
                }
                width = Integer.parseInt(size.group(1));
                height = Integer.parseInt(size.group(2));
                int chroma = (width + 1) / 2 * ((height + 1) / 2);
                frame = new byte[width * height + 2 * chroma];
                line = line();
            }
            in.readFully(frame);
            int row = height * 2 / GREY_HEIGHT * width;
            return number(bit -> frame[row + (2 * bit + 1) * width / (2 * GREY_WIDTH)] & 0xFF);
        }

        private String line() throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            for (int next = in.readUnsignedByte(); next != '\n'; next = in.readUnsignedByte()) {
                bytes.write(next);
            }
            return bytes.toString(StandardCharsets.US_ASCII);
        }
    }
}
