package touchline.overlay.page;

/** One page that is being shown. Any thread; nothing here waits for the page. */
public interface RenderedPage extends AutoCloseable {
    /**
     * Loads the page once more, from the network. Frames go on until the new load begins to paint;
     * a load that fails is reported like a first one.
     */
    void reload();

    /**
     * What the page finds as {@code window.touchline.mediaTimeMs}: the presentation time of the
     * main frame that is composed now. May be told as often as there are frames; the page counts on
     * by itself in between.
     */
    void mediaTimeUs(long mediaTimeUs);

    /**
     * Ends the page: no listener's call begins afterwards, one that runs may still be at its end.
     * Idempotent; may be called from a listener.
     */
    @Override
    void close();
}
