package touchline.overlay.page;

import java.lang.foreign.MemorySegment;

/**
 * Pixels of a page's window with transparency. Valid during {@link PageListener#frame} only.
 *
 * <p>Pixels are R, G, B, A bytes, rows from the top, and <b>premultiplied</b>: R, G and B are
 * already multiplied with A / 255. The browser's compositor uses this form, and a screencast's PNG
 * has it too, although PNG defines straight alpha. Over a background {@code g} a pixel shows {@code
 * c + g * (255 - a) / 255}.
 *
 * @param pixels the whole window, also outside of {@code changed}; in native memory
 * @param strideBytes distance of rows
 * @param changed smallest box around all pixels that differ from the last delivered frame; the
 *     whole window for the first frame after a load
 * @param sinceNs {@link System#nanoTime} when the browser's frame arrived
 */
public record PageFrame(
        MemorySegment pixels,
        int widthPixels,
        int heightPixels,
        int strideBytes,
        PixelBox changed,
        long sinceNs) {
    /** R, G, B, A. */
    public static final int BYTES_PER_PIXEL = 4;
}
