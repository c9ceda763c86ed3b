package touchline.api.http;

import io.helidon.webserver.testing.junit5.DirectClient;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import touchline.api.access.AccessTokens;
import touchline.api.access.FrameLinks;
import touchline.api.access.MasterKeys;
import touchline.api.access.RsaKeys;
import touchline.api.access.SecretBox;
import touchline.api.access.SignedUrls;
import touchline.api.access.SigningKeys;
import touchline.api.access.StreamKeys;
import touchline.api.asset.AssetFiles;
import touchline.api.asset.AssetFolders;
import touchline.api.asset.AssetService;
import touchline.api.audience.ViewerHistory;
import touchline.api.audit.FakeModeration;
import touchline.api.backup.Backups;
import touchline.api.certificate.Certificates;
import touchline.api.db.AssetRepository;
import touchline.api.db.Database;
import touchline.api.db.Epoch;
import touchline.api.db.ImageRepository;
import touchline.api.db.MemoryDatabase;
import touchline.api.db.SessionRepository;
import touchline.api.db.SigningKeyRepository;
import touchline.api.db.StreamRepository;
import touchline.api.db.TokenRepository;
import touchline.api.db.ViewerRepository;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetId;
import touchline.api.domain.AssetLabels;
import touchline.api.domain.AssetOrigin;
import touchline.api.domain.AssetState;
import touchline.api.domain.ImageFile;
import touchline.api.domain.Mp4Support;
import touchline.api.domain.PlaybackId;
import touchline.api.domain.PlaybackPolicy;
import touchline.api.domain.Scope;
import touchline.api.domain.Session;
import touchline.api.programme.StandbyImages;
import touchline.api.restream.TestRestreams;
import touchline.api.scoreboard.Scoreboards;
import touchline.api.trace.Tracing;
import touchline.api.view.AssetView;
import touchline.config.ServerConfig;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.store.DiskSpace;
import touchline.media.worker.WorkerIsolation;
import touchline.media.worker.WorkerSandbox;
import touchline.packager.audience.Audience;

/** The whole control API on an H2 database in memory, with fakes of what it controls. */
final class ApiFixture extends ApiCalls implements AutoCloseable {
    static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

    final FakeModeration moderation = new FakeModeration();

    final FakeAudit audit = new FakeAudit();

    final Database database;
    final StreamRepository streams;
    final FakeLive live;
    final FakeOverlays overlays = new FakeOverlays();
    final FakeNodes nodes = new FakeNodes();
    final AssetService assets;

    /** Viewers of live streams; a test moves its clock by {@link #now}. */
    final Audience audience;

    final ViewerHistory viewers;

    /** Clips that were given to be cut. */
    final List<Asset> clips = new ArrayList<>();

    final FakeEncoding encoding;
    final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    final ApiDependencies dependencies;
    final ApiRouting routing;
    Instant now = START;
    HealthReport health = new HealthReport(true, Map.of("database", "up", "rtmp", "up"));

    private final Path dataDir;
    private final DirectClient client;
    private Runnable onLookup = () -> {};

    /** Recordings in S3. */
    final FakeHome home = new FakeHome();

    /** The answer to a reload. */
    Reload reload = () -> new Reload.Report(List.of(), List.of());

    ApiFixture() {
        this(TestConfig.of(false));
    }

    ApiFixture(ServerConfig config) {
        this(config, _ -> Optional.empty());
    }

