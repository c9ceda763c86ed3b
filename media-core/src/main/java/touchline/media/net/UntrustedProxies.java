package touchline.media.net;

import java.net.InetAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of peers that send X-Forwarded-For and are not in http.trusted-proxies: behind a reverse
 * proxy that is not configured, all clients have its address. Once for each peer, for {@value
 * #MAX_PEERS} peers: any client may send the header. Any thread.
 */
public final class UntrustedProxies {
    static final int MAX_PEERS = 32;

    private static final Logger log = LoggerFactory.getLogger(UntrustedProxies.class);

    private final Set<InetAddress> known = ConcurrentHashMap.newKeySet();

    /** The header of this peer is not read. */
    public void ignored(InetAddress peer) {
        if (known.size() < MAX_PEERS && known.add(peer)) {
            log.warn(
                    "X-Forwarded-For of {} is not read: add the address to http.trusted-proxies"
                            + " if it is your reverse proxy",
                    peer.getHostAddress());
        }
    }
}
