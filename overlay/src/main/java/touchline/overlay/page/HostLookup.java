package touchline.overlay.page;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Names to addresses. May wait for the network. */
interface HostLookup {
    /**
     * All addresses of a name, at least one.
     *
     * @throws UnknownHostException there is none
     */
    List<InetAddress> lookUp(String host) throws UnknownHostException;

    /** As this system does it. */
    static HostLookup ofSystem() {
        return host -> List.of(InetAddress.getAllByName(host));
    }
}
