package touchline.benchmarks.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import touchline.benchmarks.load.LowLatencyPlaylist;
import touchline.benchmarks.load.Report;
import touchline.benchmarks.recordings.ListedMedia;

/** Compares what all viewers have received from all nodes, and collects findings. Any thread. */
final class Judge {
    private static final int SHOWN = 20;

    /** What is checked. */
    enum Check {
        /** Each stream keeps its session id. */
        SESSION("one session id a stream"),
        /** What one viewer sees never goes back. */
        ORDER("numbers never go back for a viewer"),
        /** An address has one content, at whichever node. */
        CONTENT("one content an address"),
        /** A number has one address, duration, date and init segment. */
        LINES("one playlist entry a number"),
        /** Media inside a window is continuous, or marked. */
        HOLES("no hole without a discontinuity"),
        /** Media goes on after each fault. */
        RESUMED("media goes on after a fault"),
        /** Media goes on while a node is cut off, and each node does what is expected of it. */
        PARTITION("media goes on during a partition"),
        /** A node that is cut off from the database shows nothing. */
        ISOLATED("nothing from a node without the database"),
        /** A wrong clock is noticed, and changes nothing for streams. */
        CLOCK("a wrong clock moves no stream"),
        /** Players in a browser go on without help. */
        PLAYERS("players go on by themselves"),
        /** An epoch has one owner. */
        OWNERS("one owner an epoch"),
        /** A session ends once, and not by a fault. */
        ENDS("no session ended"),
        /** What was committed was delivered, in order. */
        EVENTS("events delivered in order"),
        /** Nothing is shown of a disabled stream. */
        DISABLED("nothing from a disabled stream"),
        /** Recordings decode. */
        RECORDINGS("recordings decode"),
        /** With S3, a recording goes on at another node. */
        ONE_ASSET("one asset across a takeover"),
        /** What assets have of what was published. */
        LOST_MEDIA("recordings lack no more than a lost disk costs"),
        /** Clips across takeovers have the frames that were asked for. */
        CLIPS("clips across takeovers are exact"),
        /** S3 is stopped. */
        S3_AWAY("nothing is seen of a stopped S3"),
        /** {@code storage verify --orphans}. */
        VERIFY("rows, indexes and objects fit");

        private final String text;

        Check(String text) {
            this.text = text;
        }
    }

    /** What is known of an address, and the node it came from. */
    private record Known(String value, String node) {}

    private final long startNs = System.nanoTime();

    @GuardedBy("this")
    private final Map<Check, Long> checked = new EnumMap<>(Check.class);

    @GuardedBy("this")
    private final Map<Check, Set<String>> findings = new EnumMap<>(Check.class);

    private final ListedMedia listed = new ListedMedia();
    private final Map<String, Known> contents = new ConcurrentHashMap<>();
    private final Map<String, Known> lines = new ConcurrentHashMap<>();

    @GuardedBy("this")
    private final Map<String, String> sessions = new HashMap<>();

    @GuardedBy("this")
    private final List<String> refused = new ArrayList<>();

    /** Counts a check that found nothing. */
    synchronized void passed(Check check) {
        checked.merge(check, 1L, Long::sum);
    }

    /** Records a fault; the same one counts once. */
    synchronized void find(Check check, String finding) {
        checked.merge(check, 1L, Long::sum);
        Set<String> known = findings.computeIfAbsent(check, _ -> new LinkedHashSet<>());
        if (known.add(finding)) {
            System.err.printf("at %.1f s %s: %s%n", seconds(), check, finding);
        }
    }

    /** Records a check. */
    void judge(Check check, List<String> faults) {
        if (faults.isEmpty()) {
            passed(check);
        }
        faults.forEach(fault -> find(check, fault));
    }

    /** Seconds since the start of the run. */
    double seconds() {
        return (System.nanoTime() - startNs) / 1e9;
    }

    /** A node that runs has refused an encoder. */
    synchronized void refused(String reason) {
        refused.add("at %.1f s %s".formatted(seconds(), reason));
    }

    synchronized List<String> refused() {
        return List.copyOf(refused);
    }

    /** The session that a viewer of a stream is led to. */
    synchronized void session(String stream, String session, String node) {
        String known = sessions.putIfAbsent(stream, session);
        if (known == null || known.equals(session)) {
            passed(Check.SESSION);
        } else {
            find(
                    Check.SESSION,
                    "%s: %s shows session %s (expected: %s)"
                            .formatted(stream, node, session, known));
        }
    }

    /** The bytes of a segment, part or init segment. */
    void content(String path, byte[] bytes, String node) {
        compare(Check.CONTENT, contents, path, hash(bytes), node);
    }

    /** All media that viewers have seen listed. */
    ListedMedia listed() {
        return listed;
    }

    /** What a playlist says of its complete segments. */
    void window(String folder, ViewedWindow window, String node) {
        for (int i = 0; i < window.marks().size(); i++) {
            LowLatencyPlaylist.Item segment = window.media().segments().get(i);
            ViewedWindow.Mark mark = window.marks().get(i);
            String line =
                    "%s, %.6f s, date %s, init %s, discontinuity %s"
                            .formatted(
                                    segment.address().getPath(),
                                    segment.seconds(),
                                    mark.date().map(Object::toString).orElse("-"),
                                    mark.init(),
                                    mark.discontinuity());
            // A window's first segment may have lost its mark of a discontinuity.
            String known = i == 0 ? line.substring(0, line.lastIndexOf(',')) : line;
            compare(
                    Check.LINES,
                    lines,
                    folder + segment.mediaSequence() + (i == 0 ? " first" : ""),
                    known,
                    node);
        }
        judge(Check.HOLES, window.faults().stream().map(fault -> folder + ": " + fault).toList());
    }

    private void compare(
            Check check, Map<String, Known> all, String key, String value, String node) {
        Known known = all.putIfAbsent(key, new Known(value, node));
        if (known == null || known.value().equals(value)) {
            passed(check);
        } else {
            find(
                    check,
                    "%s: %s from %s, %s from %s"
                            .formatted(key, known.value(), known.node(), value, node));
        }
    }

    private static String hash(byte[] bytes) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
            return bytes.length + " bytes " + HexFormat.of().formatHex(hash, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256", e);
        }
    }

    synchronized long findings() {
        return findings.values().stream().mapToLong(Set::size).sum();
    }

    /** Writes the table, and shows the findings. */
    synchronized void addTo(Report report) {
        Report.Table table = report.table("judge", "check | checked | findings");
        for (Check check : Check.values()) {
            Set<String> found = findings.getOrDefault(check, Set.of());
            table.row(check.text, checked.getOrDefault(check, 0L), found.size());
            found.stream().limit(SHOWN).forEach(it -> report.note("%s: %s", check, it));
        }
    }
}