    /** As a node of a cluster. */
    ApiFixture(ServerConfig config, Function<Database, Optional<ClusterLinks>> links) {
        InstantSource clock = () -> now;
        this.dataDir = temporaryFolder();
        this.database = MemoryDatabase.open(config.db(), clock);
        nodes.links = links.apply(database);
        this.streams =
                new StreamRepository(
                        database,
                        new StreamKeys(new SecretBox(MasterKeys.load(Optional.empty(), dataDir))));
        this.live = new FakeLive(clock, streams);
        this.assets =
                new AssetService(
                        new AssetRepository(database, AssetView::of),
                        new AssetFolders(dataDir),
                        AssetFiles.LOCAL,
                        clock);
        this.audience =
                new Audience(
                        new Audience.Limits(() -> 0, _ -> true),
                        () -> TimeUnit.SECONDS.toNanos(now.getEpochSecond()),
                        clock);
        this.viewers =
                new ViewerHistory(
                        audience, new ViewerRepository(database), config.viewers()::keep, clock);
        this.encoding = new FakeEncoding(database, dataDir, clock, this::lookedUp);
        this.dependencies =
                new ApiDependencies(
                        database,
                        streams,
                        new AccessTokens(new TokenRepository(database), ADMIN_SECRET, clock),
                        new SigningKeys(new SigningKeyRepository(database), clock, RsaKeys::next),
                        live,
                        overlays,
                        viewers,
                        TestRestreams.of(database, streams, dataDir, clock),
                        new Scoreboards(database, streams),
                        assets,
                        clips::add,
                        FakeEvents.dependencies(database, dataDir, clock, this::lookedUp),
                        encoding.dependencies(),
                        new ModerationApiDependencies(
                                moderation,
                                audit,
                                new FrameLinks(
                                        new SignedUrls(
                                                MasterKeys.load(Optional.empty(), dataDir), clock),
                                        config.publicUrls().playbackUrl(),
                                        clock),
                                () -> {}),
                        new StandbyImages(
                                file -> new StandbyImages.Imported(640, 360, new ImageFile(file)),
                                new ImageRepository(database)),
                        backups(clock),
                        url -> {
                            lookedUp();
                            return url.getHost().equals("127.0.0.1")
                                    ? Optional.of("address refused")
                                    : Optional.empty();
                        },
                        use ->
                                use == HealthReport.Use.PLAYBACK
                                        ? new HealthReport(true, Map.of("listeners", "up"))
                                        : health,
                        () ->
                                new HostReport(
                                        HostSamples.facts(),
                                        new WorkerIsolation(true, true, WorkerSandbox.NONE, false),
                                        Optional.empty()),
                        new OperatorDependencies(
                                config::api, () -> reload.run(), Optional.of(home)),
                        nodes,
                        Certificates.off(),
                        registry,
                        Tracing.OFF,
                        clock);
        ConsolePages console = ControlApi.console(config, "console-test");
        this.routing = ControlApi.routing(config, dependencies, console);
        this.client = new DirectClient(routing.build());
    }

    @Override
    DirectClient client() {
        return client;
    }

    private static Path folder(Path path) {
        try {
            return Files.createDirectories(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Backups backups(InstantSource clock) {
        return new Backups(
                new Backups.Dependencies(
                        database,
                        MasterKeys.load(Optional.empty(), dataDir),
                        assets.folders(),
                        assets.uses(),
                        dataDir.resolve("evidence"),
                        folder(dataDir.resolve("backup")),
                        new DiskSpace.Least(0, 0),
                        clock,
                        "test"));
    }

    /** Runs whenever the server would look up a name. */
    void onLookup(Runnable action) {
        onLookup = action;
    }

    private void lookedUp() {
        onLookup.run();
    }

    /** The header of a new token with these scopes. */
    String bearer(Scope... scopes) {
        EnumSet<Scope> set = EnumSet.noneOf(Scope.class);
        set.addAll(List.of(scopes));
        return "Bearer "
                + dependencies
                        .tokens()
                        .mint("test", set, Optional.empty())
                        .credential()
                        .bearerText();
    }

    /** Stores a session, as the supervisor does when it has started. */
    void store(Session session) {
        new SessionRepository(database).start(session, Epoch.ALONE);
    }

    /** A finished recording of 12.345678 s. */
    Asset asset() {
        return asset(
                new StreamId("str_deleted"),
                AssetState.finished(12_345_678, 1_000, List.of(), now));
    }

    Asset asset(StreamId stream, AssetState state) {
        return asset(
                stream,
                state,
                List.of(
                        PlaybackId.create(PlaybackPolicy.SIGNED),
                        PlaybackId.create(PlaybackPolicy.PUBLIC)));
    }

    Asset asset(List<PlaybackId> playbackIds) {
        return asset(
                new StreamId("str_deleted"),
                AssetState.finished(12_345_678, 1_000, List.of(), now),
                playbackIds);
    }

    private Asset asset(StreamId stream, AssetState state, List<PlaybackId> playbackIds) {
        Asset asset =
                new Asset(
                        AssetId.create(),
                        stream,
                        new AssetOrigin.Recorded(
                                new SessionId("ses_" + UUID.randomUUID()), /* fromStart= */ true),
                        new AssetLabels("Cup final", "{\"match\": 7}", Mp4Support.CAPPED_1080P),
                        playbackIds,
                        state,
                        now);
        new AssetRepository(database, AssetView::of).create(asset);
        return asset;
    }

    @Override
    public void close() {
        client.closeResource();
        // It asks the database again and again.
        dependencies.events().dispatch().close();
        live.close();
        assets.close();
        database.close();
        try (Stream<Path> files = Files.walk(dataDir)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path temporaryFolder() {
        try {
            return Files.createTempDirectory("touchline-api");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
