package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.asset.AssetFixture;
import touchline.api.asset.FolderTree;
import touchline.api.db.AssetRepository;
import touchline.api.db.Database;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetId;
import touchline.api.domain.StreamDefinition;
import touchline.api.domain.StreamSettings;
import touchline.api.home.SmallRecording;
import touchline.api.storage.S3Store;
import touchline.api.view.AssetView;
import touchline.config.DatabaseConfig;
import touchline.media.SessionId;
import touchline.media.net.FreePorts;

/** The command without a server: it works with the data folder and a real S3 server itself. */
final class StorageCommandIT {
    private static final long SEGMENT_US = 2_000_000;
    private static final int FILE_BYTES = 5_000;

    @TempDir private Path folder;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void makeDatabase() throws Exception {
        EmptyDatabase.put(Map.of("TOUCHLINE_DATA_DIR", folder.resolve("data").toString()));
    }

    @Test
    void library_isUploaded_andGoesOnWhereItEnded_andIsVerified() throws Exception {
        try (S3Store store = S3Store.start()) {
            Path config = config(store);
            List<AssetId> assets = library(3);
            Path away = folder.resolve("away");
            Files.move(files(assets.get(1)), away);

            assertEquals(1, run("upload", config), this::printed);
            assertTrue(err.toString().contains(assets.get(1) + ": its files cannot be read"));
            assertEquals(8, store.keys().size());

            Files.move(away, files(assets.get(1)));
            assertEquals(0, run("upload", config), this::printed);
            assertTrue(out.toString().contains("all finished assets are in S3"), out::toString);
            assertEquals(12, store.keys().size());
            assertEquals(0, run("verify", config, "--orphans"), this::printed);
            assertTrue(out.toString().contains("3 assets with 12 objects"), out::toString);

            store.remove("live/assets/", assets.get(2) + "/s9-0.m4s");
            FolderTree.remove(files(assets.get(2)));
            assertEquals(1, run("verify", config), this::printed);
            assertTrue(
                    out.toString().contains("missing " + assets.get(2) + " s9-0.m4s: not there"),
                    out::toString);
        }
    }

    @Test
    void aFolderInUse_isRefused() throws Exception {
        try (S3Store store = S3Store.start();
                FolderLock _ = DataFolder.lock(DataFolder.prepare(folder.resolve("data")))) {
            assertEquals(2, run("verify", config(store)), this::printed);
            assertTrue(err.toString().contains("another server works in"), err::toString);
        }
    }

    @Test
    void withoutS3_theKeyIsNamed() throws Exception {
        assertEquals(2, run("upload", Files.writeString(folder.resolve("none.yaml"), common())));
        assertTrue(err.toString().startsWith("storage.s3 is not configured"), err::toString);
    }

    /** Recordings in rows and on the disk, as an earlier server has left them. */
    private List<AssetId> library(int count) throws Exception {
        List<AssetId> made = new ArrayList<>();
        DatabaseConfig config =
                new DatabaseConfig(Optional.empty(), Optional.empty(), Optional.empty(), 2);
        try (Database database = Database.open(config, folder.resolve("data"))) {
            AssetRepository rows = new AssetRepository(database, AssetView::of);
            for (int i = 0; i < count; i++) {
                Asset asset =
                        Asset.recording(stream(), new SessionId("ses_" + i), Instant.now())
                                .with(AssetFixture.finished(2 * SEGMENT_US));
                rows.create(asset);
                SmallRecording.write(files(asset.id()), SEGMENT_US, FILE_BYTES, FILE_BYTES);
                made.add(asset.id());
            }
        }
        return made;
    }

    private static StreamDefinition stream() {
        return new StreamDefinition(
                StreamDefinition.newId(),
                StreamDefinition.DEFAULT_ACCOUNT,
                "key",
                StreamSettings.DEFAULTS,
                /* disabled= */ false,
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Instant.now());
    }

    private Path files(AssetId asset) {
        return folder.resolve("data/assets").resolve(asset.value());
    }

    private String common() throws Exception {
        return "data-dir: %s\napi:\n  port: %d\n"
                .formatted(folder.resolve("data"), FreePorts.next());
    }

    private Path config(S3Store store) throws Exception {
        return Files.writeString(
                folder.resolve("touchline.yaml"),
                common()
                        + """
                        storage:
                          s3:
                            endpoint: %s
                            bucket: %s
                            prefix: live
                            access-key: %s
                            secret-key: %s
                        """
                                .formatted(
                                        store.endpoint(),
                                        S3Store.BUCKET,
                                        S3Store.ACCESS_KEY,
                                        S3Store.SECRET_KEY));
    }

    private String printed() {
        return out + "\n" + err;
    }

    private int run(String command, Path config, String... more) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        List<String> arguments =
                new ArrayList<>(List.of("storage", command, "--config", config.toString()));
        arguments.addAll(List.of(more));
        return Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments.toArray(String[]::new));
    }
}
