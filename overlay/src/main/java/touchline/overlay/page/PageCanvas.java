package touchline.overlay.page;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

/**
 * Pixels of a page's window: decodes screencast frames, finds the changed box, and holds the pixels
 * in native memory. One owner thread, which also closes it.
 */
final class PageCanvas implements AutoCloseable {
    private final int width;
    private final int height;
    private final int strideBytes;
    private final PngReader reader;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment pixels;
    private byte[] shown;
    private byte[] next;
    private boolean fresh = true;

    PageCanvas(int width, int height) {
        this.width = width;
        this.height = height;
        this.strideBytes = width * PageFrame.BYTES_PER_PIXEL;
        this.reader = new PngReader(width, height);
        // 64: a cache line, and the alignment of the widest vector instructions.
        this.pixels = arena.allocate((long) strideBytes * height, 64);
        this.shown = new byte[strideBytes * height];
        this.next = new byte[strideBytes * height];
    }

    /** The next frame counts as changed completely. */
    void refresh() {
        fresh = true;
    }

    /**
     * Decodes a frame.
     *
     * @param base64 of a PNG file
     * @return empty if nothing changed, or if the size differs: the browser may send such frames
     *     first
     * @throws IOException the frame is damaged
     */
    Optional<PageFrame> apply(ByteBuffer base64, long sinceNs) throws IOException {
        ByteBuffer png;
        try {
            png = Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw new IOException("frame: " + e.getMessage(), e);
        }
        if (!reader.read(png, next)) {
            return Optional.empty();
        }
        Optional<PixelBox> changed =
                fresh ? Optional.of(new PixelBox(0, 0, width, height)) : difference();
        byte[] older = shown;
        shown = next;
        next = older;
        fresh = false;
        return changed.map(box -> frame(box, sinceNs));
    }

    @Override
    public void close() {
        reader.close();
        arena.close();
    }

    private PageFrame frame(PixelBox box, long sinceNs) {
        int start = box.y() * strideBytes;
        MemorySegment.copy(
                MemorySegment.ofArray(shown),
                start,
                pixels,
                start,
                (long) box.height() * strideBytes);
        return new PageFrame(pixels.asReadOnly(), width, height, strideBytes, box, sinceNs);
    }

    private Optional<PixelBox> difference() {
        int first = Arrays.mismatch(shown, next);
        if (first < 0) {
            return Optional.empty();
        }
        int top = first / strideBytes;
        int bottom = height - 1;
        while (mismatch(bottom) < 0) {
            bottom--;
        }
        int left = strideBytes;
        int right = 0;
        for (int y = top; y <= bottom; y++) {
            int begin = mismatch(y);
            if (begin >= 0) {
                left = Math.min(left, begin);
                right = Math.max(right, lastMismatch(y, right));
            }
        }
        int x = left / PageFrame.BYTES_PER_PIXEL;
        int end = right / PageFrame.BYTES_PER_PIXEL;
        return Optional.of(new PixelBox(x, top, end - x + 1, bottom - top + 1));
    }

    /** The first byte of a row that differs; -1 where none does. */
    private int mismatch(int y) {
        int row = y * strideBytes;
        return Arrays.mismatch(shown, row, row + strideBytes, next, row, row + strideBytes);
    }

    /** The last byte of a row that differs, if it is after {@code least}. */
    private int lastMismatch(int y, int least) {
        int row = y * strideBytes;
        int x = strideBytes - 1;
        while (x > least && shown[row + x] == next[row + x]) {
            x--;
        }
        return x;
    }
}
