package touchline.overlay.page;

import java.util.Optional;

/**
 * Shows web pages and tells what they look like. Any thread; nothing here waits for a page, a
 * browser or the network.
 */
public interface PageRenderer extends AutoCloseable {
    /**
     * Begins to load a page, and keeps it shown until it is closed: what fails on the way is
     * reported and tried again, a browser that ends is replaced. The caller closes the page.
     *
     * @param listener told everything about this page, by one thread at a time
     * @throws IllegalStateException after {@link #close}
     */
    RenderedPage open(PageRequest page, PageListener listener);

    /** Why no page can be shown on this host as it is now, in a sentence for its operator. */
    Optional<String> unavailable();

    /** Ends the browser and every page, and waits for it: no listener is called afterwards. */
    @Override
    void close();
}
