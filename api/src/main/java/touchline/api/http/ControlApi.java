package touchline.api.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import touchline.api.access.StreamKeys;
import touchline.api.db.AssetRepository;
import touchline.api.db.AuditRunRepository;
import touchline.api.db.EventRepository;
import touchline.api.db.IdempotencyRepository;
import touchline.api.db.SessionRepository;
import touchline.api.db.SigningKeyRepository;
import touchline.api.db.TokenRepository;
import touchline.config.ServerConfig;

/** Builds the routing of the control API from its services. */
final class ControlApi {
    private static final String CONSOLE = "console";

    private ControlApi() {}

    static SecurityHeaders securityHeaders(ServerConfig config) {
        return new SecurityHeaders(
                config.publicUrls().playbackUrl(), config.tls().cert().isPresent());
    }

    /**
     * @param console the pages at {@code /}
     */
    static ApiRouting routing(ServerConfig config, ApiRooms rooms, ConsolePages console) {
        return new ApiRouting(routes(config, rooms), surroundings(config, rooms, console));
    }

    static ApiRouting.Surroundings surroundings(
            ServerConfig config, ApiRooms rooms, ConsolePages console) {
        return new ApiRouting.Surroundings(
                new AccessFilter(
                        rooms.tokens(),
                        new ClientAddress(config.http().trustedProxies()),
                        config.publicUrls().apiUrl(),
                        System::nanoTime),
                securityHeaders(config),
                new Idempotency(
                        rooms.database(),
                        new IdempotencyRepository(rooms.database()),
                        rooms.clock()),
                console,
                new HttpMetrics(rooms.registry()),
                config.api().maxBodyBytes());
    }

    static List<ApiRoute> routes(ServerConfig config, ApiRooms rooms) {
        Supplier<String> newStreamKey = StreamKeys::create;
        LiveStreamService.Parts parts =
                new LiveStreamService.Parts(
                        rooms.streams(),
                        new StreamChanges(
                                rooms.database(),
                                rooms.streams(),
                                rooms.events().streams(),
                                rooms.live()),
                        rooms.live(),
                        rooms.overlays(),
                        new StreamView(
                                rooms.live(),
                                new AssetRepository(rooms.database()),
                                config.publicUrls().rtmpUrl()),
                        new AuditFields(rooms.moderation().moderation()),
                        new WatermarkFields(rooms.urlRules(), newStreamKey));
        List<ApiRoute> routes = new ArrayList<>();
        routes.addAll(new LiveStreamService(parts, newStreamKey, rooms.clock()).routes());
        routes.addAll(new ScoreboardService(rooms.scoreboards(), rooms.clock()).routes());
        routes.addAll(
                new StreamSettingsService(rooms.database(), rooms.moderation().control(), parts)
                        .routes());
        routes.addAll(
                new AuditService(rooms.database(), rooms.moderation(), rooms.clock()).routes());
        routes.addAll(
                new SessionService(
                                rooms.streams(),
                                new SessionRepository(rooms.database()),
                                new AuditRunRepository(rooms.database()),
                                rooms.live())
                        .routes());
        routes.addAll(new AssetService(rooms.assets()).routes());
        routes.addAll(
                new ClipService(rooms.database(), rooms.assets(), rooms.clips(), rooms.clock())
                        .routes());
        routes.addAll(new StorageService(rooms.encoding(), rooms.clock()).routes());
        routes.addAll(new TaskService(rooms.encoding(), rooms.assets(), rooms.clock()).routes());
        routes.addAll(
                new SigningKeyService(
                                rooms.signingKeys(), new SigningKeyRepository(rooms.database()))
                        .routes());
        routes.addAll(
                new AccessTokenService(
                                rooms.tokens(),
                                new TokenRepository(rooms.database()),
                                rooms.clock())
                        .routes());
        routes.addAll(eventRoutes(rooms));
        routes.addAll(
                new SystemService(
                                rooms.readiness(),
                                rooms.registry(),
                                OpenApiDocument.load(),
                                config.api().observeNeedsToken())
                        .routes());
        return routes;
    }

    private static List<ApiRoute> eventRoutes(ApiRooms rooms) {
        List<ApiRoute> routes = new ArrayList<>();
        EventRooms events = rooms.events();
        routes.addAll(new WebhookService(rooms.database(), events, rooms.clock()).routes());
        routes.addAll(new DeliveryService(rooms.database(), events, rooms.clock()).routes());
        routes.addAll(
                new EventService(new EventRepository(rooms.database()), events.feed()).routes());
        routes.addAll(new EventSchemas().routes());
        return routes;
    }

    /** The console that this build holds. */
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
        return ConsolePages.load(
                ControlApi.class.getClassLoader(),
                folder,
                Map.of(
                        "playback_url",
                        config.publicUrls().playbackUrl().toString(),
                        "version",
                        version));
    }
}
