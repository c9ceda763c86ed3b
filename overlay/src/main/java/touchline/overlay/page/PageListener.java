package touchline.overlay.page;

/**
 * Told about one page, by a thread of the page's own, one call at a time and in order. What it does
 * delays only this page's next frame: frames that come meanwhile are passed over for the newest.
 *
 * <p>The order of calls is {@code (loaded | failed+ recovered) frame* (failed+ recovered frame*)*},
 * with a {@code frame} of the whole window first after each {@code loaded} and {@code recovered}.
 */
public interface PageListener {
    /** The first load has ended well; its first frame follows at once. */
    void loaded();

    /**
     * The page is not shown any more, or not yet: it did not load in time, hangs, crashed, needs
     * too much, went away, or the browser ended. The last frame is the last for now (whoever shows
     * it decides how long). It is tried again by itself, with growing pauses; a try that fails for
     * the same reason as the one before is not reported again.
     *
     * @param reason a sentence for the operator, without line breaks and without secrets
     * @param silentNs how long ago it last gave a sign of life; 0 where it never did
     */
    void failed(String reason, long silentNs);

    /** The page is loaded again, after one or more failures; its first frame follows at once. */
    void recovered();

    /**
     * What the page looks like now; not called while nothing changes.
     *
     * @param frame valid for the duration of the call: copy or convert what is kept
     */
    void frame(PageFrame frame);
}
