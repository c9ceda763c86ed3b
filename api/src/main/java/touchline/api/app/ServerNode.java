package touchline.api.app;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import touchline.api.access.MasterKeys;
import touchline.api.access.SecretBox;
import touchline.api.access.StreamKeys;
import touchline.api.cluster.ActiveStreams;
import touchline.api.cluster.ChangeFeed;
import touchline.api.cluster.ClusterLoop;
import touchline.api.cluster.EndpointOwnership;
import touchline.api.cluster.Janitor;
import touchline.api.cluster.Membership;
import touchline.api.cluster.NodeDirectory;
import touchline.api.cluster.NodePeers;
import touchline.api.cluster.PeerWatch;
import touchline.api.cluster.Peers;
import touchline.api.cluster.StreamOwnership;
import touchline.api.cluster.WakeUp;
import touchline.api.cluster.ownership.OwnershipTimes;
import touchline.api.db.ActiveStreamRepository;
import touchline.api.db.Database;
import touchline.api.db.EndpointOwnerRepository;
import touchline.api.db.Epoch;
import touchline.api.db.EventRepository;
import touchline.api.db.NodeIdentity;
import touchline.api.db.NodeRepository;
import touchline.api.db.StreamOwnerRepository;
import touchline.api.events.EventPoll;
import touchline.api.session.SessionHandover;
import touchline.config.ClusterConfig;
import touchline.config.ServerConfig;
import touchline.media.SessionId;
import touchline.media.StreamId;

/** What only a node of a cluster has. Opened and closed by {@link ServerCluster}. */
final class ServerNode implements StreamOwnership.Sessions {
    final NodeIdentity identity;
    final Membership membership;
    private final Database database;
    final NodeRepository nodes;
    final NodeLinks links;
    final StreamOwnership ownership;
    private final ChangeFeed feed;
    final ActiveStreams active;
    final EndpointOwnership endpoints;
    private final Janitor janitor;
    final PeerWatch watch;
    final ClusterConfig cluster;
    @Nullable ClusterLoop loop;

    /** Set before the node starts. */
    @Nullable ServerEdge edge;

    /** Set before the first publisher is admitted. */
    volatile @Nullable SessionHandover handover;

    ServerNode(
            ServerConfig config,
            Database database,
            NodeIdentity identity,
            Membership membership,
            MasterKeys keys,
            Consumer<String> onFenced) {
        this.identity = identity;
        this.membership = membership;
        this.database = database;
        nodes = new NodeRepository(database);
        links = new NodeLinks(config, database, identity, keys, membership);
        cluster = config.cluster();
        feed = links.feed();
        endpoints = new EndpointOwnership(new EndpointOwnerRepository(database));
        active =
                new ActiveStreams(
                        new ActiveStreamRepository(database),
                        new StreamKeys(new SecretBox(keys))::lookupHash);
        StreamOwnerRepository owners = new StreamOwnerRepository(database, times(cluster));
        janitor = new Janitor(membership, nodes, owners, this);
        Peers peers =
                new NodePeers(
                        links.directory(),
                        links.client(),
                        Duration.ofMillis(membership.times().answerMs()));
        watch = new PeerWatch(membership, peers, onFenced);
        ownership =
                new StreamOwnership(
                        membership,
                        new StreamOwnership.Dependencies(
                                owners,
                                this,
                                cluster.has(ClusterConfig.Role.ORIGIN),
                                new NodeRelays(links.directory(), peers, identity.id(), keys),
                                active,
                                task -> Thread.ofVirtual().name("ownership").start(task)));
    }

    void start(ClusterReactions reactions) {
        // First: a key that was replaced is not found while the others react.
        active.follow(feed, database.changes());
        reactions.follow(feed);
        links.start(reactions::woken);
        watch.start();
        reactions.jobs().elsewhere(() -> links.nudges().wake(WakeUp.JOBS));
        database.outbox().listen((_, to) -> wakeSender(to));
        List<ClusterLoop.Task> tasks = new ArrayList<>();
        NodeDirectory directory = links.directory();
        tasks.add(new ClusterLoop.Task("the other nodes", directory::tick));
        tasks.add(new ClusterLoop.Task("the changes of other nodes", feed::tick));
        // Behind the changes: what they have removed is read again.
        tasks.add(new ClusterLoop.Task("the active streams of all nodes", active::tick));
        if (edge != null) {
            edge.follow();
            tasks.add(new ClusterLoop.Task("the media of other nodes", edge::tick));
        }
        if (cluster.has(ClusterConfig.Role.JOBS)) {
            tasks.add(
                    new ClusterLoop.Task(
                            "webhooks", () -> endpoints.tick(reactions.events().dispatch())));
        }
        EventPoll console =
                new EventPoll(
                        new EventRepository(database), reactions.events().feed(), System::nanoTime);
        tasks.add(new ClusterLoop.Task("the events of other nodes", console::tick));
        tasks.add(new ClusterLoop.Task("the janitor", janitor::tick));
        loop = new ClusterLoop(cluster.heartbeat(), tasks);
        loop.start();
    }

    /** Of endpoints that another node sends to. */
    private void wakeSender(List<String> to) {
        if (!to.stream().allMatch(endpoints::isOurs)) {
            links.nudges().wake(WakeUp.DELIVERIES);
        }
    }

    private SessionHandover sessions() {
        SessionHandover sessions = handover;
        if (sessions == null) {
            throw new IllegalStateException("sessions are not open yet");
        }
        return sessions;
    }

    @Override
    public void closeAbandoned(StreamId stream, boolean connected) {
        sessions().closeAbandoned(stream, connected);
    }

    @Override
    public void takeOver(Epoch epoch, SessionId session, boolean connected, Instant at) {
        sessions().takeOver(epoch, session, connected, at);
    }

    static OwnershipTimes times(ClusterConfig cluster) {
        return OwnershipTimes.of(cluster.lease().toMillis(), cluster.heartbeat().toMillis());
    }
}
