package touchline.benchmarks.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import touchline.api.cluster.ownership.NodeRef;
import touchline.api.cluster.ownership.OwnerRow;
import touchline.api.cluster.ownership.Takeover;

/** Sees everything at once and throws {@link Violation}. Owned by the schedule's thread. */
final class Judge {
    private record EpochKey(String stream, long epoch) {}

    private record PartKey(String session, long position) {}

    /** Numbers that one epoch used in one session. */
    private static final class Used {
        private final long epoch;
        private final long first;
        private long last;

        Used(long epoch, long first) {
            this.epoch = epoch;
            this.first = first;
            this.last = first - 1;
        }
    }

    private final Map<EpochKey, NodeRef> owners = new HashMap<>();
    private final Map<String, Long> newestEpoch = new HashMap<>();
    private final Map<String, List<Used>> numbers = new HashMap<>();
    private final Map<PartKey, Long> contents = new HashMap<>();
    private final Set<String> ended = new HashSet<>();
    private final Map<String, String> running = new HashMap<>();
    private final Map<String, Long> takenOverAtMs = new HashMap<>();

    long takeovers;
    long resumed;
    long partsSeen;

    long newestEpoch(String stream) {
        return newestEpoch.getOrDefault(stream, 0L);
    }

    long takenOverAtMs(String stream) {
        return takenOverAtMs.getOrDefault(stream, 0L);
    }

    /** The database accepted a row. */
    void stored(OwnerRow row) {
        NodeRef owner = row.owner();
        if (owner != null) {
            NodeRef other = owners.putIfAbsent(new EpochKey(row.streamId(), row.epoch()), owner);
            if (other != null && !other.equals(owner)) {
                throw new Violation(
                        "at most one owner per stream and epoch",
                        "%s epoch %d: %s and %s"
                                .formatted(row.streamId(), row.epoch(), other, owner));
            }
        }
        newestEpoch.merge(row.streamId(), row.epoch(), Math::max);
    }

    /** The database accepted a write of an owner. */
    void accepted(String stream, long epoch, String what) {
        if (epoch < newestEpoch(stream)) {
            throw new Violation(
                    "no accepted write of a fenced epoch",
                    "%s: %s in epoch %d, newest %d"
                            .formatted(stream, what, epoch, newestEpoch(stream)));
        }
    }

    /** The database accepted a claim. */
    void claimed(OwnerRow before, Takeover.Verdict.Won won, boolean outageCounted, long nowMs) {
        OwnerRow row = won.row();
        String session = Objects.requireNonNull(row.sessionId());
        boolean goesOn = session.equals(before.sessionId());
        if (ended.contains(session)) {
            throw new Violation("an ended session does not go on", session);
        }
        String old = running.put(row.streamId(), session);
        if (old != null && !old.equals(session) && !ended.contains(old)) {
            throw new Violation("one running session per stream", old + " and " + session);
        }
        takeovers++;
        takenOverAtMs.put(row.streamId(), nowMs);
        List<Used> all = numbers.computeIfAbsent(session, _ -> new ArrayList<>());
        if (goesOn) {
            resumed++;
            checkGap(won, outageCounted, all);
        }
        all.add(new Used(row.epoch(), won.firstNumber()));
    }

    private static void checkGap(
            Takeover.Verdict.Won won, boolean outageCounted, List<Used> before) {
        long newest = 0;
        for (Used each : before) {
            newest = Math.max(newest, Math.max(each.last, each.first - 1));
        }
        long skipped = won.firstNumber() - newest - 1;
        if (!outageCounted && skipped > Takeover.RESERVE) {
            throw new Violation(
                    "at most 3 numbers are skipped",
                    "%s: newest %d, successor starts at %d"
                            .formatted(won.row().sessionId(), newest, won.firstNumber()));
        }
    }

    void ended(String session, boolean accepted) {
        if (accepted && !ended.add(session)) {
            throw new Violation("no session ends twice", session);
        }
    }

    /** An owner begins a segment, whether viewers ever see it or not. */
    void used(String session, long epoch, long number) {
        Used own = null;
        for (Used each : numbers.getOrDefault(session, List.of())) {
            boolean inOrder =
                    each.epoch == epoch
                            || (each.epoch < epoch ? number > each.last : number < each.first);
            if (!inOrder) {
                throw new Violation(
                        "numbers of epochs are disjoint and rise",
                        "%s: epoch %d uses %d, epoch %d has %d to %d"
                                .formatted(
                                        session, epoch, number, each.epoch, each.first, each.last));
            }
            own = each.epoch == epoch ? each : own;
        }
        if (own != null) {
            if (number <= own.last) {
                throw new Violation("numbers of an owner rise", session + ": " + number);
            }
            own.last = number;
        }
    }

    /** A viewer received a part. */
    void seen(String session, long position, long content) {
        partsSeen++;
        Long other = contents.putIfAbsent(new PartKey(session, position), content);
        if (other != null && other != content) {
            throw new Violation(
                    "a (session, msn, part) has one content",
                    "%s %d.%d: written in epoch %d and in epoch %d"
                            .formatted(
                                    session,
                                    position / SimulatedStream.PARTS,
                                    position % SimulatedStream.PARTS,
                                    other >> 32,
                                    content >> 32));
        }
    }

    @Nullable String running(String stream) {
        return running.get(stream);
    }
}
