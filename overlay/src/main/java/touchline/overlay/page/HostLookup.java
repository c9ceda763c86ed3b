package touchline.overlay.page;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Resolves host names. May block on the network. */
interface HostLookup {
    /**
     * All addresses of a name, at least one.
     *
     * @throws UnknownHostException the name does not resolve
     */
    List<InetAddress> lookUp(String host) throws UnknownHostException;

    /** The resolver of this system. */
    static HostLookup ofSystem() {
        return host -> List.of(InetAddress.getAllByName(host));
    }
}
