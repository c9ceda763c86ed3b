package touchline.api.cluster;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import touchline.api.cluster.ownership.NodeStanding;

/**
 * While heartbeats fail, asks the other nodes whether they have the database, and ends this node
 * when it may no longer go on. One thread, until it is closed.
 */
public final class PeerWatch implements AutoCloseable {
    private final Membership membership;
    private final Peers peers;
    private final Consumer<String> onFenced;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Thread thread =
            Thread.ofPlatform().daemon().name("cluster-peers").unstarted(this::run);

    /**
     * @param onFenced receives the reason, once; returns at once
     */
    public PeerWatch(Membership membership, Peers peers, Consumer<String> onFenced) {
        this.membership = membership;
        this.peers = peers;
        this.onFenced = onFenced;
    }

    public void start() {
        thread.start();
    }

    private void run() {
        Duration pause = Duration.ofMillis(membership.times().heartbeatMs() / 2);
        try {
            do {
                NodeStanding now = membership.watched();
                if (now.mode() == NodeStanding.Mode.FENCED) {
                    onFenced.accept(
                            "node %s had no database for too long, and cannot know whether others have taken its streams: it ends"
                                    .formatted(membership.self().id()));
                    return;
                }
                if (now.failing()) {
                    now.peers().forEach(this::ask);
                }
            } while (!stopping.await(pause.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** A node that does not answer does not delay the others. */
    private void ask(String peer) {
        long askedAtMs = membership.nowMs();
        Thread.ofVirtual()
                .name("cluster-peer-" + peer)
                .start(
                        () ->
                                peers.state(peer)
                                        .ifPresent(
                                                state ->
                                                        membership.peerAnswered(
                                                                peer, state, askedAtMs)));
    }

    @Override
    public void close() {
        stopping.countDown();
    }
}
