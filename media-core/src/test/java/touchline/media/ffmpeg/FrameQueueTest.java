package touchline.media.ffmpeg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import touchline.media.ffmpeg.FrameQueue.Outcome;
import touchline.testing.Await;

@Timeout(120)
final class FrameQueueTest {
    private static final FrameFormat FORMAT = new FrameFormat(16, 16, Colour.BT601);

    private static final int MAX_FRAMES = 3;
    private static final int MAX_ITEMS = 5;
    private static final Item END = new Item(null);

    /** What passes: a frame or none. */
    private record Item(@Nullable VideoFrame held) implements FrameQueue.Item {}

    private final FrameQueue<Item> queue = new FrameQueue<>(MAX_FRAMES, MAX_ITEMS, END);

    @Test
    void items_comeOutInOrder() throws InterruptedException {
        Item frame = frame();
        Item other = new Item(null);
        assertEquals(Outcome.ADDED, put(frame));
        assertEquals(Outcome.ADDED, put(other));

        assertSame(frame, queue.take());
        assertSame(other, queue.take());
        release(frame);
    }

    @Test
    void fullQueue_holdsItsWriterUntilAFrameIsTaken() throws InterruptedException {
        List<Item> frames = fill();
        Item more = frame();
        AtomicReference<@Nullable Outcome> taken = new AtomicReference<>();
        Thread writer = Thread.ofPlatform().start(() -> taken.set(put(more)));
        awaitWaiting(writer);

        assertSame(frames.getFirst(), queue.take());
        writer.join();
        assertEquals(Outcome.ADDED, taken.get());
        queue.close();
        release(frames.getFirst());
    }

    @Test
    void close_whileAWriterWaits_releasesItAndTheFrames() throws InterruptedException {
        List<Item> frames = fill();
        Item more = frame();
        AtomicReference<@Nullable Outcome> taken = new AtomicReference<>();
        Thread writer = Thread.ofPlatform().start(() -> taken.set(put(more)));
        awaitWaiting(writer);

        queue.close();
        writer.join();
        assertEquals(Outcome.CLOSED, taken.get());
        assertClosed(more);
        frames.forEach(FrameQueueTest::assertClosed);
    }

    @Test
    void closedQueue_takesNothingAndGivesTheEnd() throws InterruptedException {
        queue.close();
        Item late = frame();

        assertEquals(Outcome.CLOSED, put(late));
        assertClosed(late);
        assertSame(END, queue.take());
    }

    @Test
    void fullQueue_withoutPatience_refusesAFrameAndAddsWhatHasNone() throws InterruptedException {
        List<Item> frames = fill();
        Item more = frame();
        Item other = new Item(null);

        assertEquals(Outcome.FULL, queue.put(more, 0));
        assertClosed(more);
        assertEquals(Outcome.ADDED, queue.put(other, 0));
        for (Item frame : frames) {
            assertSame(frame, queue.take());
            release(frame);
        }
        assertSame(other, queue.take());
    }

    private List<Item> fill() {
        List<Item> frames = new ArrayList<>();
        for (int i = 0; i < MAX_FRAMES; i++) {
            Item frame = frame();
            frames.add(frame);
            assertEquals(Outcome.ADDED, put(frame));
        }
        return frames;
    }

    private Outcome put(Item item) {
        try {
            return queue.put(item, FrameQueue.FOREVER);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void awaitWaiting(Thread thread) {
        Await.until(() -> thread.getState() == Thread.State.TIMED_WAITING);
    }

    private static Item frame() {
        return new Item(VideoFrame.allocate(FORMAT));
    }

    private static void release(Item item) {
        Objects.requireNonNull(item.held()).close();
    }

    private static void assertClosed(Item item) {
        VideoFrame frame = Objects.requireNonNull(item.held());
        assertThrows(IllegalStateException.class, frame::view);
    }
}
