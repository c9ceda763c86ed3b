package touchline.overlay.scoreboard;

import java.util.function.Consumer;

/** Port: state of a stream's scoreboard, as JSON text for the page. */
public interface ScoreboardSource {
    /**
     * Calls the listener with the current state and with every change, until the returned handle is
     * closed. The listener must not block.
     *
     * @param streamId any stream; an unknown one has the default state
     */
    Watch watch(String streamId, Consumer<String> listener);

    /** Ends a watch. */
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }
}
