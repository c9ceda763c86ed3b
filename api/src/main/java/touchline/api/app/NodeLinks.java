package touchline.api.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.webserver.http.HttpRouting;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import touchline.api.access.MasterKeys;
import touchline.api.audience.ViewerHistory;
import touchline.api.cluster.ChangeFeed;
import touchline.api.cluster.DatabaseClock;
import touchline.api.cluster.Membership;
import touchline.api.cluster.NodeCalls;
import touchline.api.cluster.NodeClient;
import touchline.api.cluster.NodeDirectory;
import touchline.api.cluster.NodeReport;
import touchline.api.cluster.NodeSignature;
import touchline.api.cluster.Nudges;
import touchline.api.cluster.PeerAnswers;
import touchline.api.cluster.WakeUp;
import touchline.api.cluster.ownership.NodeStanding.PeerState;
import touchline.api.db.ClusterChanges;
import touchline.api.db.Database;
import touchline.api.db.NodeIdentity;
import touchline.api.db.NodeRepository;
import touchline.api.domain.ClockDifference;
import touchline.api.domain.ClusterNode;
import touchline.api.domain.NodeMeasurements;
import touchline.api.domain.ViewerCounts;
import touchline.api.http.ClusterLinks;
import touchline.api.http.NodeServer;
import touchline.api.http.WatchedSignals;
import touchline.api.session.LiveControl;
import touchline.config.ServerConfig;
import touchline.media.tls.CurrentCertificate;

/**
 * What this node needs to call the other nodes, and to answer them. Any thread; one opens and
 * closes it.
 */
final class NodeLinks implements NodeCalls, AutoCloseable {
    /** For an answer that a node begins at the end of its lease. */
    private static final Duration ANSWER = Duration.ofSeconds(2);

    /** For the state of a node that is shown. */
    private static final Duration STATE = Duration.ofSeconds(1);

    private final NodeIdentity self;
    private final Supplier<PeerState> state;
    private final Supplier<Optional<ClockDifference>> hostClock;
    private final Duration lease;
    private final NodeRepository nodes;
    private final DatabaseClock clock = new DatabaseClock(Instant.now(), System::nanoTime);
    private final NodeDirectory directory;
    private final NodeSignature signature;
    private final SSLContext trust;
    private final NodeClient client;
    private final PeerAnswers<List<ObjectNode>> otherSignals;
    private final ChangeFeed feed;
    private final Nudges nudges;

    /** Set before another node calls. */
    private volatile Consumer<Set<WakeUp>> onWake = _ -> {};

    private volatile Supplier<ViewerCounts> served = () -> ViewerCounts.NONE;

    private volatile Supplier<ArrayNode> watched = JsonNodeFactory.instance::arrayNode;

    /** Set before a node is called. */
    private volatile Optional<CurrentCertificate> certificate = Optional.empty();

    /**
     * @param membership of this node: what it says of its database and its clock
     */
    NodeLinks(
            ServerConfig config,
            Database database,
            NodeIdentity self,
            MasterKeys keys,
            Membership membership) {
        this.self = self;
        this.state = membership::state;
        this.hostClock = membership::clock;
        this.lease = config.cluster().lease();
        this.nodes = new NodeRepository(database);
        this.directory = new NodeDirectory(nodes, self, clock);
        directory.tick();
        this.signature = new NodeSignature(keys, self.id(), clock);
        this.trust =
                NodeTrust.of(
                        () -> certificate.map(it -> it.get().leaf()),
                        config.publicUrls().playbackUrl().getHost());
        this.client = new NodeClient(signature, trust);
        this.otherSignals = PeerAnswers.signals(client, directory);
        this.feed = new ChangeFeed(database.changes(), System::nanoTime);
        this.nudges = new Nudges(client, directory::othersNow, directory);
        database.changes().passOn(nudges::changed);
    }

    /**
     * Connects what happens here with the other nodes.
     *
     * @param woken looks for work that another node has stored; does not block
     */
    void start(Consumer<Set<WakeUp>> woken) {
        onWake = woken;
        nudges.start();
    }

    /** Adds up the viewers, and collects the signals, of all nodes. Called before a request. */
    void show(ViewerHistory viewers, LiveControl live) {
        served = viewers::here;
        watched = () -> WatchedSignals.here(live);
        viewers.serveWith(PeerAnswers.viewers(client, directory));
    }

    /** The newest samples of the signals that other nodes watch. */
    List<ObjectNode> otherSignals() {
        return otherSignals.get();
    }

    /** Registers the metrics. */
    void bind(MeterRegistry registry) {
        ClusterMeters.bindCalls(
                registry, this, it -> it.client.forwarded(), it -> it.nudges.unconfirmed());
    }

    /** What nodes have measured with their newest heartbeat, but for those that do not answer. */
    Map<String, NodeMeasurements> measurements(List<ClusterNode> asked) {
        Map<String, NodeMeasurements> measured = new HashMap<>();
        measured.put(self.id(), measurements());
        client.states(NodeDirectory.reachable(asked, self.id()), STATE)
                .forEach(report -> measured.put(report.node(), report.measured()));
        return measured;
    }

    private NodeMeasurements measurements() {
        return new NodeMeasurements(self.heartbeats().lateness(), hostClock.get());
    }

    /** The changes of other nodes. */
    ChangeFeed feed() {
        return feed;
    }

    Nudges nudges() {
        return nudges;
    }

    NodeDirectory directory() {
        return directory;
    }

    NodeSignature signature() {
        return signature;
    }

    /** Checks the certificates of other nodes. */
    SSLContext trust() {
        return trust;
    }

    NodeClient client() {
        return client;
    }

    /** What the API needs of it. */
    ClusterLinks ofApi() {
        return new ClusterLinks(directory, client, lease.plus(ANSWER));
    }

    /**
     * The port for other nodes; the caller closes it.
     *
     * @param config with bound ports
     * @param api routes of requests that other nodes pass on
     * @param shown certificate of this server's listeners
     */
    NodePort port(
            ServerConfig config,
            Consumer<HttpRouting.Builder> api,
            Optional<CurrentCertificate> shown) {
        certificate = shown;
        return new NodePort(
                new NodeServer(config.cluster(), signature, this, api, shown),
                () -> {
                    nodes.publish(self, AdvertisedHost.addresses(config));
                    // From before other nodes could call this one.
                    feed.tick();
                });
    }

    @Override
    public NodeReport report() {
        PeerState now = state.get();
        return new NodeReport(
                self.id(), self.incarnation(), now.hasDatabase(), now.databaseMs(), measurements());
    }

    @Override
    public ViewerCounts viewers() {
        return served.get();
    }

    @Override
    public ArrayNode signals() {
        return watched.get();
    }

    @Override
    public boolean changed(ClusterChanges.Row change) {
        return feed.apply(change);
    }

    @Override
    public void woken(Set<WakeUp> work) {
        onWake.accept(work);
    }

    @Override
    public void close() {
        nudges.close();
        client.close();
    }
}
