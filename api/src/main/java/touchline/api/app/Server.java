package touchline.api.app;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import touchline.api.access.AccessTokens;
import touchline.api.access.AdminSecret;
import touchline.api.access.Grants;
import touchline.api.access.MasterKeys;
import touchline.api.access.SecretBox;
import touchline.api.access.SignInCode;
import touchline.api.access.SigningKeys;
import touchline.api.access.StreamKeys;
import touchline.api.access.ViewerAccess;
import touchline.api.asset.AssetService;
import touchline.api.asset.ChapterTexts;
import touchline.api.certificate.Certificates;
import touchline.api.db.Database;
import touchline.api.db.SigningKeyRepository;
import touchline.api.db.StreamRepository;
import touchline.api.db.TokenRepository;
import touchline.api.domain.SuspendedSession;
import touchline.api.egress.Egress;
import touchline.api.host.HostWatch;
import touchline.api.http.ApiDependencies;
import touchline.api.http.ApiServer;
import touchline.api.http.HostReport;
import touchline.api.http.Reload;
import touchline.api.jobs.Jobs;
import touchline.api.logging.ServerLog;
import touchline.api.maintenance.Housekeeping;
import touchline.api.restream.Restreams;
import touchline.api.scoreboard.Scoreboards;
import touchline.api.session.PlaybackResolver;
import touchline.api.session.RecordingCounters;
import touchline.api.session.SessionSupervisor;
import touchline.api.trace.Tracing;
import touchline.config.LiveConfig;
import touchline.config.LoadedConfig;
import touchline.config.ServerConfig;
import touchline.ingest.rtmp.RtmpServer;
import touchline.media.net.AddressRules;
import touchline.overlay.page.PageRenderer;
import touchline.packager.delivery.NettyMediaMemory;
import touchline.packager.delivery.PlaybackServer;

/**
 * The whole server: one method builds each service, and close() works in reverse order. One thread.
 */
public final class Server implements RunningServer {
    private final ServerConfig config;
    private final LiveConfig live;
    private final Reload reload;
    private final PageRenderer renderer;
    private final String adminSecret;
    private final MasterKeys masterKeys;
    private final InstantSource clock = Clock.systemUTC();
    private final PrometheusMeterRegistry registry = HostMeters.registry();
    private final OpenResources open;
    private final Tracing tracing;

    /** Sessions that the last stop has left open. */
    private final List<SuspendedSession> suspended;

    private final ServerCluster cluster;
    private final Database database;
    private final StreamRepository streams;
    private final Scoreboards scoreboards;
    private final AccessTokens tokens;
    private final SigningKeys signingKeys;
    private final ServerViewers audience;
    private final PlaybackResolver playback;
    private final NettyMediaMemory memory = new NettyMediaMemory();
    private final Egress egress;
    private final Jobs jobs;
    private final EventSending events;
    private final ServerHome home;
    private final AssetService assets;
    private final ServerIsolation isolation;
    private final ServerDecoding decoding;
    private final ServerModeration moderation;
    private final AssetJobs assetJobs;
    private final ServerStandby standby;
    private final ServerEncoding encoding = new ServerEncoding();
    private final RecordingCounters recordings = new RecordingCounters();
    private final VodServices vod;
    private final Restreams restreams;
    private final SessionSupervisor sessions;
    private final Certificates certificates;
    private final RtmpServer rtmp;
    private final PlaybackServer viewers;
    private final Housekeeping housekeeping;
    private final ApiServer api;
    private final NodePort nodePort;
    private final HostWatch host;
    private final ServerHealth health;
    private final BlockingQueue<String> failures = new ArrayBlockingQueue<>(1);

