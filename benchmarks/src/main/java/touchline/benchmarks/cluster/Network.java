package touchline.benchmarks.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The links of nodes to each other and to their database. Each node is advertised at an address of
 * loopback of its own, where proxies stand before its three ports; which node connects is known by
 * its process. Clients use the nodes' own address. Any thread.
 */
final class Network implements AutoCloseable {
    /** The database, as a member of the partition. */
    static final String DATABASE = "the database";

    private final int databasePort;
    private final Partition partition = new Partition();
    private final Map<String, FaultyLink> databaseLinks = new ConcurrentHashMap<>();
    private final Map<String, Member> members = new ConcurrentHashMap<>();

    /** A node that has joined. */
    private record Member(ClusterNode node, InetAddress address, List<FaultyLink> links) {}

    /**
     * @param databasePort on loopback
     */
    Network(int databasePort) {
        this.databasePort = databasePort;
    }

    Partition partition() {
        return partition;
    }

    /**
     * The variables of a node.
     *
     * @param number from 1
     * @param database those of its database
     */
    Map<String, String> environment(String node, int number, Map<String, String> database)
            throws IOException {
        FaultyLink link =
                new FaultyLink(
                        new FaultyLink.Ends(
                                DATABASE,
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                                new InetSocketAddress(
                                        InetAddress.getLoopbackAddress(), databasePort),
                                new FaultyLink.Caller() {
                                    @Override
                                    public String name(Socket accepted) {
                                        return node;
                                    }

                                    @Override
                                    public InetAddress source(String name) {
                                        return InetAddress.getLoopbackAddress();
                                    }
                                }),
                        partition);
        databaseLinks.put(node, link);
        Map<String, String> environment = new HashMap<>(database);
        environment.computeIfPresent(
                "TOUCHLINE_DB_URL",
                (_, url) -> url.replace(":" + databasePort + "/", ":" + link.port() + "/"));
        environment.put("TOUCHLINE_CLUSTER_ADVERTISE", host(number));
        // Not the address of the proxies.
        environment.put("TOUCHLINE_PLAYBACK_HOST", "127.0.0.1");
        environment.put("TOUCHLINE_RTMP_HOST", "127.0.0.1");
        return environment;
    }

    private static String host(int number) {
        return "127.0.1." + number;
    }

    /** Opens the links to a node that has started. */
    void join(ClusterNode node, int number) throws IOException {
        InetAddress address = InetAddress.getByName(host(number));
        List<FaultyLink> links = new ArrayList<>();
        Member member = new Member(node, address, links);
        members.put(node.name(), member);
        for (int port : node.ports()) {
            links.add(
                    new FaultyLink(
                            new FaultyLink.Ends(
                                    node.name(),
                                    new InetSocketAddress(address, port),
                                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                                    new Nodes()),
                            partition));
        }
        node.whenRunning(
                running -> links.forEach(running ? FaultyLink::acceptAgain : FaultyLink::refuse));
    }

    /** Which node has connected. */
    private final class Nodes implements FaultyLink.Caller {
        @Override
        public String name(Socket accepted) throws IOException {
            Optional<String> socket = ConnectionOwner.socket(accepted);
            if (socket.isEmpty()) {
                return "";
            }
            for (Member each : members.values()) {
                if (ConnectionOwner.has(each.node().server().process().pid(), socket.get())) {
                    return each.node().name();
                }
            }
            return "";
        }

        @Override
        public InetAddress source(String name) {
            Member member = members.get(name);
            return member == null ? InetAddress.getLoopbackAddress() : member.address();
        }
    }

    @Override
    public void close() {
        partition.heal();
        databaseLinks.values().forEach(FaultyLink::close);
        members.values().forEach(member -> member.links().forEach(FaultyLink::close));
    }
}
