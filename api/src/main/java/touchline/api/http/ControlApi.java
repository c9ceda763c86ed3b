package touchline.api.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import touchline.api.access.ScoreLinks;
import touchline.api.access.SignInCode;
import touchline.api.access.StreamKeys;
import touchline.api.db.AssetRepository;
import touchline.api.db.EventRepository;
import touchline.api.db.IdempotencyRepository;
import touchline.api.db.MarkerRepository;
import touchline.api.db.ScoreLinkRepository;
import touchline.api.db.SessionRepository;
import touchline.api.session.SessionMarkers;
import touchline.api.view.AssetView;
import touchline.config.ServerConfig;
import touchline.media.net.ConnectionLimits;
import touchline.media.net.SharedAddresses;

/** Builds the routing of the control API from its services. */
final class ControlApi {
    private static final String CONSOLE = "console";
    private static final int MAX_CONNECTIONS = 10_000;

    /** Buffers of a connection with TLS. */
    private static final int CONNECTION_BYTES = 128 << 10;

    /** Of the heap, for connections. */
    private static final int HEAP_SHARE = 4;

    private static final int LEAST_CONNECTIONS = 256;
    private static final int MAX_CONCURRENT_REQUESTS = 1_000;

    private ControlApi() {}

    static SecurityHeaders securityHeaders(ServerConfig config) {
        return new SecurityHeaders(config.publicUrls().playbackUrl(), config.tls().isEnabled());
    }

    /**
     * @param console the pages at {@code /}
     */
    static ApiRouting routing(
            ServerConfig config, ApiDependencies dependencies, ConsolePages console) {
        return routing(config, dependencies, console, Optional.empty());
    }

    /**
     * @param signIn adds the route that exchanges this code
     */
    static ApiRouting routing(
            ServerConfig config,
            ApiDependencies dependencies,
            ConsolePages console,
            Optional<SignInCode> signIn) {
        return routing(config, dependencies, console, signIn, ApiDeadlines.DEFAULT);
    }

    /**
     * @param deadlines of the connections
     */
    static ApiRouting routing(
            ServerConfig config,
            ApiDependencies dependencies,
            ConsolePages console,
            Optional<SignInCode> signIn,
            ApiDeadlines deadlines) {
        ApiRouting.Dependencies ofRequests = dependencies(config, dependencies, console, deadlines);
        List<ApiRoute> routes = routes(config, dependencies);
        signIn.ifPresent(
                code -> routes.addAll(new SignInRoutes(code, ofRequests.access()).routes()));
        return new ApiRouting(routes, ofRequests);
    }

    private static ApiRouting.Dependencies dependencies(
            ServerConfig config,
            ApiDependencies dependencies,
            ConsolePages console,
            ApiDeadlines deadlines) {
        return new ApiRouting.Dependencies(
                new AccessFilter(
                        dependencies.tokens(),
                        scoreLinks(dependencies),
                        new ClientAddress(config.http().trustedProxies()),
                        HostNames.of(config, dependencies.certificates().current()),
                        config.publicUrls().apiUrl(),
                        System::nanoTime),
                securityHeaders(config),
                new Idempotency(
                        dependencies.database(),
                        new IdempotencyRepository(dependencies.database()),
                        dependencies.clock()),
                console,
                new HttpMetrics(dependencies.registry()),
                new RequestTraces(dependencies.tracing()),
                guard(config, dependencies, deadlines),
                dependencies
                        .nodes()
                        .links()
                        .map(links -> OwnerRouting.of(dependencies.database(), links)));
    }

    /** Open connections in a heap of this size: all of them hold a quarter of it at most. */
    static int maxConnections(long heapBytes) {
        long fitting = heapBytes / HEAP_SHARE / CONNECTION_BYTES;
        return Math.clamp(fitting, LEAST_CONNECTIONS, MAX_CONNECTIONS);
    }

