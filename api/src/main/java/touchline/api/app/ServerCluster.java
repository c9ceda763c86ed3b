package touchline.api.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.MeterRegistry;
import java.lang.management.ManagementFactory;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.access.ClusterChecks;
import touchline.api.access.Digests;
import touchline.api.access.MasterKeyCheck;
import touchline.api.access.MasterKeys;
import touchline.api.audit.FrameHome;
import touchline.api.cluster.Membership;
import touchline.api.db.Database;
import touchline.api.db.EvidenceRepository;
import touchline.api.db.LeaseHolder;
import touchline.api.db.NodeExchange;
import touchline.api.db.NodeIdentity;
import touchline.api.db.NodeLoad;
import touchline.api.db.NodeSettings;
import touchline.api.db.SealedTexts;
import touchline.api.db.ServerDatabase;
import touchline.api.db.SessionRepository;
import touchline.api.domain.AssetId;
import touchline.api.domain.ClusterNode;
import touchline.api.domain.NodeMeasurements;
import touchline.api.domain.SuspendedSession;
import touchline.api.events.EndpointDuty;
import touchline.api.http.ApiServer;
import touchline.api.http.ClusterLinks;
import touchline.api.http.ClusterNodes;
import touchline.api.session.LeasedPlayback;
import touchline.api.session.RemoteFrames;
import touchline.api.session.RemotePlaybackIds;
import touchline.api.session.SessionHandover;
import touchline.api.session.SessionUse;
import touchline.api.session.StreamAdmission;
import touchline.config.ClusterConfig;
import touchline.config.ServerConfig;
import touchline.media.tls.CurrentCertificate;
import touchline.packager.audience.Audience;
import touchline.packager.delivery.ClusterPlayback;
import touchline.packager.delivery.FrameDecision;
import touchline.packager.delivery.FrameRequest;
import touchline.packager.delivery.PlaybackAccess;
import touchline.packager.edge.RemoteMedia;
import touchline.packager.hls.MediaMemory;

/**
 * The database of this server, and its place among the nodes of a cluster. Without {@code
 * cluster.enabled} only the database. Built and closed with the server.
 */
