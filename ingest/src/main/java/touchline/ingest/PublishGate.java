package touchline.ingest;

/**
 * Port: decides whether a key may publish, and as what. Called on a virtual thread, so it may
 * block; the answer goes back to the connection's event loop.
 */
@FunctionalInterface
public interface PublishGate {
    /**
     * @param streamKey as the encoder sent it, query parameters removed; never to be logged
     */
    PublishDecision decide(String streamKey);
}
