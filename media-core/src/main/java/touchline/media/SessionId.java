package touchline.media;

/**
 * Identifier of one session: one period in which a stream is active. Immutable, any thread.
 *
 * @param value not blank; made by the server, never by a client
 */
public record SessionId(String value) {
    public SessionId {
        if (value.isBlank()) {
            throw new IllegalArgumentException("session id: blank");
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
