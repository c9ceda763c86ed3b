package touchline.overlay.page;

import java.lang.foreign.MemorySegment;

/**
 * A page's window with its transparency. Lent for the duration of {@link PageListener#frame}.
 *
 * <p>Pixels are R, G, B, A bytes, rows from the top, and <b>premultiplied</b>: R, G and B are
 * already multiplied with A / 255, as the browser's compositor has them (a screencast's PNG holds
 * them so, although PNG says straight alpha). Over a ground {@code g} a pixel shows {@code c + g *
 * (255 - a) / 255}.
 *
 * @param pixels all of the window, also what lies outside of {@code changed}; in native memory
 * @param strideBytes from one row to the next
 * @param changed the smallest box around all pixels that differ from the frame delivered before;
 *     the whole window for the first after a load
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
