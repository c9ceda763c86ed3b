package touchline.overlay.page;

/** One page that is shown. Any thread; no call waits for the page. */
public interface RenderedPage extends AutoCloseable {
    /**
     * Loads the page again, from the network. Frames continue until the new load paints; a failed
     * load is reported like the first.
     */
    void reload();

    /**
     * Sets {@code window.touchline.mediaTimeMs}: the presentation time of the main frame that is
     * composed now. May be called for each frame; the page extrapolates in between.
     */
    void mediaTimeUs(long mediaTimeUs);

    /**
     * Closes the page: no listener call starts afterwards, a running one may still finish.
     * Idempotent; may be called from a listener.
     */
    @Override
    void close();
}
