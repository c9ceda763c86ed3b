package touchline.packager.edge;

/** Port: authenticates this node to another one. Any thread; does not block. */
@FunctionalInterface
public interface NodeSigner {
    /** The header of requests between nodes. */
    String HEADER = "x-touchline-node";

    /**
     * The value of {@link #HEADER} for one request.
     *
     * @param target path and query
     */
    String sign(String method, String target);
}
