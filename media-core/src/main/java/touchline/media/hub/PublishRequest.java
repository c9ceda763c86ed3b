package touchline.media.hub;

import java.time.Duration;
import java.util.function.Consumer;
import touchline.media.StreamId;

/**
 * An admitted publisher.
 *
 * @param stream the stream it publishes
 * @param role main programme or scoreboard
 * @param source which of the programme's publications, by the key; {@code PRIMARY} for a scoreboard
 * @param failover when the programme switches between both publications; that of the backup counts
 * @param reconnectWindow how long a session waits for its encoder to come back
 * @param publisher the encoder's name, address and port in logs and the session record, e.g. {@code
 *     obs-output/30.0 127.0.0.1:50412}; never a key
 * @param onCut called once, on any thread, when the server cuts the publication; must not block
 */
public record PublishRequest(
        StreamId stream,
        Role role,
        PublishSource source,
        FailoverSettings failover,
        Duration reconnectWindow,
        String publisher,
        Consumer<EndReason> onCut) {
    /** The primary publication. */
    public PublishRequest(
            StreamId stream,
            Role role,
            Duration reconnectWindow,
            String publisher,
            Consumer<EndReason> onCut) {
        this(
                stream,
                role,
                PublishSource.PRIMARY,
                FailoverSettings.DEFAULTS,
                reconnectWindow,
                publisher,
                onCut);
    }

    /** The encoder's name and address without the port: the same when it reconnects. */
    String encoder() {
        int port = publisher.lastIndexOf(':');
        return port < 0 ? publisher : publisher.substring(0, port);
    }
}