    private static RequestGuard guard(
            ServerConfig config, ApiDependencies dependencies, ApiDeadlines deadlines) {
        int maximum = maxConnections(Runtime.getRuntime().maxMemory());
        ConnectionLimits limits =
                new ConnectionLimits(
                        () -> maximum,
                        () -> dependencies.operator().api().get().maxConnectionsPerAddress(),
                        new SharedAddresses(config.http().trustedProxies()));
        return new RequestGuard(
                new ApiConnections(limits, deadlines, dependencies.registry()),
                new Semaphore(MAX_CONCURRENT_REQUESTS),
                dependencies.database(),
                config.api().maxBodyBytes());
    }

    static List<ApiRoute> routes(ServerConfig config, ApiDependencies dependencies) {
        Supplier<String> newStreamKey = StreamKeys::create;
        LiveStreamRoutes.Dependencies parts =
                streamDependencies(config, dependencies, newStreamKey);
        List<ApiRoute> routes = new ArrayList<>();
        routes.addAll(new LiveStreamRoutes(parts, newStreamKey, dependencies.clock()).routes());
        routes.addAll(new SourceRoutes(dependencies.streams(), dependencies.live()).routes());
        routes.addAll(new StandbyRoutes(parts).routes());
        routes.addAll(new ImageRoutes(dependencies.images(), dependencies.clock()).routes());
        routes.addAll(scoreRoutes(config, dependencies));
        routes.addAll(
                new StreamSettingsRoutes(
                                dependencies.database(), dependencies.moderation().control(), parts)
                        .routes());
        routes.addAll(new AuditRoutes(dependencies.database(), dependencies.moderation()).routes());
        routes.addAll(
                new ReviewRoutes(
                                dependencies.database(),
                                dependencies.moderation().links(),
                                dependencies.clock())
                        .routes());
        routes.addAll(RestreamRoutes.of(dependencies).routes());
        routes.addAll(SignalRoutes.of(dependencies).routes());
        routes.addAll(
                new ViewerRoutes(
                                dependencies.streams(),
                                dependencies.viewers(),
                                dependencies.clock())
                        .routes());
        routes.addAll(new HealthRoutes(dependencies).routes());
        routes.addAll(sessionRoutes(config, dependencies));
        routes.addAll(new AssetRoutes(dependencies.assets()).routes());
        routes.addAll(
                new ClipRoutes(
                                dependencies.database(),
                                dependencies.assets(),
                                dependencies.clips(),
                                dependencies.clock())
                        .routes());
        routes.addAll(new StorageRoutes(dependencies.encoding(), dependencies.clock()).routes());
        routes.addAll(
                new TaskRoutes(dependencies.encoding(), dependencies.assets(), dependencies.clock())
                        .routes());
        routes.addAll(systemRoutes(config, dependencies));
        return routes;
    }

    private static ScoreLinks scoreLinks(ApiDependencies dependencies) {
        return new ScoreLinks(
                new ScoreLinkRepository(dependencies.database()), dependencies.clock());
    }

    /** Bundled scoreboards, their links, and the markers that they add. */
    private static List<ApiRoute> scoreRoutes(ServerConfig config, ApiDependencies dependencies) {
        MarkerRepository markers = new MarkerRepository(dependencies.database());
        List<ApiRoute> routes = new ArrayList<>();
        routes.addAll(
                new ScoreboardRoutes(
                                dependencies.scoreboards(),
                                new SessionMarkers(
                                        markers, dependencies.live(), dependencies.clock()),
                                id -> dependencies.images().repository().find(id).isPresent(),
                                dependencies.registry(),
                                dependencies.clock())
                        .routes());
        routes.addAll(new SportRoutes().routes());
        routes.addAll(
                new ScoreLinkRoutes(
                                scoreLinks(dependencies),
                                dependencies.streams(),
                                config.publicUrls().apiUrl(),
                                dependencies.clock())
                        .routes());
        routes.addAll(
                new MarkerRoutes(
                                markers,
                                new SessionRepository(dependencies.database()),
                                dependencies.assets(),
                                dependencies.live(),
                                dependencies.clock())
                        .routes());
        return routes;
    }

