package touchline.media;

/**
 * Identifier of a live stream, as shown by the control API. Immutable, any thread.
 *
 * @param value not blank; made by the server, never by a client
 */
public record StreamId(String value) {
    public StreamId {
        if (value.isBlank()) {
            throw new IllegalArgumentException("stream id: blank");
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
