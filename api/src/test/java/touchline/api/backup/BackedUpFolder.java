package touchline.api.backup;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import touchline.api.access.MasterKeys;
import touchline.api.asset.AssetFiles;
import touchline.api.asset.AssetFolders;
import touchline.api.asset.AssetService;
import touchline.api.db.AssetRepository;
import touchline.api.db.Database;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetState;
import touchline.api.domain.AssetStatus;
import touchline.api.domain.StreamDefinition;
import touchline.api.view.AssetView;
import touchline.config.DatabaseConfig;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.store.DiskSpace;
import touchline.packager.record.Recording;

/** A data folder with a database and assets, its backups, and a folder to restore them in. */
public final class BackedUpFolder implements AutoCloseable {
    static final DatabaseConfig DEFAULT =
            new DatabaseConfig(
                    Optional.empty(), Optional.empty(), Optional.empty(), /* maxConnections= */ 4);
    static final Instant NOW = Instant.parse("2026-03-04T05:06:07Z");

    public final Path from;
    final Path to;
    final Database database;
    final AssetService assets;
    final AssetRepository rows;

    /**
     * @param folder empty
     */
    public BackedUpFolder(Path folder) throws IOException {
        from = Files.createDirectory(folder.resolve("from"));
        to = folder.resolve("to");
        database = Database.open(DEFAULT, from);
        rows = new AssetRepository(database, AssetView::of);
        assets =
                new AssetService(
                        rows,
                        new AssetFolders(Files.createDirectory(from.resolve("assets"))),
                        AssetFiles.LOCAL,
                        Clock.systemUTC());
    }

    @Override
    public void close() {
        assets.close();
        database.close();
    }

    Backups backups(DiskSpace.Least least) {
        return new Backups(
                new Backups.Dependencies(
                        database,
                        MasterKeys.load(Optional.empty(), from),
                        assets.folders(),
                        assets.uses(),
                        from.resolve("evidence"),
                        from.resolve("backup"),
                        least,
                        Clock.systemUTC(),
                        "1.2.3"));
    }

    public Backups backups() throws IOException {
        Files.createDirectories(from.resolve("backup"));
        return backups(new DiskSpace.Least(0, 0));
    }

    public static byte[] written(Backups backups, boolean withMedia) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (Backups.Prepared prepared = backups.prepare(withMedia)) {
            prepared.write(out);
        }
        return out.toByteArray();
    }

    Restore.Report restore(byte[] archive) throws IOException {
        Files.createDirectories(to);
        return Restore.run(
                new ByteArrayInputStream(archive), archive.length, to, Clock.systemUTC());
    }

    /** An asset with a file of 1,000 bytes, of which the index names a part. */
    public Asset asset(boolean live, int indexedBytes) throws IOException {
        Asset begun =
                Asset.recording(new StreamDefinitionSample().stream(), new SessionId("ses_1"), NOW);
        rows.create(begun);
        boolean _ =
                rows.update(
                        begun.id(),
                        live
                                ? new AssetState(
                                        AssetStatus.READY,
                                        /* live= */ true,
                                        1_000_000,
                                        400,
                                        java.util.OptionalDouble.empty(),
                                        List.of(),
                                        Optional.empty())
                                : AssetState.finished(2_000_000, 1_000, List.of(), NOW));
        Path stored = Files.createDirectory(assets.folders().of(begun.id()));
        byte[] media = new byte[1_000];
        Arrays.fill(media, (byte) 7);
        Files.write(stored.resolve("s0-0.m4s"), media);
        Files.write(stored.resolve("init0.mp4"), new byte[50]);
        Files.write(stored.resolve("s1-0.m4s"), new byte[10]);
        Files.write(stored.resolve("index.tmp"), new byte[10]);
        new Recording(
                        List.of(new Recording.Init(0, 0, NOW)),
                        List.of(
                                new Recording.Segment(
                                        0,
                                        0,
                                        new Recording.Place(0, 100, indexedBytes - 100L),
                                        0,
                                        1_000_000,
                                        1)),
                        /* ended= */ !live)
                .save(stored);
        return begun;
    }

    /** The stream need not exist: assets outlive theirs. */
    private record StreamDefinitionSample() {
        StreamDefinition stream() {
            return new StreamDefinition(
                    new StreamId("str_1"),
                    StreamDefinition.DEFAULT_ACCOUNT,
                    "key",
                    touchline.api.domain.StreamSettings.DEFAULTS,
                    /* disabled= */ false,
                    List.of(
                            touchline.api.domain.PlaybackId.create(
                                    touchline.api.domain.PlaybackPolicy.PUBLIC)),
                    Optional.empty(),
                    Optional.empty(),
                    NOW);
        }
    }

    public static List<String> names(Path folder) throws IOException {
        try (Stream<Path> tree = Files.walk(folder)) {
            return tree.filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }
}
