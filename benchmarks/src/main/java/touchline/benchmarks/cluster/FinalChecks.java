package touchline.benchmarks.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import touchline.benchmarks.cluster.Judge.Check;
import touchline.benchmarks.events.EventReceiver;
import touchline.benchmarks.load.LiveAddress;

/** What rows and webhooks say when all faults are over. One thread. */
final class FinalChecks {
    private static final Duration DELIVERED = Duration.ofMinutes(6);
    private static final Duration POLL = Duration.ofSeconds(2);

    private final Cluster cluster;
    private final List<LiveAddress> streams;
    private final Judge judge;

    /** Sessions and assets that ended before the first fault. */
    private final Set<String> before = new HashSet<>();

    FinalChecks(Cluster cluster, List<LiveAddress> streams, Judge judge) {
        this.cluster = cluster;
        this.streams = streams;
        this.judge = judge;
    }

    private ClusterNode anyNode() {
        return cluster.nodes().getFirst();
    }

    /** Before the first fault: what a start on a busy host has ended is not looked at. */
    void begin() throws IOException, InterruptedException {
        for (LiveAddress stream : streams) {
            anyNode()
                    .get("/live/v1/live-streams/" + stream.id() + "/sessions")
                    .forEach(
                            session -> {
                                if (!session.path("ended_at").isNull()) {
                                    before.add(session.path("id").asText());
                                }
                            });
        }
        anyNode()
                .server()
                .each(
                        "/video-streams/v1/assets",
                        asset -> {
                            if (!asset.path("is_live").asBoolean()) {
                                before.add(asset.path("asset_id").asText());
                            }
                        });
    }

    /** While the streams are on air: each has had one session since, which goes on. */
    void sessions() throws IOException, InterruptedException {
        for (LiveAddress stream : streams) {
            String path = "/live/v1/live-streams/" + stream.id();
            List<JsonNode> sessions = new ArrayList<>();
            anyNode().get(path + "/sessions").forEach(sessions::add);
            sessions.removeIf(session -> before.contains(session.path("id").asText()));
            List<String> faults = new ArrayList<>();
            if (sessions.size() != 1) {
                faults.add("%s: %d sessions: %s".formatted(stream.id(), sessions.size(), sessions));
            } else if (!sessions.getFirst().path("end_reason").isNull()) {
                faults.add(stream.id() + ": ended: " + sessions.getFirst());
            }
            String status = anyNode().get(path).path("status").asText();
            if (!status.equals("active")) {
                faults.add(stream.id() + ": " + status + " (expected: active)");
            }
            judge.judge(Check.ENDS, faults);
        }
    }

    /** The history of all owners. */
    void owners() throws Exception {
        List<OwnerChange> changes = cluster.database().ownerChanges();
        changes.forEach(_ -> judge.passed(Check.OWNERS));
        OwnerChange.faults(changes).forEach(fault -> judge.find(Check.OWNERS, fault));
    }

    /** Sessions and assets that are not looked at. */
    Set<String> ignored() {
        return Set.copyOf(before);
    }

    /** Every committed event was received, and first deliveries in order. */
    void events(EventReceiver receiver, Set<String> titles)
            throws IOException, InterruptedException {
        long endNs = System.nanoTime() + DELIVERED.toNanos();
        Optional<String> missing = missing(receiver);
        while ((missing.isPresent() || !receiver.hasTitles(titles))
                && System.nanoTime() - endNs < 0) {
            Thread.sleep(POLL);
            missing = missing(receiver);
        }
        List<String> faults = new ArrayList<>();
        missing.ifPresent(event -> faults.add("not delivered: " + event));
        if (receiver.missing(titles) > 0) {
            faults.add("confirmed changes without an event: " + receiver.missing(titles));
        }
        EventReceiver.Account account = receiver.account();
        if (account.disorder() > 0 || account.altered() > 0) {
            faults.add(
                    "out of order: %d, repeated with another body: %d"
                            .formatted(account.disorder(), account.altered()));
        }
        judge.judge(Check.EVENTS, faults);
    }

    private Optional<String> missing(EventReceiver receiver)
            throws IOException, InterruptedException {
        List<String> missing = new ArrayList<>();
        anyNode()
                .server()
                .each(
                        "/system/v1/events",
                        event -> {
                            if (!receiver.hasEvent(event.path("id").asText())) {
                                missing.add(event.toString());
                            }
                        });
        return missing.stream().findFirst().map(first -> missing.size() + ", such as " + first);
    }
}
