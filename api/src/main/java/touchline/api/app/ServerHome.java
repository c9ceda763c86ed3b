package touchline.api.app;

import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import touchline.api.asset.AssetFiles;
import touchline.api.asset.AssetFolders;
import touchline.api.asset.AssetService;
import touchline.api.audit.EvidenceFolder;
import touchline.api.audit.FrameHome;
import touchline.api.db.AbandonedAssets;
import touchline.api.db.AssetObjects;
import touchline.api.db.AssetUploads;
import touchline.api.db.Database;
import touchline.api.db.EvidenceRepository;
import touchline.api.db.EvidenceUploads;
import touchline.api.db.NewEvent;
import touchline.api.domain.OutputStorage;
import touchline.api.domain.StorageKeys;
import touchline.api.domain.StorageType;
import touchline.api.egress.Egress;
import touchline.api.home.HomeOperation;
import touchline.api.home.RecordingHome;
import touchline.api.http.OperatorDependencies;
import touchline.api.http.Reload;
import touchline.api.storage.ObjectStorages;
import touchline.config.HomeConfig;
import touchline.config.LiveConfig;
import touchline.config.ServerConfig;
import touchline.media.net.AddressRules;

/** S3 as the home of recordings, if configured. Built and closed with the server. */
final class ServerHome implements AutoCloseable {
    private final @Nullable Egress egress;
    private final @Nullable RecordingHome home;
    private final boolean runsJobs;

    private ServerHome(@Nullable Egress egress, @Nullable RecordingHome home, boolean runsJobs) {
        this.egress = egress;
        this.home = home;
        this.runsJobs = runsJobs;
    }

    /**
     * @param runsJobs whether this server finishes recordings of other nodes that are gone
     */
    static ServerHome of(
            LiveConfig live, Database database, boolean runsJobs, InstantSource clock) {
        HomeConfig config = live.get().storage().home();
        if (config.s3().isEmpty()) {
            return new ServerHome(null, null, runsJobs);
        }
        HomeConfig.S3 s3 = config.s3().get();
        Egress egress = egress();
        return new ServerHome(
                egress,
                new RecordingHome(
                        new RecordingHome.Dependencies(
                                new AssetFolders(DataFolder.assets(live.get().dataDir())),
                                new AssetUploads(database),
                                new AssetObjects(database),
                                evidence(live.get().dataDir(), database),
                                new AbandonedAssets(database),
                                new ObjectStorages(egress, Optional.empty())
                                        .openBucket(storage(s3)),
                                s3.prefix(),
                                s3.parallel(),
                                s3.tails(),
                                s3.finishAfter(),
                                s3.continueWithin(),
                                config.cacheBytes(),
                                config.deleteAfter(),
                                live.section(DataFolder::leastFree),
                                (type, storage) -> store(database, NewEvent.of(type, storage)),
                                clock)),
                runsJobs);
    }

    private static RecordingHome.EvidenceParts evidence(Path dataDir, Database database) {
        return new RecordingHome.EvidenceParts(
                new EvidenceFolder(DataFolder.evidence(dataDir)),
                DataFolder.emptyEvidenceCopies(dataDir),
                new EvidenceRepository(database),
                new EvidenceUploads(database));
    }

    private static void store(Database database, NewEvent event) {
        database.transact(() -> database.outbox().append(event));
    }

    /**
     * The operator has configured the address, so the rules for clients' addresses do not apply.
     */
    static Egress egress() {
        return new Egress(AddressRules.allowing(List.of("0.0.0.0/0", "::/0")));
    }

    /** The bucket, in the words of the storages of clients. */
    static OutputStorage storage(HomeConfig.S3 s3) {
        return new OutputStorage(
                "storage.s3",
                StorageType.S3,
                s3.region(),
                s3.bucket(),
                s3.prefix(),
                s3.endpoint(),
                s3.pathStyle(),
                Optional.of(new StorageKeys(s3.accessKey(), s3.secretKey())),
                URI.create("about:blank"),
                Optional.empty(),
                Instant.EPOCH);
    }

    /** Brings files back; without S3 it does nothing. */
    AssetFiles files() {
        return home == null ? AssetFiles.LOCAL : home.files();
    }

    /** Takes and brings evidence frames; empty without S3. */
    Optional<FrameHome> frames() {
        return Optional.ofNullable(home).map(RecordingHome::frames);
    }

    /** What an operator asks of it; empty without S3. */
    Optional<HomeOperation> operation() {
        return Optional.ofNullable(home);
    }

    /** What the API needs of the server's operation. */
    OperatorDependencies operator(LiveConfig live, Reload reload) {
        return new OperatorDependencies(live.section(ServerConfig::api), reload, operation());
    }

    /** Begins to upload, without a server; nothing without S3. */
    void startUploads() {
        if (home != null) {
            home.startUploads();
        }
    }

    /** Begins to upload. */
    void start(AssetService assets) {
        if (home != null) {
            home.start(assets::isInUse);
            if (runsJobs) {
                home.finish(assets::finish);
            }
        }
    }

    /** None without S3. */
    void bind(MeterRegistry registry) {
        if (home != null) {
            S3Meters.bind(registry, home.counters());
        }
    }

    @Override
    public void close() {
        if (home != null) {
            home.close();
        }
        if (egress != null) {
            egress.close();
        }
    }
}
