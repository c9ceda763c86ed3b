package touchline.api.audit;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import touchline.overlay.page.PageFrame;
import touchline.overlay.page.PageListener;
import touchline.overlay.page.PageRenderer;
import touchline.overlay.page.PageRequest;
import touchline.overlay.page.PixelBox;
import touchline.overlay.page.RenderedPage;

/** A renderer with a newest page that the test paints, or lets fail. */
public final class PaintedByHand implements PageRenderer {
    public final List<PageRequest> requests = new CopyOnWriteArrayList<>();
    public final AtomicInteger closed = new AtomicInteger();

    private final Semaphore questions = new Semaphore(0);
    private volatile CountDownLatch answers = new CountDownLatch(0);

    private final List<PageListener> listeners = new CopyOnWriteArrayList<>();

    @Override
    public RenderedPage open(PageRequest page, PageListener listener) {
        requests.add(page);
        listeners.add(listener);
        return new RenderedPage() {
            @Override
            public void reload() {}

            @Override
            public void mediaTimeUs(long mediaTimeUs) {}

            @Override
            public void close() {
                closed.incrementAndGet();
            }
        };
    }

    public void paint() {
        PageRequest page = requests.getLast();
        int width = page.widthPixels();
        int height = page.heightPixels();
        MemorySegment pixels = Arena.ofAuto().allocate(4L * width * height);
        pixels.fill((byte) 0xFF);
        listeners
                .getLast()
                .frame(
                        new PageFrame(
                                pixels,
                                width,
                                height,
                                4 * width,
                                new PixelBox(0, 0, width, height),
                                System.nanoTime()));
    }

    public void awaitQuestion() throws InterruptedException {
        questions.acquire();
    }

    public List<String> urls() {
        return requests.stream().map(PageRequest::url).toList();
    }

    /** From now on the renderer does not answer, until the latch is counted down. */
    public CountDownLatch hang() {
        answers = new CountDownLatch(1);
        return answers;
    }

    public void fail(String reason) {
        listeners.getLast().failed(reason, 0);
    }

    @Override
    public Optional<String> unavailable() {
        questions.release();
        try {
            answers.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return Optional.empty();
    }

    @Override
    public void close() {}
}
