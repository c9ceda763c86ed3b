package touchline.api.home;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.asset.AssetFixture;
import touchline.api.audit.EvidenceFolder;
import touchline.api.db.Database;
import touchline.api.db.MemoryDatabase;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetId;
import touchline.api.domain.FrameContent;
import touchline.api.domain.FrameName;
import touchline.api.domain.ModerationRecord;
import touchline.api.egress.Egress;
import touchline.api.storage.FaultyGate;
import touchline.api.storage.ObjectBucket;
import touchline.api.storage.ObjectStorages;
import touchline.api.storage.S3Store;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.net.AddressRules;
import touchline.testing.Await;

/** Assets with files of some bytes, and a real S3 server behind a gate that breaks connections. */
abstract class StoredAssets {
    static final int MEDIA_BYTES = 700_000;
    static final long SEGMENT_US = 5_000_000;
    static final ObjectKeys KEYS = new ObjectKeys("live");

    static S3Store store;
    static Egress egress;

    @TempDir Path root;

    AssetFixture room;
    FaultyGate gate;
    ObjectBucket bucket;
    final HomeCounters counters = new HomeCounters();
    final FileUses uses = new FileUses(() -> AssetFixture.NOW);
    Fetch fetch;
    Instant now = AssetFixture.NOW;

    @TempDir Path frames;

    /** Evidence frames. */
    EvidenceFolder evidence;

    GrowingUploads growing;

    @BeforeAll
    static void startStore() throws Exception {
        store = S3Store.start();
        egress = new Egress(AddressRules.allowing(List.of("127.0.0.0/8")));
    }

    @AfterAll
    static void stopStore() throws Exception {
        egress.close();
        store.close();
    }

    @BeforeEach
    void open() throws Exception {
        room = new AssetFixture(root, database());
        gate = new FaultyGate(store.port());
        bucket = bucket(gate.endpoint());
        growing = growing(/* withTails= */ true);
        fetch = fetch(/* leastFreeBytes= */ 0);
        evidence = new EvidenceFolder(frames);
    }

    /** Of one server without a cluster. The caller closes it. */
    Database database() {
        return MemoryDatabase.open();
    }

    @AfterEach
    void close() throws Exception {
        growing.close();
        bucket.close();
        gate.close();
        room.close();
    }

    static ObjectBucket bucket(URI endpoint) {
        return new ObjectStorages(egress, Optional.empty())
                .openBucket(S3Store.storage(endpoint, S3Store.SECRET_KEY));
    }

    Fetch fetch(long leastFreeBytes) {
        return new Fetch(
                new Fetch.Dependencies(
                        room.folders,
                        room.uploads,
                        room.abandoned,
                        bucket,
                        KEYS,
                        counters,
                        uses,
                        () -> leastFreeBytes,
                        /* parallel= */ 4,
                        /* continueWithin= */ Duration.ofSeconds(15)),
                asset -> growing.grown(asset));
    }

    Uploader uploader() {
        return new Uploader(
                new Uploader.Dependencies(
                        room.folders,
                        room.uploads,
                        writer(),
                        growing,
                        () -> AssetFixture.NOW,
                        /* parallel= */ 4,
                        Duration.ofMillis(1)));
    }

    private ObjectWriter writer() {
        return new ObjectWriter(room.folders, bucket, KEYS, counters);
    }

    GrowingUploads growing(boolean withTails) {
        GrowingUploads opened =
                new GrowingUploads(
                        new GrowingUpload.Dependencies(
                                room.uploads,
                                writer(),
                                new Semaphore(4),
                                withTails,
                                Duration.ofMillis(20),
                                () -> AssetFixture.NOW),
                        /* drain= */ Await.PATIENCE);
        opened.start();
        return opened;
    }

    void uploadAll() throws Exception {
        Uploader uploader = uploader();
        boolean more = true;
        while (more) {
            more = uploader.turn();
        }
    }

    /** A record with an evidence frame, whose file is in the folder. */
    FrameName frame(String content) {
        FrameName frame = FrameName.create();
        byte[] jpeg = content.getBytes(StandardCharsets.UTF_8);
        evidence.put(frame, jpeg);
        long _ =
                room.records.create(
                        new ModerationRecord(
                                /* id= */ 0,
                                /* taskId= */ 1,
                                "evt_" + frame,
                                "default",
                                new StreamId("str_1"),
                                new SessionId("ses_1"),
                                List.of(),
                                Optional.of(frame),
                                AssetFixture.NOW,
                                AssetFixture.NOW,
                                Optional.empty()),
                        FrameContent.of(jpeg));
        return frame;
    }

    FrameUploader frameUploader() {
        return new FrameUploader(
                new FrameUploader.Dependencies(
                        evidence,
                        room.evidenceUploads,
                        bucket,
                        KEYS,
                        counters,
                        () -> now,
                        /* parallel= */ 4,
                        Duration.ofMillis(1)));
    }

    void uploadFrames() throws Exception {
        assertFalse(frameUploader().turn());
    }

    /** A finished asset with two media files, and a scaled copy. */
    Asset finished() throws Exception {
        Asset asset = room.stored(AssetFixture.finished(10_000_000));
        fill(asset.id());
        SmallRecording.write(folder(asset).resolve("capped-1080p"), SEGMENT_US, 2_000);
        SmallRecording.fill(folder(asset).resolve("index.tmp"), 9);
        return asset;
    }

    void fill(AssetId asset) throws Exception {
        Path folder = room.folders.of(asset);
        SmallRecording.write(folder, SEGMENT_US, MEDIA_BYTES, MEDIA_BYTES / 2);
        SmallRecording.fill(folder.resolve("mp4-head-2"), 3_000);
    }

    Path folder(Asset asset) {
        return room.folders.of(asset.id());
    }

    List<Path> media(Asset asset) {
        return List.of(
                folder(asset).resolve("s0-0.m4s"),
                folder(asset).resolve("s9-0.m4s"),
                folder(asset).resolve("capped-1080p/s0-0.m4s"));
    }

    static Set<String> objects(Asset asset) {
        String folder = KEYS.folder(asset.id());
        Set<String> names = new TreeSet<>();
        for (String key : store.keys()) {
            if (key.startsWith(folder)) {
                names.add(key.substring(folder.length()));
            }
        }
        return names;
    }

    static final Set<String> WHOLE =
            Set.of(
                    "index",
                    "init0.mp4",
                    "mp4-head-2",
                    "s0-0.m4s",
                    "s9-0.m4s",
                    "capped-1080p/index",
                    "capped-1080p/init0.mp4",
                    "capped-1080p/s0-0.m4s");

    static Set<String> filesIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return new TreeSet<>(
                    files.filter(Files::isRegularFile)
                            .map(file -> folder.relativize(file).toString())
                            .toList());
        }
    }

    void bringBack(Asset asset) {
        try {
            fetch.ensureHead(asset.id());
            fetch.ensure(asset.id(), media(asset));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static void copy(Path from, Path to) throws IOException {
        for (String name : filesIn(from)) {
            Files.createDirectories(to.resolve(name).getParent());
            Files.copy(from.resolve(name), to.resolve(name));
        }
    }
}
