package touchline.api.scoreboard;

import java.util.Optional;
import touchline.media.StreamId;

/** What the control API asks of the scoreboards of running sessions. Any thread. */
public interface OverlayControl {
    /**
     * Whether a scoreboard can be put over what runs of a stream: it has a compositor already, or
     * may have one more. True where nothing runs.
     */
    boolean hasRoom(StreamId stream);

    /**
     * The scoreboard was stored or deleted, and that is committed: what runs of the stream follows,
     * seen at its next frame.
     */
    void watermarkChanged(StreamId stream);

    /** What becomes of a scoreboard push. */
    enum Push {
        /** No encoder, or none that may come back into its session. */
        IDLE,
        ACTIVE,
        /** Its encoder has gone, and may come back. */
        DISCONNECTED
    }

    /** Whether the scoreboard of a stream is being pushed. */
    Push push(StreamId stream);

    /**
     * The newest frame of the program with its scoreboard, as a PNG file; waits for the next one.
     * Empty where no compositor works on the stream, or no frame comes.
     */
    Optional<byte[]> preview(StreamId stream) throws InterruptedException;
}