    private static List<ApiRoute> sessionRoutes(ServerConfig config, ApiDependencies dependencies) {
        SessionRepository sessions = new SessionRepository(dependencies.database());
        List<ApiRoute> routes = new ArrayList<>();
        routes.addAll(
                new SessionRoutes(
                                dependencies.database(),
                                dependencies.streams(),
                                dependencies.live())
                        .routes());
        routes.addAll(
                new MultitrackRoutes(
                                dependencies.streams(),
                                sessions,
                                dependencies.live(),
                                config.publicUrls().rtmpUrl())
                        .routes());
        return routes;
    }

    private static LiveStreamRoutes.Dependencies streamDependencies(
            ServerConfig config, ApiDependencies dependencies, Supplier<String> newStreamKey) {
        StreamActivity activity = StreamActivity.of(dependencies.database(), dependencies.live());
        return new LiveStreamRoutes.Dependencies(
                dependencies.streams(),
                new StreamChanges(
                        dependencies.database(),
                        dependencies.streams(),
                        dependencies.events().streams(),
                        activity),
                dependencies.live(),
                activity,
                dependencies.overlays(),
                new StreamView(
                        activity,
                        new AssetRepository(dependencies.database(), AssetView::of),
                        config.publicUrls().rtmpUrl(),
                        dependencies.viewers()::now),
                dependencies.images().repository(),
                new AuditFields(dependencies.moderation().moderation()),
                new WatermarkFields(dependencies.urlRules(), newStreamKey));
    }

    /** Keys, tokens, events, and the system itself. */
    private static List<ApiRoute> systemRoutes(ServerConfig config, ApiDependencies dependencies) {
        List<ApiRoute> routes = new ArrayList<>();
        routes.addAll(new SigningKeyRoutes(dependencies.signingKeys()).routes());
        routes.addAll(new AccessTokenRoutes(dependencies.tokens(), dependencies.clock()).routes());
        routes.addAll(new CertificateRoutes(dependencies.certificates()).routes());
        routes.addAll(eventRoutes(dependencies));
        routes.addAll(new BackupRoutes(dependencies.backups()).routes());
        routes.addAll(new NodeRoutes(dependencies.nodes()).routes());
        routes.addAll(new OperatorRoutes(dependencies.operator().reload()).routes());
        routes.addAll(new RecordingStorageRoutes(dependencies.operator().home()).routes());
        routes.addAll(
                new SystemRoutes(
                                dependencies.readiness(),
                                dependencies.host(),
                                dependencies.registry(),
                                OpenApiDocument.load(),
                                config.api().observeNeedsToken(),
                                dependencies.clock())
                        .routes());
        return routes;
    }

    private static List<ApiRoute> eventRoutes(ApiDependencies dependencies) {
        List<ApiRoute> routes = new ArrayList<>();
        EventDependencies events = dependencies.events();
        routes.addAll(
                new WebhookRoutes(dependencies.database(), events, dependencies.clock()).routes());
        routes.addAll(
                new DeliveryRoutes(dependencies.database(), events, dependencies.clock()).routes());
        routes.addAll(
                new EventRoutes(
                                new EventRepository(dependencies.database()),
                                events.feed(),
                                dependencies.tokens())
                        .routes());
        routes.addAll(new EventSchemas().routes());
        return routes;
    }

    /** The console of this build. */
    static ConsolePages console(ServerConfig config) {
        return console(config, CONSOLE);
    }

    /**
     * @param folder of the class path
     */
    static ConsolePages console(ServerConfig config, String folder) {
        String version =
                Optional.ofNullable(ControlApi.class.getPackage().getImplementationVersion())
                        .orElse("development");
        return ConsolePages.of(
                ControlApi.class.getClassLoader(),
                folder,
                Map.of(
                        "playback_url",
                        config.publicUrls().playbackUrl().toString(),
                        "version",
                        version));
    }
}
