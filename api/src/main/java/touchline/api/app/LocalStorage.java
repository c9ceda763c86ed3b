package touchline.api.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import touchline.api.access.AdminSecret;
import touchline.api.access.MasterKeys;
import touchline.api.asset.AssetFolders;
import touchline.api.db.AssetRepository;
import touchline.api.db.Database;
import touchline.api.home.HomeOperation;
import touchline.api.view.AssetView;
import touchline.config.LiveConfig;
import touchline.config.ServerConfig;

/**
 * Recordings in S3 without a server: works with the data folder and the database as a server would,
 * and keeps servers out of them until it is closed. One thread.
 */
final class LocalStorage implements StorageAccess {
    private final OpenResources open;
    private final ServerHome home;
    private final AtomicReference<@Nullable String> lost;

    private LocalStorage(
            OpenResources open, ServerHome home, AtomicReference<@Nullable String> lost) {
        this.open = open;
        this.home = home;
        this.lost = lost;
    }

    static LocalStorage open(ServerConfig config) {
        if (config.storage().home().s3().isEmpty()) {
            throw new CommandException(
                    "storage.s3 is not configured: name the server's configuration with --config, or a running server with --url");
        }
        if (!Files.isDirectory(config.dataDir())) {
            throw new CommandException(
                    "data-dir: %s is no folder (expected: that of a server)"
                            .formatted(config.dataDir()));
        }
        OpenResources open = new OpenResources();
        try {
            return opened(config, open);
        } catch (RuntimeException e) {
            open.close();
            throw e;
        }
    }

    private static LocalStorage opened(ServerConfig config, OpenResources open) {
        Path dataDir = DataFolder.prepare(config.dataDir());
        FolderLock folder = DataFolder.lock(dataDir);
        open.add("data folder", folder);
        AtomicReference<@Nullable String> lost = new AtomicReference<>();
        ServerCluster cluster =
                new ServerCluster(
                        config,
                        folder,
                        MasterKeys.load(config.auth().masterKey(), dataDir),
                        AdminSecret.load(config.auth().adminSecret(), dataDir),
                        lost::set);
        open.add("database", cluster);
        adopt(cluster.database(), new AssetFolders(DataFolder.assets(dataDir)));
        ServerHome home =
                ServerHome.of(
                        new LiveConfig(config),
                        cluster.database(),
                        /* runsJobs= */ false,
                        Clock.systemUTC());
        open.add("S3", home);
        return new LocalStorage(open, home, lost);
    }

    /** As a server does at its start, in a cluster. */
    private static void adopt(Database database, AssetFolders folders) {
        try {
            new AssetRepository(database, AssetView::of).adopt(folders.names());
        } catch (IOException e) {
            throw new UncheckedIOException("data-dir: its assets cannot be listed", e);
        }
    }

    @Override
    public HomeOperation operation() {
        return home.operation().orElseThrow();
    }

    @Override
    public void startUploads() {
        home.startUploads();
    }

    @Override
    public void failIfLost() {
        String reason = lost.get();
        if (reason != null) {
            throw new CommandException(reason);
        }
    }

    @Override
    public void close() {
        open.close();
    }
}
