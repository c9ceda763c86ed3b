package touchline.api.app;

import java.util.Optional;
import touchline.overlay.page.PageListener;
import touchline.overlay.page.PageRenderer;
import touchline.overlay.page.PageRequest;
import touchline.overlay.page.RenderedPage;

/** Where no browser can show a page: html scoreboards fail with this reason, all else works. */
final class NoPages implements PageRenderer {
    private static final String REASON = "no browser can show web pages on this host";

    @Override
    public RenderedPage open(PageRequest page, PageListener listener) {
        throw new IllegalStateException(REASON);
    }

    @Override
    public Optional<String> unavailable() {
        return Optional.of(REASON);
    }

    @Override
    public void close() {}
}
