package touchline.benchmarks.simulation;

import com.google.errorprone.annotations.FormatMethod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import touchline.api.cluster.ownership.NodeStanding;
import touchline.api.cluster.ownership.OwnedStream;
import touchline.api.cluster.ownership.OwnershipTimes;

/** Everything in one schedule. Owned by one thread. */
final class World {
    /** Where the encoders go on and everything is mended: time to come back. */
    static final long QUIET_MS = 30_000;

    /** From an encoder's connect to a live node until it sends, when only one node has failed. */
    private static final long ACCEPT_BOUND_MS = 2_000;

    private static final long PROGRAMME_BOUND_MS = 4_500;

    /** Without a fault: leases, settling, and the hold of a publish are over. */
    private static final long SETTLED_MS = 16_000;

    private static final long END_SILENCE_MS = 5_000;

    /** Ten minutes for a server, but a schedule has only two. */
    private static final long FORGET_MS = 15_000;

    static final long END_MS = Fault.FAULTS_MS + 30_000 + QUIET_MS;

    final VirtualTime time = new VirtualTime();
    final Judge judge = new Judge();
    final SplittableRandom random;
    final Variant variant;
    final OwnershipTimes times;
    final long windowMs;
    final Fault.Family family;
    final Network network;
    final SimulatedDatabase database;
    final List<SimulatedNode> nodes = new ArrayList<>();
    final List<SimulatedEncoder> encoders = new ArrayList<>();
    private final boolean traced;
    private final List<String> trace = new ArrayList<>();
    private final Map<String, Long> newestPartAtMs = new HashMap<>();
    private int sessions;
    private int cuts;
    private int activeFaults;
    private long quietSinceMs;
    long staleAnswers;
    long longestAcceptMs;
    final long encoderPatienceMs;

    World(SplittableRandom random, Variant variant, Shape shape, boolean traced) {
        this.random = random;
        this.variant = variant;
        this.traced = traced;
        this.windowMs = shape.windowMs;
        this.family = shape.family;
        this.times = times(variant);
        boolean slow = shape.family == Fault.Family.EVERYTHING;
        this.encoderPatienceMs = 5_000L + random.nextInt(7_000);
        this.network = new Network(time, random, shape.nodes, slow);
        this.database = new SimulatedDatabase(this);
        for (int i = 0; i < shape.nodes; i++) {
            nodes.add(new SimulatedNode(this, i));
        }
        for (int i = 0; i < shape.streams; i++) {
            encoders.add(new SimulatedEncoder(this, stream(i), "encoder-" + i));
            new SimulatedViewer(this, stream(i)).start();
            new SimulatedViewer(this, stream(i)).start();
        }
    }

    /** What a schedule consists of. */
    record Shape(int nodes, int streams, long windowMs, Fault.Family family) {}

    private static OwnershipTimes times(Variant variant) {
        OwnershipTimes times = OwnershipTimes.DEFAULT;
        return new OwnershipTimes(
                times.leaseMs(),
                times.heartbeatMs(),
                times.answerMs(),
                times.settleMs(),
                FORGET_MS,
                variant == Variant.NO_GRACE_AFTER_OUTAGE ? 0 : times.graceMs(),
                times.holdMs(),
                times.lookMs(),
                times.silentMs());
    }

    static String stream(int index) {
        return "stream-" + index;
    }

    SimulatedNode node(String id) {
        return nodes.get(Integer.parseInt(id.substring("node-".length())));
    }

    /** A message between a node and an encoder or viewer. */
    void toClient(Runnable action) {
        time.after(1 + random.nextInt(5), action);
    }

    String newSession(String stream) {
        return stream + "/session-" + ++sessions;
    }

    /** An encoder was accepted, so long after its first connection to a node that was there. */
    void encoderAccepted(String stream, long afterMs) {
        longestAcceptMs = Math.max(longestAcceptMs, afterMs);
        if (family != Fault.Family.EVERYTHING && afterMs > ACCEPT_BOUND_MS) {
            throw new Violation(
                    "a takeover ends within its bound",
                    "%s: %d ms (expected: <= %d)".formatted(stream, afterMs, ACCEPT_BOUND_MS));
        }
    }

    void encoderCut() {
        cuts++;
    }

    void faultBegins() {
        activeFaults++;
    }

    void faultEnds() {
        activeFaults--;
        quietSinceMs = time.nowMs();
    }

    /** A node held a publish for its whole time and found no owner. */
    void refusedUndecided(String stream) {
        if (activeFaults == 0 && time.nowMs() - quietSinceMs > SETTLED_MS) {
            throw new Violation("without faults every publish is decided", stream);
        }
    }

    /** An owner published a part. */
    void programmeWentOn(String stream) {
        Long before = newestPartAtMs.put(stream, time.nowMs());
        boolean bounded =
                family == Fault.Family.DATABASE_ONLY || family == Fault.Family.SHORT_PAUSES_ONLY;
        if (before != null && bounded && time.nowMs() - before > PROGRAMME_BOUND_MS) {
            throw new Violation(
                    "the programme goes on in a database outage and behind a short pause",
                    "%s: nothing for %d ms".formatted(stream, time.nowMs() - before));
        }
    }

    /** An owner is about to answer a viewer. */
    void checkAnswer(SimulatedNode node, OwnedStream owned, NodeStanding standing) {
        if (judge.newestEpoch(owned.streamId()) <= owned.epoch()
                || standing.mode() == NodeStanding.Mode.OUTAGE) {
            return;
        }
        long sinceMs = Math.max(judge.takenOverAtMs(owned.streamId()), node.process.awakeSinceMs());
        staleAnswers++;
        if (time.nowMs() - sinceMs > times.leaseMs() + 100) {
            throw new Violation(
                    "a former owner falls silent within its lease",
                    "%s: %s answers in epoch %d, %d ms late"
                            .formatted(
                                    owned.streamId(),
                                    node.id,
                                    owned.epoch(),
                                    time.nowMs() - sinceMs));
        }
    }

    /** What must hold at the end. */
    void checkEnd() {
        for (SimulatedEncoder each : encoders) {
            long silentMs = time.nowMs() - newestPartAtMs.getOrDefault(each.stream(), 0L);
            if (silentMs > END_SILENCE_MS) {
                throw new Violation(
                        "after all faults every stream goes on",
                        "%s: nothing for %d ms".formatted(each.stream(), silentMs));
            }
        }
        if (family != Fault.Family.EVERYTHING && sessions() > encoders.size()) {
            throw new Violation("one session id per run of a stream", sessions() + " sessions");
        }
        boolean calm =
                family == Fault.Family.DATABASE_ONLY || family == Fault.Family.SHORT_PAUSES_ONLY;
        if (calm && (cuts > 0 || judge.takeovers > encoders.size())) {
            throw new Violation(
                    "no takeover without need",
                    "%d encoders cut, %d claims".formatted(cuts, judge.takeovers));
        }
    }

    private long sessions() {
        return judge.takeovers - judge.resumed;
    }

    @FormatMethod
    void trace(String format, Object... arguments) {
        if (traced) {
            trace.add(("%7.3f s  " + format).formatted(prepend(time.nowMs() / 1e3, arguments)));
        }
    }

    private static Object[] prepend(Object first, Object[] rest) {
        Object[] all = new Object[rest.length + 1];
        all[0] = first;
        System.arraycopy(rest, 0, all, 1, rest.length);
        return all;
    }

    List<String> trace() {
        return trace;
    }
}
