package touchline.api.asset;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import touchline.api.db.AbandonedAssets;
import touchline.api.db.AssetObjects;
import touchline.api.db.AssetRepository;
import touchline.api.db.AssetUploads;
import touchline.api.db.Database;
import touchline.api.db.EvidenceRepository;
import touchline.api.db.EvidenceUploads;
import touchline.api.db.MemoryDatabase;
import touchline.api.db.ModerationRepository;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetState;
import touchline.api.domain.PlaybackId;
import touchline.api.domain.PlaybackPolicy;
import touchline.api.domain.Records;
import touchline.api.domain.StreamDefinition;
import touchline.api.domain.StreamSettings;
import touchline.api.view.AssetView;
import touchline.media.SessionId;

/** An asset service on a database in memory and a folder, with a stopped clock. */
public final class AssetFixture implements AutoCloseable {
    public static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");

    private static final Duration OFTEN = Duration.ofMillis(1);

    public final AssetFolders folders;
    public final AssetRepository repository;
    public final AssetUploads uploads;
    public final AssetObjects objects;
    public final ModerationRepository records;
    public final EvidenceRepository evidence;
    public final EvidenceUploads evidenceUploads;
    public final AbandonedAssets abandoned;
    public AssetService keeper;

    private final Database database;
    private final List<AssetService> opened = new ArrayList<>();
    private final StreamDefinition stream =
            new StreamDefinition(
                    StreamDefinition.newId(),
                    StreamDefinition.DEFAULT_ACCOUNT,
                    "key",
                    Records.with(StreamSettings.DEFAULTS, "record", true),
                    /* disabled= */ false,
                    List.of(PlaybackId.create(PlaybackPolicy.PUBLIC)),
                    Optional.empty(),
                    Optional.empty(),
                    NOW);

    public AssetFixture(Path root) {
        this(root, MemoryDatabase.open());
    }

    /** Takes ownership of the database. */
    public AssetFixture(Path root, Database database) {
        this.database = database;
        folders = new AssetFolders(root);
        repository = new AssetRepository(database, AssetView::of);
        uploads = new AssetUploads(database);
        objects = new AssetObjects(database);
        records = new ModerationRepository(database);
        evidence = new EvidenceRepository(database);
        evidenceUploads = new EvidenceUploads(database);
        abandoned = new AbandonedAssets(database);
        keeper = newKeeper();
    }

    public Database database() {
        return database;
    }

    /** As after a restart. */
    AssetService newKeeper() {
        return newKeeper(AssetFiles.LOCAL);
    }

    /** The same with files that are not all on this disk. */
    public AssetService newKeeper(AssetFiles files) {
        keeper = new AssetService(dependencies(files));
        opened.add(keeper);
        return keeper;
    }

    AssetService.Dependencies dependencies(AssetFiles files) {
        return new AssetService.Dependencies(
                repository,
                folders,
                new AssetPlaybackIds(folders, files),
                () -> NOW,
                OFTEN,
                OFTEN,
                new CountDownLatch(1));
    }

    RecordingAsset begin() {
        return keeper.begin(stream, new SessionId("ses_1"));
    }

    public static AssetState finished(long durationUs) {
        return finished(durationUs, 1_000, NOW);
    }

    public static AssetState finished(long durationUs, long sizeBytes, Instant at) {
        return AssetState.finished(durationUs, sizeBytes, List.of(), at);
    }

    /** A recording's row. */
    public Asset stored(AssetState state) {
        Asset asset = Asset.recording(stream, new SessionId("ses_1"), NOW).with(state);
        repository.create(asset);
        return asset;
    }

    /** A clip's row. */
    Asset storedClip(AssetState state) {
        Asset source = Asset.recording(stream, new SessionId("ses_1"), NOW);
        Asset clip = source.clip(0, 1_000_000, NOW).with(state);
        repository.create(clip);
        return clip;
    }

    /** Behind the repository's back. */
    public void sql(String statement) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement sql = connection.createStatement()) {
            sql.execute(statement);
        }
    }

    @Override
    public void close() {
        opened.forEach(AssetService::close);
        database.close();
    }
}
