package touchline.api.app;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.Optional;
import touchline.api.access.MasterKeys;
import touchline.api.asset.AssetService;
import touchline.api.backup.Backups;
import touchline.api.db.Database;
import touchline.config.ServerConfig;

/** Backups of a server, with their metrics. */
final class ServerBackups {
    private ServerBackups() {}

    /** All borrowed. */
    record Dependencies(
            Database database,
            MasterKeys keys,
            AssetService assets,
            MeterRegistry registry,
            InstantSource clock) {}

    static Backups of(ServerConfig config, Dependencies server) {
        Backups backups =
                new Backups(
                        new Backups.Dependencies(
                                server.database(),
                                server.keys(),
                                server.assets().folders(),
                                server.assets().uses(),
                                DataFolder.evidence(config.dataDir()),
                                DataFolder.backup(config.dataDir()),
                                DataFolder.leastFree(config),
                                server.clock(),
                                version()));
        BackupMeters.bind(server.registry(), backups);
        return backups;
    }

    private static String version() {
        return Optional.ofNullable(ServerBackups.class.getPackage().getImplementationVersion())
                .orElse("development");
    }
}
