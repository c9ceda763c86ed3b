package touchline.overlay.scoreboard;

import java.util.Optional;
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

    /**
     * An image that the stream's scoreboard shows.
     *
     * @return empty for any other image
     */
    Optional<Image> image(String streamId, String imageId);

    /**
     * An encoded image.
     *
     * @param mediaType for {@code Content-Type}
     */
    @SuppressWarnings("ArrayRecordComponent") // handed over once
    record Image(String mediaType, byte[] bytes) {}

    /** Ends a watch. */
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }
}
