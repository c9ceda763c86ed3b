package touchline.packager.delivery;

import java.net.InetAddress;

/** Port: the other nodes of the cluster. Called on event loops: must not block. */
public interface NodeAccess {
    /**
     * Whether a node has signed this request.
     *
     * @param signature anything that a client has sent
     * @param target path and query, as received
     */
    boolean isSigned(String signature, String method, String target);

    /** Whether a node has this address: its connections are not limited. */
    boolean isNode(InetAddress address);
}
