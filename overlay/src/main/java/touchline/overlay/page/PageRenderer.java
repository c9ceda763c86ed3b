package touchline.overlay.page;

import java.util.Optional;

/** Renders web pages. Any thread; no call waits for a page, a browser or the network. */
public interface PageRenderer extends AutoCloseable {
    /**
     * Loads a page and renders it until it is closed. Failures are reported and the load is tried
     * again; a browser that ends is replaced. The caller closes the page.
     *
     * @param listener receives the page's events, one at a time
     * @throws IllegalStateException after {@link #close}
     */
    RenderedPage open(PageRequest page, PageListener listener);

    /** Why this host cannot show pages now, for the operator; empty if it can. */
    Optional<String> unavailable();

    /** The browser, while it runs. */
    default Optional<BrowserFacts> browser() {
        return Optional.empty();
    }

    /** Browsers that started since the start of the server. */
    default long browserStarts() {
        return 0;
    }

    /** Browsers that ended while pages needed them, or that did not start. */
    default long browserCrashes() {
        return 0;
    }

    /** Ends the browser and all pages, and waits for them: no listener is called afterwards. */
    @Override
    void close();
}
