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
import touchline.media.ffmpeg.Picture;
import touchline.media.ffmpeg.PictureFormat;
import touchline.overlay.StageQueue.Item;

@Timeout(30)
final class StageQueueTest {
    private static final PictureFormat FORMAT = new PictureFormat(16, 16, Colour.BT601);

    private final StageQueue queue = new StageQueue();

    @Test
    void items_comeOutInOrder() throws InterruptedException {
        Item picture = picture();
        Item gone = new Item.Passing(Interruption.PUBLISHER_GONE);
        queue.put(picture);
        queue.put(gone);

        assertSame(picture, queue.take());
        assertSame(gone, queue.take());
        release(picture);
    }

    @Test
    void fullQueue_holdsItsWriterUntilAPictureIsTaken() throws InterruptedException {
        List<Item> pictures = fill();
        Item more = picture();
        AtomicReference<@Nullable Boolean> taken = new AtomicReference<>();
        Thread writer = Thread.ofPlatform().start(() -> taken.set(put(more)));
        awaitWaiting(writer);

        assertSame(pictures.getFirst(), queue.take());
        writer.join();
        assertEquals(true, taken.get());
        queue.close();
        release(pictures.getFirst());
    }

    @Test
    void close_whileAWriterWaits_releasesItAndThePictures() throws InterruptedException {
        List<Item> pictures = fill();
        Item more = picture();
        AtomicReference<@Nullable Boolean> taken = new AtomicReference<>();
        Thread writer = Thread.ofPlatform().start(() -> taken.set(put(more)));
        awaitWaiting(writer);

        queue.close();
        writer.join();
        assertEquals(false, taken.get());
        assertClosed(more);
        pictures.forEach(StageQueueTest::assertClosed);
    }

    @Test
    void closedQueue_takesNothingAndGivesTheEnd() throws InterruptedException {
        queue.close();
        Item late = picture();

        assertFalse(queue.put(late));
        assertClosed(late);
        assertInstanceOf(Item.End.class, queue.take());
    }

    private List<Item> fill() throws InterruptedException {
        List<Item> pictures = new ArrayList<>();
        for (int i = 0; i < StageQueue.MAX_PICTURES; i++) {
            Item picture = picture();
            pictures.add(picture);
            assertTrue(queue.put(picture));
        }
        return pictures;
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

    private static Item picture() {
        return new Item.Decoded(Picture.allocate(FORMAT), 0, 0);
    }

    private static void release(Item item) {
        if (item instanceof Item.Decoded decoded) {
            decoded.picture().close();
        }
    }

    private static void assertClosed(Item item) {
        Item.Decoded decoded = assertInstanceOf(Item.Decoded.class, item);
        assertThrows(IllegalStateException.class, () -> decoded.picture().view());
    }
}
