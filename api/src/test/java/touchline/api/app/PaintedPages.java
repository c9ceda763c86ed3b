package touchline.api.app;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import touchline.overlay.page.PageFrame;
import touchline.overlay.page.PageListener;
import touchline.overlay.page.PageRenderer;
import touchline.overlay.page.PageRequest;
import touchline.overlay.page.PixelBox;
import touchline.overlay.page.RenderedPage;

/** Pages that are one colour at once: white, unless the address names another. */
final class PaintedPages implements PageRenderer {
    /** Open and closed pages, oldest first. */
    final List<PageRequest> opened = new CopyOnWriteArrayList<>();

    @Override
    public RenderedPage open(PageRequest page, PageListener listener) {
        opened.add(page);
        Thread.ofVirtual().start(() -> show(page, listener));
        return new RenderedPage() {
            @Override
            public void reload() {}

            @Override
            public void mediaTimeUs(long mediaTimeUs) {}

            @Override
            public void close() {}
        };
    }

    private static int colour(String url) {
        if (url.contains("magenta")) {
            return 0xFFFF00FF;
        }
        return url.contains("black") ? 0xFF000000 : 0xFFFFFFFF;
    }

    private static void show(PageRequest page, PageListener listener) {
        int width = page.widthPixels();
        int height = page.heightPixels();
        int colour = colour(page.url());
        MemorySegment pixels = Arena.ofAuto().allocate(4L * width * height);
        for (long i = 0; i < (long) width * height; i++) {
            pixels.set(ValueLayout.JAVA_INT_UNALIGNED, 4 * i, colour);
        }
        listener.loaded();
        listener.frame(
                new PageFrame(
                        pixels,
                        width,
                        height,
                        4 * width,
                        new PixelBox(0, 0, width, height),
                        System.nanoTime()));
    }

    @Override
    public Optional<String> unavailable() {
        return Optional.empty();
    }

    @Override
    public void close() {}
}
