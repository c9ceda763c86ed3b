package touchline.ingest;

/**
 * Port: the secret that the nodes of a cluster share, as far as relays need it. Any thread; does
 * not block.
 */
public interface RelayKey {
    /** Id of this node. */
    String node();

    /** HMAC-SHA256 of a message, under a key of this purpose that all nodes share. */
    byte[] hmac(byte[] message);
}
