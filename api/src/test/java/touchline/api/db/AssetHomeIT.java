package touchline.api.db;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import touchline.api.db.AssetRepository.Deletion;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetState;
import touchline.api.domain.PlaybackId;
import touchline.api.domain.StreamDefinition;
import touchline.api.domain.StreamSettings;
import touchline.api.view.AssetView;
import touchline.config.DatabaseConfig;
import touchline.media.SessionId;

/** Where the work on an asset is done, by the rows of two nodes. */
final class AssetHomeIT {
    private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
    private static final AssetState FINISHED =
            AssetState.finished(10_000_000, 1_000, List.of(), NOW);

    private final DatabaseConfig config = TestPostgres.newDatabase();
    private final List<Database> open = new ArrayList<>();

    @AfterEach
    void close() {
        open.reversed().forEach(Database::close);
    }

    private Database node(String id) {
        // A node that learns that it is gone closes its database.
        Database joined = JoinedNode.join(config, id, Duration.ofSeconds(20));
        open.add(joined);
        return joined;
    }

    /** Only what is not in S3 binds work to a node. */
    @Test
    void clips_areMadeAtTheHomeOfASourceThatIsNotUploaded_elseHere() {
        Database a = node("node-a");
        Database b = node("node-b");
        AssetRepository atA = new AssetRepository(a, AssetView::of);
        AssetRepository atB = new AssetRepository(b, AssetView::of);
        AssetUploads uploads = new AssetUploads(b);
        Asset source = Asset.recording(definition(), new SessionId("ses_1"), NOW).with(FINISHED);
        atA.create(source);
        assertEquals(Optional.of("node-a"), atB.onlyHomeOf(source.id()));
        assertTrue(uploads.isOnlyElsewhere(source.id()));
        assertFalse(new AssetUploads(a).isOnlyElsewhere(source.id()));
        Asset early = source.clip(0, 1_000_000, NOW);
        atB.create(early);
        assertEquals(Optional.of("node-a"), atB.homeOf(early.id()));

        assertTrue(new AssetUploads(a).finish(source.id(), NOW));

        assertEquals(Optional.empty(), atB.onlyHomeOf(source.id()));
        assertFalse(uploads.isOnlyElsewhere(source.id()));
        assertTrue(uploads.isUploaded(source.id()));
        assertEquals(
                Set.of(source.id()),
                uploads.uploaded(List.of(source.id().value(), "foreign", early.id().value())));
        Asset late = source.clip(0, 1_000_000, NOW);
        atB.create(late);
        assertEquals(Optional.of("node-b"), atB.homeOf(late.id()));
        assertEquals(Deletion.DELETED, atB.delete(source.id()));
    }

    /** By this, a node says 503 for what it has not opened yet, and 404 for what it never opens. */
    @Test
    void playbackId_isAtTheHome_andReadyOnceItIsPlayable() {
        AssetRepository assets = new AssetRepository(node("node-a"), AssetView::of);
        PlaybackLocations locations = new PlaybackLocations(node("node-b"));
        Asset asset = Asset.recording(Samples.stream(), new SessionId("ses_1"), NOW);
        assets.create(asset);
        PlaybackId id = asset.playbackIds().getFirst();
        PlaybackLocations.Location preparing =
                new PlaybackLocations.Location(
                        asset.id().value(),
                        /* isStream= */ false,
                        id.policy(),
                        Optional.of("node-a"),
                        /* isReady= */ false);
        assertEquals(Optional.of(preparing), locations.find(id.id()));

        assertTrue(assets.update(asset.id(), FINISHED));
        assertTrue(locations.find(id.id()).orElseThrow().isReady());
        assertEquals(Deletion.DELETED, assets.delete(asset.id()));
        assertEquals(Optional.empty(), locations.find(id.id()));
    }

