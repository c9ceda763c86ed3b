package touchline.api.app;

import java.time.InstantSource;
import java.util.List;
import touchline.api.asset.AssetFolders;
import touchline.api.asset.AssetService;
import touchline.api.db.AssetRepository;
import touchline.api.db.Database;
import touchline.api.db.FinishedAssets;
import touchline.api.domain.SuspendedSession;
import touchline.api.maintenance.AssetRetention;
import touchline.api.maintenance.DiskWatch;
import touchline.api.view.AssetView;
import touchline.config.LiveConfig;
import touchline.config.ServerConfig;

/** Opens recordings and clips, with what limits their space. */
final class ServerAssets {
    private ServerAssets() {}

    /**
     * Starts them.
     *
     * @param suspended sessions whose recordings continue
     * @param home brings back what is in S3
     * @param open closes them
     */
    static AssetService open(
            LiveConfig live,
            Database database,
            List<SuspendedSession> suspended,
            ServerHome home,
            OpenResources open,
            InstantSource clock) {
        AssetRepository repository = new AssetRepository(database, AssetView::of);
        AssetFolders folders = new AssetFolders(DataFolder.assets(live.get().dataDir()));
        AssetService service = new AssetService(repository, folders, home.files(), clock);
        open.add("assets", service);
        service.start(SuspendedSession.recordings(suspended));
        home.start(service);
        AssetRetention retention =
                new AssetRetention(
                        live.section(ServerConfig::storage),
                        new AssetRetention.Dependencies(
                                service,
                                new FinishedAssets(database),
                                service::isInUse,
                                folders::space,
                                home.files().isRemote(),
                                clock));
        open.add("retention", retention);
        retention.start();
        DiskWatch disk =
                new DiskWatch(database, folders::space, live.section(DataFolder::leastFree));
        open.add("disk watch", disk);
        disk.start();
        return service;
    }
}
