package touchline.media.hub;

import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import touchline.media.FeedItem;

/** Reading end of a {@link Feed}, direct or through a stage. One reading thread. */
public interface FeedReader extends AutoCloseable {
    /**
     * Waits for items, then passes what there is to the reader, in order. A stage may pass none.
     *
     * @return false once the feed has ended and everything was passed, or this was closed
     */
    boolean drain(Consumer<? super FeedItem> reader) throws InterruptedException;

    /** Units dropped so far because the reader was too slow. */
    long droppedUnits();

    /**
     * Sets the fill level of the queue that the reader writes to.
     *
     * @param fullness 0 to 1; any thread, does not block
     */
    void handsOnTo(DoubleSupplier fullness);

    /** Drops all queued items and releases a waiting reader. */
    @Override
    void close();
}