    /** A row is taken once, of a node that is gone for long enough, and its home is the fence. */
    @Test
    void recordings_ofANodeThatIsGone_areTakenByOneOfTheOthers() throws Exception {
        Database a = node("node-a");
        Database b = node("node-b");
        Database c = node("node-c");
        AssetRepository atA = new AssetRepository(a, AssetView::of);
        Asset asset = Asset.recording(definition(), new SessionId("ses_1"), NOW);
        atA.create(asset);
        AbandonedAssets atB = new AbandonedAssets(b);
        Duration after = Duration.ofMinutes(5);
        sql("UPDATE nodes SET unbroken_since_ms = unbroken_since_ms - 600000");
        assertEquals(List.of(), atB.list(after, 9), "nothing of it is in S3");
        assertTrue(new AssetUploads(a).begin(asset.id(), NOW));
        assertEquals(List.of(), atB.list(after, 9), "its node is alive");

        sql(
                "UPDATE nodes SET state = 'gone', lease_until_ms = lease_until_ms - 600000 WHERE id = 'node-a'");
        AbandonedAssets.Abandoned found = atB.list(after, 9).getFirst();
        assertEquals(asset.id(), found.id());
        assertTrue(found.live());
        assertTrue(found.goneFor().compareTo(after) > 0);
        assertEquals(List.of(), atB.list(Duration.ofHours(1), 9));
        assertEquals(List.of(), new AbandonedAssets(a).list(after, 9));
        sql("UPDATE nodes SET state = 'up' WHERE id = 'node-a'");
        assertFalse(atB.take(found, after), "it has come back");
        sql("UPDATE nodes SET state = 'gone' WHERE id = 'node-a'");
        assertTrue(atB.take(found, after));
        assertFalse(new AbandonedAssets(c).take(found, after));
        assertEquals(Optional.of("node-b"), atA.homeOf(asset.id()));

        // A former home that was only frozen.
        assertFalse(atA.update(asset.id(), FINISHED));
        assertFalse(new AssetUploads(a).begin(asset.id(), NOW));
        assertFalse(new AssetUploads(a).finish(asset.id(), NOW));
        assertEquals(
                Map.of(asset.id(), false), atA.elsewhere(Set.of(asset.id().value(), "foreign")));
        assertTrue(new AssetRepository(b, AssetView::of).update(asset.id(), FINISHED));
        assertTrue(new AssetUploads(b).finish(asset.id(), NOW));
        assertEquals(Map.of(asset.id(), true), atA.elsewhere(Set.of(asset.id().value())));
        assertEquals(List.of(), atB.list(after, 9));
    }

    /** After a planned stop the session goes on at its node, unless another one takes it. */
    @Test
    void recordings_ofAnOpenSession_areLeftToTheirNode() throws Exception {
        Database a = node("node-a");
        AbandonedAssets atB = new AbandonedAssets(node("node-b"));
        StreamDefinition stream = Samples.stream();
        new StreamRepository(a, Samples.vault()).create(stream);
        Asset asset = Asset.recording(stream, new SessionId("ses_1"), NOW);
        new AssetRepository(a, AssetView::of).create(asset);
        assertTrue(new AssetUploads(a).begin(asset.id(), NOW));
        sql("UPDATE nodes SET unbroken_since_ms = unbroken_since_ms - 600000");
        sql(
                "UPDATE nodes SET state = 'gone', lease_until_ms = lease_until_ms - 600000 WHERE id = 'node-a'");
        Duration after = Duration.ofMinutes(5);
        assertEquals(1, atB.list(after, 9).size());

        sql(
                "INSERT INTO sessions (id, stream_id, started_at_ms, seen_at_ms, report)"
                        + " VALUES ('ses_1', '"
                        + stream.id().value()
                        + "', 0, 0, '{}')");
        assertEquals(List.of(), atB.list(after, 9));
        sql("UPDATE sessions SET ended_at_ms = 1, end_reason = 'interrupted'");
        assertEquals(1, atB.list(after, 9).size());
    }

