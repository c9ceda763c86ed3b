package touchline.api.db;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.api.db.EvidenceUploads.Backlog;
import touchline.api.db.EvidenceUploads.Pending;
import touchline.api.db.EvidenceUploads.Stored;
import touchline.api.domain.Evidence;
import touchline.api.domain.FilePlace;
import touchline.api.domain.FrameContent;
import touchline.api.domain.FrameName;
import touchline.api.domain.ModerationRecord;
import touchline.media.SessionId;
import touchline.media.StreamId;

/** Contract of {@link EvidenceRepository} and {@link EvidenceUploads} on any database. */
abstract class EvidenceContract {
    private static final FrameContent CONTENT =
            new FrameContent(1_000, OptionalLong.of(0xF000_0001L));
    private static final Instant NOW = Samples.NOW.plusSeconds(1_000);

    private ModerationRepository records;
    private EvidenceRepository evidence;
    private EvidenceUploads uploads;
    private int made;

    abstract Database database();

    @BeforeEach
    void empty() {
        database().with(handle -> handle.execute("DELETE FROM moderation_records"));
        database().with(handle -> handle.execute("DELETE FROM deleted_frames"));
        records = new ModerationRepository(database());
        evidence = new EvidenceRepository(database());
        uploads = new EvidenceUploads(database());
    }

    private Evidence created() {
        made++;
        FrameName frame = new FrameName("framename" + made);
        Instant at = Samples.NOW.plusSeconds(made);
        long id = records.create(record(at, Optional.of(frame)), CONTENT);
        return new Evidence(id, frame, CONTENT.sizeBytes(), at, FilePlace.HERE);
    }

    private ModerationRecord record(Instant at, Optional<FrameName> frame) {
        return new ModerationRecord(
                /* id= */ 0,
                /* taskId= */ 7,
                "evt_" + at.toEpochMilli() + frame.isPresent(),
                "default",
                new StreamId("str_1"),
                new SessionId("ses_1"),
                List.of(),
                frame,
                at,
                at.plusMillis(120),
                Optional.empty());
    }

    private static Pending pending(Evidence each) {
        return new Pending(each.recordId(), each.frame(), CONTENT);
    }

    @Test
    void deleted_isNeitherNamedNorCounted() {
        Evidence first = created();
        Evidence second = created();
        FrameName frame = first.frame();

        assertEquals(2_000, evidence.bytes(/* everywhere= */ false, /* afterRecord= */ 0));
        assertEquals(List.of(first), evidence.oldest(0, 1));
        assertEquals(List.of(second), evidence.oldest(first.recordId(), 5));
        assertEquals(Set.of(frame), evidence.named(List.of(frame, new FrameName("elsewhere1"))));

        assertTrue(evidence.delete(first, /* inS3= */ false, NOW));
        assertFalse(evidence.delete(first, /* inS3= */ true, NOW));

        assertEquals(1_000, evidence.bytes(/* everywhere= */ true, /* afterRecord= */ 0));
        assertEquals(List.of(second), evidence.oldest(0, 5));
        assertEquals(Optional.empty(), records.find(first.recordId()).orElseThrow().frame());
        assertEquals(Optional.empty(), evidence.find(frame));
        assertEquals(Set.of(), evidence.known(List.of(frame)));
        assertEquals(Set.of(), evidence.named(List.of()));
    }

    @Test
    void location_saysContentNodeAndWhetherItIsInS3() {
        Evidence frame = created();

        assertEquals(
                Optional.of(new EvidenceRepository.Location(CONTENT, Optional.empty(), false)),
                evidence.find(frame.frame()));
        database().with(handle -> handle.execute("UPDATE moderation_records SET home = 'node-b'"));
        uploads.finish(List.of(pending(frame)), NOW);
        assertEquals(
                Optional.of(new EvidenceRepository.Location(CONTENT, Optional.of("node-b"), true)),
                evidence.find(frame.frame()));
        assertEquals(Optional.empty(), evidence.find(new FrameName("anotherframe")));
    }

    @Test
    void uploads_waitUntilTheyAreFinished() {
        records.create(record(Samples.NOW, Optional.empty()), FrameContent.NONE);
        assertEquals(new Backlog(0, 0, Optional.empty()), uploads.backlog());
        Evidence first = created();
        Evidence second = created();

        assertEquals(
                new Backlog(2, 2_000, Optional.of(first.capturedAt().plusMillis(120))),
                uploads.backlog());
        assertEquals(List.of(pending(first)), uploads.pending(0, 1));
        assertEquals(List.of(pending(second)), uploads.pending(first.recordId(), 5));

        uploads.finish(List.of(), NOW);
        uploads.finish(List.of(pending(first)), NOW);

        assertEquals(List.of(pending(second)), uploads.pending(0, 5));
        assertEquals(
                List.of(new Stored(first.recordId(), first.frame(), 1_000)), uploads.stored(0, 5));
        assertEquals(List.of(), uploads.stored(first.recordId(), 5));
    }

    @Test
    void objects_ofDeletedFrames_areListedUntilTheyAreGone() {
        Evidence frame = created();
        Evidence uploading = created();
        assertTrue(evidence.delete(frame, /* inS3= */ true, NOW));
        assertTrue(evidence.delete(uploading, /* inS3= */ true, NOW));
        uploads.forget(Set.of(uploading.frame()));
        // Its upload ends behind its deletion: twice, since a node may have had to begin anew.
        uploads.finish(List.of(pending(uploading)), NOW.plusSeconds(9));
        uploads.finish(List.of(pending(uploading)), NOW.plusSeconds(9));

        Set<FrameName> both = Set.of(frame.frame(), uploading.frame());
        assertEquals(both, evidence.known(List.copyOf(both)));
        assertEquals(Set.of(frame.frame()), uploads.deletedBefore(NOW, NOW, 5));
        assertEquals(Set.of(), uploads.deletedBefore(NOW.minusMillis(1), Instant.EPOCH, 5));
        assertEquals(both, uploads.deletedBefore(NOW.plusSeconds(9), Instant.EPOCH, 5));

        uploads.forget(both);
        uploads.forget(Set.of());
        assertEquals(Set.of(), uploads.deletedBefore(NOW.plusSeconds(9), NOW.plusSeconds(9), 5));
    }
}
