package touchline.overlay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import touchline.media.Interruption;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.VideoFrame;
import touchline.overlay.StageQueue.Item;

@Timeout(30)
final class StageQueueTest {
    private static final FrameFormat FORMAT = new FrameFormat(16, 16, Colour.BT601);

    private final StageQueue queue = new StageQueue();

    @Test
    void items_comeOutInOrder() throws InterruptedException {
        Item frame = frame();
        Item gone = new Item.Passing(Interruption.PUBLISHER_GONE);
        queue.put(frame);
        queue.put(gone);

        assertSame(frame, queue.take());
        assertSame(gone, queue.take());
        release(frame);
    }

    @Test
    void fullQueue_holdsItsWriterUntilAFrameIsTaken() throws InterruptedException {
        List<Item> frames = fill();
        Item more = frame();
        AtomicReference<@Nullable Boolean> taken = new AtomicReference<>();
        Thread writer = Thread.ofPlatform().start(() -> taken.set(put(more)));
        awaitWaiting(writer);

        assertSame(frames.getFirst(), queue.take());
        writer.join();
        assertEquals(true, taken.get());
        queue.close();
        release(frames.getFirst());
    }

    @Test
    void close_whileAWriterWaits_releasesItAndTheFrames() throws InterruptedException {
        List<Item> frames = fill();
        Item more = frame();
        AtomicReference<@Nullable Boolean> taken = new AtomicReference<>();
        Thread writer = Thread.ofPlatform().start(() -> taken.set(put(more)));
        awaitWaiting(writer);

        queue.close();
        writer.join();
        assertEquals(false, taken.get());
        assertClosed(more);
        frames.forEach(StageQueueTest::assertClosed);
    }

    @Test
    void closedQueue_takesNothingAndGivesTheEnd() throws InterruptedException {
        queue.close();
        Item late = frame();

        assertFalse(queue.put(late));
        assertClosed(late);
        assertInstanceOf(Item.End.class, queue.take());
    }

    private List<Item> fill() throws InterruptedException {
        List<Item> frames = new ArrayList<>();
        for (int i = 0; i < StageQueue.MAX_FRAMES; i++) {
            Item frame = frame();
            frames.add(frame);
            assertTrue(queue.put(frame));
        }
        return frames;
    }

    private boolean put(Item item) {
        try {
            return queue.put(item);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void awaitWaiting(Thread thread) {
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
    }

    private static Item frame() {
        return new Item.Decoded(VideoFrame.allocate(FORMAT), 0, 0);
    }

    private static void release(Item item) {
        if (item instanceof Item.Decoded decoded) {
            decoded.frame().close();
        }
    }

    private static void assertClosed(Item item) {
        Item.Decoded decoded = assertInstanceOf(Item.Decoded.class, item);
        assertThrows(IllegalStateException.class, () -> decoded.frame().view());
    }
}