    /** The node that has a session may take its recording, and none beside it. */
    @Test
    void recordings_ofASessionThatGoesOnElsewhere_areTakenUnderTheEpochOfItsStream()
            throws Exception {
        Database a = node("node-a");
        Database b = node("node-b");
        Database c = node("node-c");
        StreamDefinition stream = Samples.stream();
        new StreamRepository(a, Samples.vault()).create(stream);
        SessionId session = new SessionId("ses_1");
        AssetRepository atA = new AssetRepository(a, AssetView::of);
        Asset asset = Asset.recording(stream, session, NOW);
        atA.create(asset);
        assertTrue(new AssetUploads(a).begin(asset.id(), NOW));
        sql(
                "INSERT INTO sessions (id, stream_id, started_at_ms, seen_at_ms, report)"
                        + " VALUES ('ses_1', '"
                        + stream.id().value()
                        + "', 0, 0, '{}')");
        sql(
                "INSERT INTO stream_owners (stream_id, epoch, node_id, incarnation, session_id,"
                        + " phase, resume, changed_at_ms) VALUES ('"
                        + stream.id().value()
                        + "', 8, 'node-b', 1, 'ses_1', 'waiting', '{\"assetId\":\""
                        + asset.id().value()
                        + "\"}', 0)");
        sql("UPDATE nodes SET unbroken_since_ms = unbroken_since_ms - 600000");
        sql(
                "UPDATE nodes SET state = 'gone', lease_until_ms = lease_until_ms - 600000 WHERE id = 'node-a'");
        Duration after = Duration.ofMinutes(5);
        AbandonedAssets atB = new AbandonedAssets(b);
        assertEquals(
                List.of(),
                new AbandonedAssets(c).list(after, 9),
                "the owner of the session may go on with it");

        assertThrows(
                FencedException.class,
                () -> atB.takeOver(asset.id(), session, new Epoch(stream.id(), 7)));
        Epoch epoch = new Epoch(stream.id(), 8);
        assertFalse(atB.takeOver(asset.id(), new SessionId("ses_2"), epoch));
        assertEquals(Optional.of("node-a"), atA.homeOf(asset.id()));
        assertFalse(atB.isHere(asset.id()));
        assertTrue(atB.takeOver(asset.id(), session, epoch));
        assertTrue(atB.takeOver(asset.id(), session, epoch), "after a failure it is repeated");
        assertTrue(atB.isHere(asset.id()));

        // The former home, which was only frozen.
        assertFalse(atA.update(asset.id(), FINISHED));
        assertFalse(new AssetUploads(a).begin(asset.id(), NOW));
        AssetRepository here = new AssetRepository(b, AssetView::of);
        assertTrue(here.update(asset.id(), FINISHED));
        assertFalse(atB.takeOver(asset.id(), session, epoch), "it has ended");
    }

    /** The owner has begun another asset: the former one is finished like any other. */
    @Test
    void recordings_thatTheirSessionLeavesBehind_areFinished() throws Exception {
        Database a = node("node-a");
        Database b = node("node-b");
        StreamDefinition stream = Samples.stream();
        new StreamRepository(a, Samples.vault()).create(stream);
        Asset asset = Asset.recording(stream, new SessionId("ses_1"), NOW);
        new AssetRepository(a, AssetView::of).create(asset);
        assertTrue(new AssetUploads(a).begin(asset.id(), NOW));
        sql(
                "INSERT INTO sessions (id, stream_id, started_at_ms, seen_at_ms, report)"
                        + " VALUES ('ses_1', '"
                        + stream.id().value()
                        + "', 0, 0, '{}')");
        sql(
                "INSERT INTO stream_owners (stream_id, epoch, node_id, incarnation, session_id,"
                        + " phase, resume, changed_at_ms) VALUES ('"
                        + stream.id().value()
                        + "', 8, 'node-b', 1, 'ses_1', 'publishing',"
                        + " '{\"assetId\":\"ast_other\"}', 0)");
        sql("UPDATE nodes SET unbroken_since_ms = unbroken_since_ms - 600000");
        sql(
                "UPDATE nodes SET state = 'gone', lease_until_ms = lease_until_ms - 600000 WHERE id = 'node-a'");

        List<AbandonedAssets.Abandoned> found =
                new AbandonedAssets(b).list(Duration.ofMinutes(5), 9);

        assertEquals(asset.id(), found.getFirst().id());
    }

    private void sql(String statement) throws SQLException {
        try (Connection connection = open.getFirst().dataSource().getConnection();
                Statement sql = connection.createStatement()) {
            sql.execute(statement);
        }
    }

    private static StreamDefinition definition() {
        return new StreamDefinition(
                StreamDefinition.newId(),
                StreamDefinition.DEFAULT_ACCOUNT,
                "key",
                StreamSettings.DEFAULTS,
                /* disabled= */ false,
                List.of(),
                Optional.empty(),
                Optional.empty(),
                NOW);
    }
}
