package touchline.api.http;

import io.helidon.common.buffers.DataReader;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The bytes of a connection as they arrive. The connection's thread uses it. */
final class ReceivedBytes implements Supplier<byte @Nullable []> {
    private final DataReader connection;
    private final Consumer<byte[]> observer;
    private boolean ended;

    /**
     * @param observer sees the bytes first, and refuses them by an exception
     */
    ReceivedBytes(DataReader connection, Consumer<byte[]> observer) {
        this.connection = connection;
        this.observer = observer;
    }

    /** Waits for bytes; null at the end. */
    @Override
    public byte @Nullable [] get() {
        if (ended) {
            return null;
        }
        try {
            connection.ensureAvailable();
        } catch (DataReader.InsufficientDataAvailableException _) {
            ended = true;
            return null;
        }
        byte[] bytes = connection.readBytes(connection.available());
        observer.accept(bytes);
        return bytes;
    }

    /** Whether the client has ended its side. */
    boolean ended() {
        return ended;
    }

    /**
     * Drops what still arrives: a connection that closes with unread bytes is reset, and the client
     * may lose the reply. Ends with the client's side, or with the connection.
     *
     * @param atMost bytes
     */
    void drop(long atMost) {
        long dropped = 0;
        try {
            while (!ended && dropped < atMost) {
                connection.ensureAvailable();
                int available = connection.available();
                connection.skip(available);
                dropped += available;
            }
        } catch (DataReader.InsufficientDataAvailableException _) {
            ended = true;
        }
    }
}
