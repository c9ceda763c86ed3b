package touchline.api.db;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.AtOnce;
import touchline.api.audit.EvidenceFolder;
import touchline.api.domain.Evidence;
import touchline.api.domain.FilePlace;
import touchline.api.domain.FrameContent;
import touchline.api.domain.FrameName;
import touchline.api.domain.ModerationRecord;
import touchline.api.maintenance.EvidenceRetention;
import touchline.config.DatabaseConfig;
import touchline.config.EvidenceConfig;
import touchline.media.SessionId;
import touchline.media.StreamId;

/** Retention of evidence frames on two nodes: each frame is deleted once, and its file too. */
final class EvidenceNodesIT {
    private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
    private static final byte[] JPEG = "JPEG".getBytes(StandardCharsets.UTF_8);

    private static final int FRAMES = 1_300;
    private static final int KEPT = 100;

    private final DatabaseConfig config = TestPostgres.newDatabase();

    @TempDir private Path root;

    private final List<Database> open = new ArrayList<>();

    /** A node with its disk. */
    private final class Node {
        final Database database;
        final EvidenceFolder folder;
        final EvidenceRepository evidence;

        Node(String id) {
            database = JoinedNode.join(config, id, Duration.ofSeconds(1));
            open.add(database);
            folder = new EvidenceFolder(root.resolve(id));
            evidence = new EvidenceRepository(database);
        }

        FrameName recorded(int second) {
            FrameName frame = FrameName.create();
            folder.put(frame, JPEG);
            Instant at = NOW.plusSeconds(second);
            long _ =
                    new ModerationRepository(database)
                            .create(
                                    new ModerationRecord(
                                            /* id= */ 0,
                                            /* taskId= */ 7,
                                            "evt_" + second,
                                            "default",
                                            new StreamId("str_1"),
                                            new SessionId("ses_1"),
                                            List.of(),
                                            Optional.of(frame),
                                            at,
                                            at,
                                            Optional.empty()),
                                    FrameContent.of(JPEG));
            return frame;
        }

        EvidenceRetention retention(boolean inS3, Duration maxAge, long maxBytes) {
            return new EvidenceRetention(
                    new EvidenceRetention.Dependencies(
                            () -> new EvidenceConfig(maxAge, maxBytes),
                            folder,
                            evidence,
                            new SampledFrames(database),
                            inS3,
                            () -> NOW.plusSeconds(1_000)));
        }

        /** Another node: it does not run any more. */
        void isGone(String id) {
            int _ =
                    database.with(
                            handle ->
                                    handle.execute(
                                            "UPDATE nodes SET state = 'gone' WHERE id = ?", id));
        }

        boolean has(FrameName frame) {
            return folder.find(frame).isPresent();
        }
    }

    @AfterEach
    void close() {
        open.reversed().forEach(Database::close);
    }

    private static Set<FrameName> toDelete(Node node) {
        return new EvidenceUploads(node.database).deletedBefore(NOW.plusSeconds(5_000), NOW, 9);
    }

    @Test
    void age_isAppliedByEachNodeToItsDisk_andByAnyToThatOfADeadOne() throws Exception {
        Node a = new Node("node-a");
        Node b = new Node("node-b");
        FrameName atA = a.recorded(1);
        FrameName atB = b.recorded(2);
        FrameName young = a.recorded(999);
        EvidenceRetention ofB = b.retention(/* inS3= */ false, Duration.ofSeconds(500), 0);

        assertEquals(1, ofB.apply());
        assertFalse(b.has(atB));
        assertTrue(a.has(atA));
        assertTrue(b.evidence.find(atA).isPresent());

        Evidence seen = b.evidence.oldest(0, 1).getFirst();
        assertEquals(FilePlace.ELSEWHERE, seen.place());
        b.isGone("node-a");
        assertEquals(1, ofB.apply());
        assertEquals(Optional.empty(), b.evidence.find(atA));
        assertTrue(b.evidence.find(young).isPresent());
        assertEquals(Set.of(), toDelete(b));

        // It comes back with its disk.
        EvidenceRetention ofA =
                new EvidenceRetention(
                        new EvidenceRetention.Dependencies(
                                () -> EvidenceConfig.DEFAULT,
                                a.folder,
                                b.evidence,
                                new SampledFrames(b.database),
                                /* inS3= */ false,
                                () -> Instant.now().plusSeconds(60)));
        assertEquals(1, ofA.sweep());
        assertFalse(a.has(atA));
        assertTrue(a.has(young));
    }