    private Server(
            ServerConfig config, Optional<LoadedConfig> loaded, Start start, OpenResources open) {
        this.config = config;
        live = new LiveConfig(config);
        ServerLog.apply(config.log());
        this.open = open;
        TlsFiles.check(config.tls());
        Path dataDir = DataFolder.prepare(config.dataDir());
        FolderLock folder = opened("data folder", DataFolder.lock(dataDir));
        adminSecret = AdminSecret.load(config.auth().adminSecret(), dataDir);
        // Closed late: the last spans are those of the end.
        tracing = opened("traces", Tracing.open(config.otel()));
        masterKeys = MasterKeys.load(config.auth().masterKey(), dataDir);
        cluster = opened("database", cluster(folder));
        database = cluster.database();
        SecretBox box = new SecretBox(masterKeys);
        streams = new StreamRepository(database, new StreamKeys(box));
        scoreboards = new Scoreboards(database, streams);
        AddressRules rules = AddressRules.following(() -> live.get().egress().allow());
        egress = opened("egress", new Egress(rules));
        reload = ConfigReload.of(loaded, live, egress);
        jobs = opened("jobs", new Jobs(database, cluster.runsJobs(), clock, tracing));
        events = opened("events", events(box));
        suspended = cluster.suspended(clock);
        home = opened("S3", ServerHome.of(live, database, cluster.runsJobs(), clock));
        assets = ServerAssets.open(live, database, suspended, home, open, clock);
        isolation = ServerIsolation.of(config, dataDir, start.workers());
        decoding = opened("decoding", new ServerDecoding(config.media(), isolation));
        moderation = opened("moderation", moderation());
        assetJobs = opened("asset jobs", new AssetJobs(live, database, assets, jobs, isolation));
        standby = opened("standby", new ServerStandby(database, isolation, decoding.samples()));
        vod = opened("transcoding", vod(dataDir, box, start.transcodingPauses()));
        tokens = new AccessTokens(new TokenRepository(database), adminSecret, clock);
        signingKeys = new SigningKeys(new SigningKeyRepository(database), clock);
        audience = opened("viewers", new ServerViewers(live, database, clock));
        playback = playback();
        renderer = opened("pages", start.pages().open(config, rules, scoreboards));
        restreams =
                opened("restreams", ServerRestreams.open(database, streams, box, egress, clock));
        sessions = sessions(dataDir);
        certificates =
                opened(
                        "certificates",
                        ServerCertificates.open(config, dataDir, egress, database, clock));
        rtmp = Listeners.rtmp(live, certificates, sessions);
        viewers = viewers();
        housekeeping =
                opened("housekeeping", new Housekeeping(database, tokens, signingKeys, clock));
        health = new ServerHealth(database, moderation::state, cluster::mayAnswer);
        host = opened("host watch", watch(dataDir));
        api = api(start.signIn());
        // Viewers of suspended sessions are served until the listeners are closed.
        opened("suspended sessions", sessions::closeSuspended);
        opened("listeners", () -> ParallelCloser.close(List.of(api, viewers, rtmp)));
        nodePort = opened("port for nodes", cluster.port(config, api, certificates.current()));
        opened("event feed", events.feed());
        // Closed first, so that viewers and encoders see the end and it is stored.
        opened("sessions", sessions);
    }

    /**
     * Builds everything and binds the listeners. After a failure it closes what was opened.
     *
     * @throws UncheckedIOException if a port cannot be bound
     */
    public static Server start(LoadedConfig loaded) {
        return start(loaded.config(), Optional.of(loaded), Start.USUAL);
    }

    /** The same with a configuration that is not read again. */
    public static Server start(ServerConfig config) {
        return start(config, Optional.empty(), Start.USUAL);
    }

    /** The same, started in another way. The server closes its renderer of pages. */
    static Server start(LoadedConfig loaded, Start start) {
        return start(loaded.config(), Optional.of(loaded), start);
    }

    /** The same with a code that the console may exchange for a token. */
    static Server start(ServerConfig config, SignInCode signIn) {
        return start(config, Optional.empty(), Start.USUAL.with(signIn));
    }

    private static Server start(
            ServerConfig configured, Optional<LoadedConfig> loaded, Start start) {
        OpenResources open = new OpenResources();
        try (ReservedPorts ports = new ReservedPorts(configured)) {
            Server server = new Server(ports.config(), loaded, start, open);
            ports.release();
            server.listen();
            return server;
        } catch (IOException e) {
            open.close();
            throw new UncheckedIOException(e);
        } catch (RuntimeException e) {
            open.close();
            throw e;
        }
    }

    public int apiPort() {
        return api.port();
    }

    public int playbackPort() {
        return viewers.port();
    }

    public int rtmpPort() {
        return rtmp.port();
    }

    @Override
    public void reload() {
        ConfigReload.orLog(reload);
    }

    @Override
    public String awaitFailure() throws InterruptedException {
        return failures.take();
    }

    @Override
    public void close() {
        health.listening(false);
        open.close();
    }