final class ServerCluster implements ClusterNodes, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ServerCluster.class);
    private static final int HASH_DIGITS = 16;

    private final ServerConfig config;
    private final NodeLoad load = new NodeLoad();
    private final Database database;
    private final @Nullable ServerNode node;

    /**
     * Opens the database. No other server may be using it that is not a node of the same cluster.
     *
     * @param onLost receives the reason when this server must not work with the database any more
     */
    ServerCluster(
            ServerConfig config,
            FolderLock folder,
            MasterKeys keys,
            String adminSecret,
            Consumer<String> onLost) {
        this.config = config;
        LeaseHolder holder =
                HostProcess.holder(
                        config.dataDir(), config.db().url().isPresent() ? folder.id() : "");
        ServerDatabase opening = new ServerDatabase(config.db(), config.dataDir(), holder, onLost);
        Membership membership =
                new Membership(
                        ServerNode.times(config.cluster()),
                        InstantSource.system(),
                        System::nanoTime);
        database =
                config.cluster().enabled()
                        ? opening.join(joining(ClusterChecks.of(keys, adminSecret), membership))
                        : opening.openAlone();
        try {
            MasterKeyCheck.run(keys, new SealedTexts(database));
        } catch (RuntimeException e) {
            database.close();
            throw e;
        }
        Optional<NodeIdentity> identity = database.node();
        node =
                identity.map(it -> new ServerNode(config, database, it, membership, keys, onLost))
                        .orElse(null);
        identity.ifPresent(
                it -> log.info("this is node {} (start {} of it)", it.id(), it.incarnation()));
    }

    private ServerDatabase.Joining joining(ClusterChecks checks, NodeExchange exchange) {
        ClusterConfig cluster = config.cluster();
        return new ServerDatabase.Joining(
                settings(config, checks), load, cluster.lease(), cluster.heartbeat(), exchange);
    }

    /** What this server says of itself as a node. Its id is configured, or the host's name. */
    static NodeSettings settings(ServerConfig config, ClusterChecks checks) {
        return new NodeSettings(
                config.cluster().node().orElseGet(HostProcess::nodeName),
                config.cluster().roleNames(),
                version(),
                Digests.sha256(config.packager() + " " + config.encoder())
                        .substring(0, HASH_DIGITS),
                checks.masterKey(),
                checks.adminSecret());
    }

    private static String version() {
        return Optional.ofNullable(ServerCluster.class.getPackage().getImplementationVersion())
                .orElse("development");
    }

    Database database() {
        return database;
    }

    /** Decides whether a publisher is admitted here. */
    StreamAdmission admission() {
        return node == null ? StreamAdmission.ALONE : node.ownership;
    }

    /** Sessions that the last stop has left open, and that continue here. */
    List<SuspendedSession> suspended(InstantSource clock) {
        List<SuspendedSession> all = new SessionRepository(database).suspended(clock.instant());
        return node == null ? all : node.ownership.resumed(all);
    }

    /** The calls between this node and the others; none without a cluster. */
    Optional<NodeLinks> nodes() {
        return Optional.ofNullable(node).map(it -> it.links);
    }

    /**
     * The port for other nodes, which does nothing without a cluster; the caller closes it.
     *
     * @param bound with bound ports
     * @param certificate of this server's listeners
     */
    NodePort port(ServerConfig bound, ApiServer api, Optional<CurrentCertificate> certificate) {
        return nodes().map(it -> it.port(bound, api.forNodes(), certificate))
                .orElseGet(NodePort::none);
    }

    /** Connects the cluster with the sessions. Called before the first publisher is admitted. */
    void watch(SessionUse use, SessionHandover handover) {
        if (node == null) {
            return;
        }
        node.handover = handover;
        node.ownership.watch(use);
        load.measure(ServerCluster::processorLoad, use::count);
    }

    /** Takes part in the cluster from now on. Called before the first publisher is admitted. */
    void start(ClusterReactions reactions) {
        if (node != null) {
            node.start(reactions);
        }
    }

    /**
     * Opens what viewers here get from other nodes; nothing without a cluster. Called once, before
     * the start.
     *
     * @param openStored shows an asset of another node here, where all its files are in S3
     */
    RemotePlaybackIds serve(MediaMemory memory, Audience audience, Predicate<AssetId> openStored) {
        if (node != null) {
            node.edge = new ServerEdge(config, database, node.links, memory, audience, openStored);
        }
        return ids();
    }

    /** What other nodes have. Called behind {@link #serve}. */
    RemotePlaybackIds ids() {
        return node == null || node.edge == null ? RemotePlaybackIds.NONE : node.edge.ids();
    }

    /**
     * Evidence frames of all nodes; those of this server and of S3 for one that serves no viewers
     * of others.
     *
     * @param here those of this server
     * @param home those in S3
     */
    Function<FrameRequest, CompletionStage<FrameDecision>> frames(
            Function<FrameRequest, CompletionStage<FrameDecision>> here, Optional<FrameHome> home) {
        boolean asks = node != null && config.cluster().has(ClusterConfig.Role.EDGE);
        return asks || home.isPresent()
                ? new RemoteFrames(
                                here,
                                new EvidenceRepository(database)::find,
                                home,
                                other -> asks ? framesOf(other) : Optional.empty())
                        ::find
                : here;
    }

    private Optional<RemoteMedia> framesOf(String other) {
        return node == null || node.edge == null || other.equals(node.identity.id())
                ? Optional.empty()
                : Optional.of(node.edge.frames(other));
    }

    /** Requests to other nodes, and theirs; empty without a cluster. */
    Optional<ClusterPlayback> playback() {
        return node == null || node.edge == null
                ? Optional.empty()
                : Optional.of(node.edge.playback());
    }

    /** The webhook endpoints that this server sends to. */
    EndpointDuty duty() {
        return node == null ? EndpointDuty.ALL : node.endpoints;
    }

    /**
     * Whether this server may answer viewers: a node whose lease is over may not, unless no node
     * has the database.
     */
    boolean mayAnswer() {
        return node == null || node.membership.mayAnswer();
    }

    /** What viewers may see here. */
    PlaybackAccess leased(PlaybackAccess access) {
        return node == null ? access : new LeasedPlayback(access, node.membership::mayAnswer);
    }

    /** Whether this server runs jobs. */
    boolean runsJobs() {
        return node == null || config.cluster().has(ClusterConfig.Role.JOBS);
    }

    /** Runnable threads per processor in the last minute, as the kernel says. */
    private static double processorLoad() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()
                / Runtime.getRuntime().availableProcessors();
    }

    /** Registers the metrics; none without a cluster. */
    void bind(MeterRegistry registry) {
        if (node == null) {
            return;
        }
        ClusterMeters.bind(
                registry, node.identity.heartbeats(), node.ownership::count, node.active::count);
        if (node.edge != null) {
            node.edge.bind(registry);
        }
        ClusterMeters.bindClock(registry, node.membership, Membership::clock);
        node.links.bind(registry);
    }

    @Override
    public List<ClusterNode> list() {
        return node == null ? List.of() : node.nodes.list();
    }

    @Override
    public Map<String, NodeMeasurements> measurements(List<ClusterNode> asked) {
        return node == null ? Map.of() : node.links.measurements(asked);
    }

    @Override
    public List<ObjectNode> signals() {
        return node == null ? List.of() : node.links.otherSignals();
    }

    @Override
    public Optional<ClusterLinks> links() {
        return nodes().map(NodeLinks::ofApi);
    }

    @Override
    public boolean drain(String id) {
        return node != null && node.nodes.drain(id);
    }

    /** Called when all sessions have ended; gives the lease back last. */
    @Override
    public void close() {
        if (node != null) {
            if (node.loop != null) {
                node.loop.close();
            }
            node.watch.close();
            try {
                node.ownership.releaseAll();
            } catch (RuntimeException e) {
                log.warn("cluster: streams are not given back: {}", e.getMessage());
            }
            node.links.close();
        }
        database.close();
    }
}
