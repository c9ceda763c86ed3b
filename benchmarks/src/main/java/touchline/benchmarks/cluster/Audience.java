package touchline.benchmarks.cluster;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import touchline.benchmarks.load.LiveAddress;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.players.FaultPlayers;

/** Players in browsers that watch one stream through a balancer; or none. One thread. */
final class Audience implements AutoCloseable {
    private final @Nullable Balancer balancer;
    private final @Nullable FaultPlayers players;

    private Audience(@Nullable Balancer balancer, @Nullable FaultPlayers players) {
        this.balancer = balancer;
        this.players = players;
    }

    /**
     * Starts players of the first stream; the caller closes them.
     *
     * @param names of the players; empty for none
     */
    static Audience open(
            String names, List<ClusterNode> nodes, List<LiveAddress> streams, Report report)
            throws Exception {
        if (names.isEmpty()) {
            return new Audience(null, null);
        }
        if (!Balancer.isInstalled()) {
            report.note("left out, HAProxy is not installed: players");
            return new Audience(null, null);
        }
        Balancer balancer = Balancer.start(nodes);
        try {
            return new Audience(
                    balancer,
                    FaultPlayers.open(
                            names,
                            balancer.playback(streams.getFirst().watch().getPath()),
                            report));
        } catch (Exception e) {
            balancer.close();
            throw e;
        }
    }

    /** See {@link FaultPlayers#faultBegins}. */
    void faultBegins() {
        if (players != null) {
            players.faultBegins();
        }
    }

    /** See {@link FaultPlayers#stopped}. */
    void judge(Judge judge) throws InterruptedException, IOException {
        if (players != null) {
            judge.judge(Judge.Check.PLAYERS, players.stopped());
        }
    }

    /** Writes the table. */
    void addTo(Report report) throws InterruptedException {
        if (players != null) {
            players.addTo(report);
        }
    }

    @Override
    public void close() throws IOException {
        if (players != null) {
            players.close();
        }
        if (balancer != null) {
            balancer.close();
        }
    }
}
