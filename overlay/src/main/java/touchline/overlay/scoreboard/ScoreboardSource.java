package touchline.overlay.scoreboard;

import java.util.function.Consumer;

/** Port: what the scoreboard of a stream shows, as the JSON text that its page understands. */
public interface ScoreboardSource {
    /**
     * Calls back with what is shown now and then with every change, until the returned handle is
     * closed. The listener must not wait.
     *
     * @param streamId of any stream; one that is not known shows the default
     */
    Watch watch(String streamId, Consumer<String> listener);

    /** Ends a watch. */
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }
}
