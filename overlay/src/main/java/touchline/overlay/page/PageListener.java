package touchline.overlay.page;

/**
 * Receives the events of one page on the page's own thread, one call at a time and in order. A slow
 * call delays only this page: it skips all waiting frames but the newest.
 *
 * <p>The order of calls is {@code (loaded | failed+ recovered) frame* (failed+ recovered frame*)*},
 * with a {@code frame} of the whole window first after each {@code loaded} and {@code recovered}.
 */
public interface PageListener {
    /** The first load has succeeded; the first frame follows at once. */
    void loaded();

    /**
     * The page is not shown: it did not load in time, hangs, crashed, exceeded a limit, went away,
     * or the browser ended. The receiver decides how long it shows the last frame. The page is
     * loaded again automatically, after growing pauses. Repeated failures with the same reason are
     * reported once.
     *
     * @param reason for the operator, without line breaks and secrets
     * @param silentNs time since the page's last answer; 0 if it never answered
     */
    void failed(String reason, long silentNs);

    /** The page is loaded again after failures; the first frame follows at once. */
    void recovered();

    /**
     * A new frame; not called while nothing changes.
     *
     * @param frame valid during the call only: copy or convert it
     */
    void frame(PageFrame frame);
}
