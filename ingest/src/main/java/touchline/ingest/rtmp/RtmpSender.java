package touchline.ingest.rtmp;

import touchline.media.AccessUnit;
import touchline.media.Timeline;

/**
 * Takes the media of one publish to another server, in the order of a feed. One thread sends;
 * {@link #onEnd} any.
 */
public interface RtmpSender {
    /**
     * Sends what describes the media that follows: metadata and sequence headers, where they differ
     * from those before. Timestamps go on behind the newest one.
     *
     * @throws RtmpPushException the target does not take a codec, or the connection has ended
     */
    void begin(Timeline timeline) throws InterruptedException, RtmpPushException;

    /**
     * Sends a unit of the timeline begun last; waits while too much is unsent. {@link #flush} must
     * follow.
     *
     * @throws RtmpPushException the connection has ended
     */
    void write(AccessUnit unit) throws InterruptedException, RtmpPushException;

    /** Passes to the network what was written. */
    void flush();

    /**
     * @throws RtmpPushException the connection has ended
     */
    void check() throws RtmpPushException;

    /** Runs when the connection has ended, at once if it has; on the event loop, must not block. */
    void onEnd(Runnable action);
}
