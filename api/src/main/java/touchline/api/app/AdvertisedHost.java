package touchline.api.app;

import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.domain.NodeAddresses;
import touchline.config.ServerConfig;

/** Where other nodes reach this host. */
final class AdvertisedHost {
    private static final Logger log = LoggerFactory.getLogger(AdvertisedHost.class);
    private static final int ANY_PORT = 5432;
    private static final Pattern FIRST_HOST =
            Pattern.compile("^jdbc:postgresql://(\\[[^]]+]|[^/?,:]+)");

    private AdvertisedHost() {}

    /**
     * The addresses of this node's listeners. May ask for the address of the database's name.
     *
     * @param config with bound ports
     */
    static NodeAddresses addresses(ServerConfig config) {
        String name =
                config.cluster()
                        .advertise()
                        .orElseGet(() -> towards(databaseHost(config.db().url().orElse(""))));
        String host = name.contains(":") ? "[" + name + "]" : name;
        String scheme = config.tls().isEnabled() ? "https://" : "http://";
        return new NodeAddresses(
                scheme + host + ":" + config.cluster().port(),
                scheme + host + ":" + config.playback().port(),
                host + ":" + config.rtmp().port());
    }

    /** The local address of connections to a host. Sends nothing. */
    static String towards(String host) {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(new InetSocketAddress(host, ANY_PORT));
            InetAddress local = socket.getLocalAddress();
            // Without the name of an interface, which means nothing at other hosts.
            return local.getHostAddress().replaceFirst("%.*", "");
        } catch (SocketException | IllegalArgumentException e) {
            log.warn(
                    "no address of this host towards {} ({}): set cluster.advertise",
                    host,
                    e.getMessage());
            return InetAddress.getLoopbackAddress().getHostAddress();
        }
    }

    /** The first host of a JDBC address of PostgreSQL; without one it is this host. */
    static String databaseHost(String url) {
        Matcher named = FIRST_HOST.matcher(url);
        return named.find() ? named.group(1).replaceAll("[\\[\\]]", "") : "localhost";
    }
}
