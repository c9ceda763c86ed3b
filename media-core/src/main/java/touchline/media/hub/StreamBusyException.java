package touchline.media.hub;

import java.io.Serial;
import touchline.media.StreamId;

/** Another publisher is still sending to this stream. */
public final class StreamBusyException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    public StreamBusyException(StreamId stream) {
        super("stream " + stream + " already has a publisher that is sending");
    }
}
