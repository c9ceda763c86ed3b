package touchline.api.app;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.cluster.PlaybackDirectory;
import touchline.api.db.ClusterChanges;
import touchline.api.db.ClusterChanges.Kind;
import touchline.api.db.Database;
import touchline.api.db.PlaybackLocations;
import touchline.api.db.PlaybackLocations.Location;
import touchline.api.domain.AssetId;
import touchline.api.domain.ClusterNode;
import touchline.api.domain.NodeState;
import touchline.api.session.RemotePlaybackIds;
import touchline.config.ClusterConfig;
import touchline.config.ServerConfig;
import touchline.packager.audience.Audience;
import touchline.packager.delivery.ClusterPlayback;
import touchline.packager.delivery.NodeAccess;
import touchline.packager.edge.Edge;
import touchline.packager.edge.EdgeCounters;
import touchline.packager.edge.OwnerDirectory;
import touchline.packager.edge.RemoteMedia;
import touchline.packager.edge.UpstreamAddress;
import touchline.packager.edge.UpstreamTls;
import touchline.packager.hls.MediaMemory;

/**
 * What this node serves of the media of other nodes, and how it knows them when they ask for its
 * own. The playback server starts and closes its connections.
 */
final class ServerEdge implements NodeAccess {
    private static final Logger log = LoggerFactory.getLogger(ServerEdge.class);

    private final ServerConfig config;
    private final NodeLinks links;
    private final PlaybackDirectory directory;
    private final PlaybackLocations locations;
    private final String self;

    /** Shows an asset of another node here, from S3. */
    private final Predicate<AssetId> openStored;

    /** Volatile: the cluster's thread replaces the set, event loops read it. */
    private volatile Set<InetAddress> peers = Set.of();

    /**
     * @param database of a node
     * @param memory of the playback server
     * @param openStored shows an asset of another node here, where all its files are in S3
     */
    ServerEdge(
            ServerConfig config,
            Database database,
            NodeLinks links,
            MediaMemory memory,
            Audience audience,
            Predicate<AssetId> openStored) {
        this.openStored = openStored;
        this.locations = new PlaybackLocations(database);
        this.self = database.node().orElseThrow().id();
        this.config = config;
        this.links = links;
        directory =
                new PlaybackDirectory(
                        new PlaybackDirectory.Dependencies(
                                this::find, self, this::playbackUrl, audience, System::nanoTime),
                        owners -> edge(owners, memory));
        database.changes().passOn(this::changedHere);
    }

    private Edge edge(OwnerDirectory owners, MediaMemory memory) {
        return new Edge(
                new Edge.Dependencies(
                        owners,
                        links.signature()::sign,
                        memory,
                        Optional.of(
                                new UpstreamTls(
                                        links::trust, config.publicUrls().playbackUrl().getHost())),
                        config.cluster().edgeCacheBytes(),
                        System::nanoTime));
    }

    /** Where an id's media is: here as well, if it can come from S3. Blocks. */
    private Optional<Location> find(String playbackId) {
        return locations
                .find(playbackId)
                .map(
                        found ->
                                isElsewhere(found) && openStored.test(new AssetId(found.subject()))
                                        ? new Location(
                                                found.subject(),
                                                /* isStream= */ false,
                                                found.policy(),
                                                Optional.of(self),
                                                found.isReady())
                                        : found);
    }

    private boolean isElsewhere(Location found) {
        return !found.isStream() && !found.node().equals(Optional.of(self));
    }

    private Optional<String> playbackUrl(String node) {
        return links.directory()
                .find(node)
                .filter(found -> found.state() != NodeState.GONE)
                .map(found -> found.addresses().playback());
    }

    /** What other nodes have; nothing for a node that serves no viewers of them. */
    RemotePlaybackIds ids() {
        return config.cluster().has(ClusterConfig.Role.EDGE)
                ? directory
                : RemotePlaybackIds.ofThisNode(directory::isExpected);
    }

    /** The evidence frames of another node. */
    RemoteMedia frames(String node) {
        return directory.frames(node);
    }

    /** For the playback server. */
    ClusterPlayback playback() {
        return new ClusterPlayback(this, directory.edge());
    }

    /** A change of this node is in force here before it is at the other ones. */
    private void changedHere(ClusterChanges.Row change) {
        try {
            if (change.kind() == Kind.STREAM || change.kind() == Kind.ASSET) {
                directory.changed(change.subject());
            }
        } catch (RuntimeException e) {
            log.warn(
                    "a change is in force for viewers of other nodes' media within 2 s ({} {}): {}",
                    change.kind(),
                    change.subject(),
                    e.getMessage());
        }
        links.nudges().changed(change);
    }

    /** Applies the changes of other nodes. */
    void follow() {
        links.feed().follow(Kind.STREAM, directory::changed);
        links.feed().follow(Kind.ASSET, directory::changed);
    }

    /** Reads where the nodes are. Blocks. */
    void tick() {
        directory.tick();
        Set<InetAddress> found = new HashSet<>();
        for (ClusterNode node : links.directory().others()) {
            UpstreamAddress.of(node.addresses().playback())
                    .ifPresent(address -> add(found, address.host()));
        }
        peers = Set.copyOf(found);
    }

    private static void add(Set<InetAddress> found, String host) {
        try {
            found.add(InetAddress.getByName(host));
        } catch (UnknownHostException _) {
            log.debug("the address of a node is unknown: {}", host);
        }
    }

    @Override
    public boolean isSigned(String signature, String method, String target) {
        return links.signature().verify(signature, method, target).isPresent();
    }

    @Override
    public boolean isNode(InetAddress address) {
        return peers.contains(address);
    }

    /** Registers the metrics. */
    void bind(MeterRegistry registry) {
        Edge edge = directory.edge();
        bind(registry, edge.counters(), edge::cachedBytes, edge::followed);
    }

    /** The same of any counters. */
    static void bind(
            MeterRegistry registry,
            EdgeCounters counters,
            Supplier<Number> cachedBytes,
            Supplier<Number> followed) {
        count(registry, counters, "requests", "Requests to other nodes", EdgeCounters::requests);
        count(
                registry,
                counters,
                "failures",
                "Requests to other nodes without a usable answer",
                EdgeCounters::failures);
        count(registry, counters, "bytes", "Bytes of media from other nodes", EdgeCounters::bytes);
        count(
                registry,
                counters,
                "hits",
                "Requests of viewers that were answered from the cache",
                EdgeCounters::hits);
        count(
                registry,
                counters,
                "shared",
                "Requests that waited for a request of another viewer",
                EdgeCounters::shared);
        Gauge.builder("touchline.edge.connections", counters, EdgeCounters::openConnections)
                .description("Open connections to other nodes")
                .register(registry);
        Gauge.builder("touchline.edge.cache.bytes", cachedBytes)
                .description("Memory in use for media of other nodes")
                .register(registry);
        Gauge.builder("touchline.edge.followed", followed)
                .description("Streams and assets of other nodes that viewers use here")
                .register(registry);
    }

    private static void count(
            MeterRegistry registry,
            EdgeCounters counters,
            String name,
            String description,
            ToDoubleFunction<EdgeCounters> value) {
        FunctionCounter.builder("touchline.edge." + name, counters, value)
                .description(description)
                .register(registry);
    }
}
