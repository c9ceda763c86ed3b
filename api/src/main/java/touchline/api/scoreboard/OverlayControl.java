package touchline.api.scoreboard;

import java.util.Optional;
import touchline.media.StreamId;

/** The control API's access to the scoreboards of running sessions. Any thread. */
public interface OverlayControl {
    /**
     * Whether a stream's running session can have a scoreboard: it has a compositor, or one more
     * may start. True if no session runs.
     */
    boolean hasRoom(StreamId stream);

    /**
     * Applies a stored or deleted scoreboard to the running session, from the next frame on. Called
     * after the commit.
     */
    void watermarkChanged(StreamId stream);

    /** State of a scoreboard push. */
    enum Push {
        /** No encoder, and no session that waits for one. */
        IDLE,
        ACTIVE,
        /** Its encoder has disconnected and may reconnect. */
        DISCONNECTED
    }

    /** State of a stream's scoreboard push. */
    Push push(StreamId stream);

    /**
     * The newest frame of the program with its scoreboard, as a PNG file; waits for the next one.
     * Empty if the stream has no compositor, or no frame arrives.
     */
    Optional<byte[]> preview(StreamId stream) throws InterruptedException;
}
