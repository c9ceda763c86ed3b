package touchline.benchmarks.players;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class FrameNumbersTest {
    private static final int CELLS = 20;

    @Test
    void grey_twoFrames_areRead() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(luma(20, 45, 5));
        bytes.write(luma(20, 45, 40_000));

        FrameNumbers frames = FrameNumbers.ofGrey(in(bytes));

        assertEquals(5, frames.next());
        assertEquals(40_000, frames.next());
        assertThrows(EOFException.class, frames::next);
    }

    @Test
    void yuv4Mpeg_anotherSize_isFollowed() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(ascii("YUV4MPEG2 W640 H360 F30:1 Ip A1:1\nFRAME\n"));
        bytes.write(luma(640, 360, 700));
        bytes.write(new byte[640 * 360 / 2]);
        bytes.write(ascii("YUV4MPEG2 W480 H270 F30:1 Ip A1:1\nFRAME\n"));
        bytes.write(luma(480, 270, 9));
        bytes.write(new byte[480 * 270 / 2]);

        FrameNumbers frames = FrameNumbers.ofYuv4Mpeg(in(bytes));

        assertEquals(700, frames.next());
        assertEquals(9, frames.next());
        assertThrows(EOFException.class, frames::next);
    }

    @Test
    void terminal_linesWithoutAFrame_areSkipped() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(ascii("\033[?25l\n"));
        for (int number : new int[] {3, 600}) {
            bytes.write(ascii("\033[0;0f"));
            for (int cell = 0; cell < CELLS; cell++) {
                int level = (number >> cell & 1) == 1 ? 235 : 16;
                bytes.write(ascii("\033[48;2;%1$d;%1$d;%1$dm ".formatted(level)));
            }
            bytes.write(ascii("\033[0m\033[1;0f\033[48;2;9;9;9m \033[0m\n"));
        }

        FrameNumbers frames = FrameNumbers.ofTerminal(in(bytes));

        assertEquals(3, frames.next());
        assertEquals(600, frames.next());
        assertThrows(EOFException.class, frames::next);
    }

    /** Cells over the upper four of 45 rows; the rest is grey. */
    private static byte[] luma(int width, int height, int number) {
        byte[] luma = new byte[width * height];
        for (int i = 0; i < luma.length; i++) {
            int cell = i % width * CELLS / width;
            boolean inCells = i / width < height * 4 / 45;
            luma[i] = (byte) (inCells ? (number >> cell & 1) == 1 ? 235 : 16 : 130);
        }
        return luma;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static InputStream in(ByteArrayOutputStream bytes) {
        return new ByteArrayInputStream(bytes.toByteArray());
    }
}
