package touchline.api.domain;

/**
 * Where the other nodes of a cluster reach a node. Empty texts until its port for nodes is open. An
 * IPv6 address stands in brackets.
 *
 * @param control {@code http://host:port} or {@code https://host:port} of its port for nodes
 * @param playback the same of its playback server
 * @param rtmp {@code host:port} of its RTMP server, without TLS
 */
public record NodeAddresses(String control, String playback, String rtmp) {
    /** Of a node that has not opened its listeners yet. */
    public static final NodeAddresses NONE = new NodeAddresses("", "", "");

    /** Whether the node can be reached. */
    public boolean areKnown() {
        return !control.isEmpty();
    }
}