    @Test
    void size_ofFramesInS3_isThatOfAllNodes_andEachObjectIsListedOnce() {
        Node a = new Node("node-a");
        Node b = new Node("node-b");
        FrameName first = a.recorded(1);
        FrameName second = b.recorded(2);
        FrameName third = a.recorded(3);
        FrameName newest = b.recorded(4);
        long one = JPEG.length;
        EvidenceRetention ofA = a.retention(/* inS3= */ true, Duration.ZERO, 2 * one);
        EvidenceRetention ofB = b.retention(/* inS3= */ true, Duration.ZERO, 2 * one);

        assertEquals(1, ofB.apply());
        assertEquals(1, ofA.apply());
        assertEquals(0, ofA.apply() + ofB.apply());

        assertFalse(a.has(first) || b.has(second));
        assertTrue(a.has(third) && b.has(newest));
        assertEquals(Set.of(first), toDelete(a));
        assertEquals(Set.of(second), toDelete(b));
        b.isGone("node-a");
        assertEquals(Set.of(first, second), toDelete(b));
    }

    /** More than one page of the list, so that sizes are read while other nodes delete. */
    @Test
    void size_appliedByAllNodesAtOnce_leavesNotOneTooFew() throws Exception {
        List<Node> nodes = List.of(new Node("node-a"), new Node("node-b"), new Node("node-c"));
        List<FrameName> oldestFirst = new ArrayList<>();
        for (int i = 0; i < FRAMES; i++) {
            oldestFirst.add(nodes.get(i % nodes.size()).recorded(i));
        }
        List<FrameName> youngest = oldestFirst.subList(FRAMES - KEPT, FRAMES);

        long maxBytes = (long) KEPT * JPEG.length;
        int deleted = together(nodes, maxBytes);
        assertEquals(Set.copyOf(youngest), nodes.getFirst().evidence.named(youngest));

        // Each may have left some that another node deleted while it read the size.
        for (Node node : nodes) {
            deleted += node.retention(/* inS3= */ true, Duration.ZERO, maxBytes).apply();
        }

        assertEquals(FRAMES - KEPT, deleted);
        assertEquals(Set.copyOf(youngest), nodes.getFirst().evidence.named(oldestFirst));
    }

    /** Returns how many frames all have deleted. */
    private static int together(List<Node> nodes, long maxBytes) throws Exception {
        List<Callable<Integer>> runs = new ArrayList<>();
        for (Node node : nodes) {
            runs.add(node.retention(/* inS3= */ true, Duration.ZERO, maxBytes)::apply);
        }
        return AtOnce.run(runs).stream().mapToInt(Integer::intValue).sum();
    }

    /** Seen as of a dead node, which is back when the frame is to be deleted. */
    @Test
    void frame_ofANodeThatIsBack_isLeftToIt() {
        Node a = new Node("node-a");
        Node b = new Node("node-b");
        FrameName frame = a.recorded(1);
        Evidence seen = b.evidence.oldest(0, 1).getFirst();
        Evidence gone =
                new Evidence(
                        seen.recordId(),
                        frame,
                        seen.sizeBytes(),
                        seen.capturedAt(),
                        FilePlace.GONE);

        assertFalse(b.evidence.delete(gone, /* inS3= */ true, NOW));
        assertEquals(Set.of(), toDelete(b));
        assertTrue(b.evidence.find(frame).isPresent());
    }
}
