package touchline.overlay;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import touchline.overlay.page.PageFrame;
import touchline.overlay.page.PageListener;
import touchline.overlay.page.PageRenderer;
import touchline.overlay.page.PageRequest;
import touchline.overlay.page.PixelBox;
import touchline.overlay.page.RenderedPage;

/** A renderer whose pages the test paints. */
final class FakePages implements PageRenderer {
    final List<Page> pages = new ArrayList<>();

    /** One requested page. */
    static final class Page implements RenderedPage {
        final PageRequest request;
        final PageListener listener;
        int reloads;
        long mediaTimeUs = -1;
        boolean closed;

        Page(PageRequest request, PageListener listener) {
            this.request = request;
            this.listener = listener;
        }

        void paint(int red, int green, int blue, int alpha) {
            CanvasBox box = new CanvasBox(0, 0, request.widthPixels(), request.heightPixels());
            BoxConverter.Pixels pixels = Rgba.filled(box, red, green, blue, alpha).pixels();
            listener.frame(
                    new PageFrame(
                            pixels.pixels(),
                            box.width(),
                            box.height(),
                            pixels.strideBytes(),
                            new PixelBox(0, 0, box.width(), box.height()),
                            System.nanoTime()));
        }

        @Override
        public void reload() {
            reloads++;
        }

        @Override
        public void mediaTimeUs(long ptsUs) {
            mediaTimeUs = ptsUs;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    @Override
    public synchronized RenderedPage open(PageRequest request, PageListener listener) {
        Page page = new Page(request, listener);
        pages.add(page);
        return page;
    }

    @Override
    public Optional<String> unavailable() {
        return Optional.empty();
    }

    @Override
    public void close() {}
}