    private void listen() throws IOException {
        housekeeping.start();
        host.start();
        audience.start();
        cluster.nodes().ifPresent(nodes -> nodes.show(audience.history(), sessions));
        assetJobs.start();
        events.start();
        cluster.start(new ClusterReactions(sessions, streams, signingKeys, assets, events, jobs));
        vod.start();
        jobs.start();
        sessions.start();
        sessions.resume(suspended);
        // Before viewers come: what another node changes from now on arrives here.
        nodePort.start();
        viewers.start();
        rtmp.start();
        api.start();
        certificates.start();
        health.listening(true);
        // What takes the processor and no request needs at once.
        moderation.load();
        assetJobs.probeSoon();
        Listeners.announce(config, config.dataDir().resolve(AdminSecret.FILE));
    }

    private ServerCluster cluster(FolderLock folder) {
        return new ServerCluster(config, folder, masterKeys, adminSecret, failures::offer);
    }

    private ServerModeration moderation() {
        return ServerModeration.open(
                new ServerModeration.Dependencies(
                        live, database, masterKeys, home.frames(), decoding.samples(), clock));
    }

    private VodServices vod(Path dataDir, SecretBox box, List<Duration> pauses) {
        return new VodServices(
                new VodServices.Dependencies(
                        live, database, box, assets, jobs, egress, isolation, pauses, clock),
                dataDir);
    }

    private SessionSupervisor sessions(Path dataDir) {
        return ServerSessions.open(
                new ServerSessions.Dependencies(
                        live,
                        cluster,
                        streams,
                        events.streams(),
                        playback,
                        memory,
                        assets,
                        recordings,
                        moderation.parts(streams, events.streams(), () -> sessions),
                        encoding.overlay(
                                config, renderer, database, streams, events.streams(), clock),
                        encoding.renditions(config.encoder()),
                        restreams,
                        decoding.signals(),
                        standby.maker(),
                        clock),
                dataDir,
                suspended,
                open);
    }

    private PlaybackResolver playback() {
        return new PlaybackResolver(
                new ViewerAccess(signingKeys, new Grants(masterKeys, clock), clock),
                assets.playbackIds(),
                new ChapterTexts(database),
                audience.audience(),
                cluster.frames(moderation.frames()::find, home.frames()),
                cluster.serve(memory, audience.audience(), assets::openStored));
    }

    private HostWatch watch(Path dataDir) {
        return ServerHost.watch(
                live,
                dataDir,
                new ServerHost.Shown(database, certificates),
                memory::reservedBytes,
                new ServerHost.Encoding(assetJobs::testedEncoders, encoding.compositors(), vod),
                clock);
    }

    private EventSending events(SecretBox box) {
        return new EventSending(
                new EventSending.Dependencies(
                        database, box, egress, jobs, cluster.duty(), tracing, clock),
                live);
    }

    private PlaybackServer viewers() {
        return Listeners.playback(
                live,
                certificates,
                new PlaybackServer.Sources(
                        cluster.leased(playback),
                        decoding.thumbnails(config.playback(), sessions.live()::refused),
                        Listeners.pages(live, streams, assets, playback, cluster, () -> sessions),
                        audience.audience(),
                        cluster.playback()));
    }

    private ApiServer api(Optional<SignInCode> signIn) {
        opened("metrics", registry::close);
        opened(
                "meters",
                ServerMeters.bind(
                        registry,
                        new ServerMeters.Sources(
                                config, database, sessions, rtmp, viewers, memory, recordings)));
        vod.bind(registry);
        audience.bind(registry);
        moderation.bind(registry);
        decoding.bind(registry);
        standby.bind(registry, sessions);
        events.bind(registry);
        JobMeters.bind(registry, jobs, assetJobs, clock);
        encoding.bind(registry, renderer);
        ServerRestreams.bind(registry, restreams);
        host.bind(registry);
        home.bind(registry);
        cluster.bind(registry);
        CertificateMeters.bind(registry, certificates, config.tls());
        return ApiServer.of(
                config,
                new ApiDependencies(
                        database,
                        streams,
                        tokens,
                        signingKeys,
                        sessions,
                        sessions.overlays(),
                        audience.history(),
                        restreams,
                        scoreboards,
                        assets,
                        assetJobs.clips(),
                        events.dependencies(),
                        vod.encoding(),
                        moderation.dependencies(sessions),
                        standby.images(),
                        ServerBackups.of(
                                config,
                                new ServerBackups.Dependencies(
                                        database, masterKeys, assets, registry, clock)),
                        egress.urls()::refusal,
                        health::report,
                        () -> new HostReport(host.facts(), isolation.get(), renderer.browser()),
                        home.operator(live, reload),
                        cluster,
                        certificates,
                        registry,
                        tracing,
                        clock),
                signIn);
    }

    private <T extends AutoCloseable> T opened(String name, T room) {
        open.add(name, room);
        return room;
    }
}
