package touchline.api.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.helidon.http.HeaderNames;
import io.helidon.http.Method;
import io.helidon.webclient.http1.Http1ClientRequest;
import io.helidon.webclient.http1.Http1ClientResponse;
import io.helidon.webserver.testing.junit5.DirectClient;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import touchline.api.access.AccessTokens;
import touchline.api.access.FrameLinks;
import touchline.api.access.MasterKeys;
import touchline.api.access.SecretBox;
import touchline.api.access.SignedUrls;
import touchline.api.access.SigningKeys;
import touchline.api.access.StreamKeys;
import touchline.api.asset.AssetFolders;
import touchline.api.asset.AssetService;
import touchline.api.audit.FakeModeration;
import touchline.api.backup.Backups;
import touchline.api.certificate.Certificates;
import touchline.api.db.AssetRepository;
import touchline.api.db.Database;
import touchline.api.db.ImageRepository;
import touchline.api.db.MemoryDatabase;
import touchline.api.db.SessionRepository;
import touchline.api.db.SigningKeyRepository;
import touchline.api.db.StreamRepository;
import touchline.api.db.TokenRepository;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetId;
import touchline.api.domain.AssetLabels;
import touchline.api.domain.AssetOrigin;
import touchline.api.domain.AssetState;
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

/**
 * The whole control API on an H2 database in memory, called without a socket. Every reply is held
 * against the OpenAPI document.
 */
final class ApiFixture implements AutoCloseable {
    static final String ADMIN_SECRET = "correct-horse-battery-staple";
    static final String ADMIN = "Bearer admin." + ADMIN_SECRET;
    static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** An answer as a client sees it. */
    record Reply(int status, Map<String, List<String>> headers, String text) {
        JsonNode json() {
            try {
                return MAPPER.readTree(text);
            } catch (IOException e) {
                throw new UncheckedIOException(text, e);
            }
        }

        JsonNode data() {
            return json().get("data");
        }

        int code() {
            return json().get("code").intValue();
        }

        Optional<String> header(String name) {
            return headers.entrySet().stream()
                    .filter(entry -> entry.getKey().equalsIgnoreCase(name))
                    .map(entry -> entry.getValue().getFirst())
                    .findFirst();
        }

        /** The fields that the errors name, in order. */
        List<String> badFields() {
            List<String> fields = new ArrayList<>();
            json().path("errors").forEach(e -> fields.add(e.get("field").textValue()));
            return fields;
        }
    }

    final ApiDocumentCheck document = ApiDocumentCheck.SHARED;
    final FakeModeration moderation = new FakeModeration();

    final FakeAudit audit = new FakeAudit();

    final Database database;
    final StreamRepository streams;
    final FakeLive live;
    final FakeOverlays overlays = new FakeOverlays();
    final AssetService assets;

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

    /** The answer to a reload. */
    Reload reload = () -> new Reload.Report(List.of(), List.of());

    ApiFixture() {
        this(TestConfig.of(false));
    }

    ApiFixture(ServerConfig config) {
        InstantSource clock = () -> now;
        this.dataDir = temporaryFolder();
        this.database = MemoryDatabase.open(config.db(), clock);
        this.streams =
                new StreamRepository(
                        database,
                        new StreamKeys(new SecretBox(MasterKeys.load(Optional.empty(), dataDir))));
        this.live = new FakeLive(clock, streams);
        this.assets =
                new AssetService(
                        new AssetRepository(database, AssetView::of),
                        new AssetFolders(dataDir),
                        clock);
        this.encoding = new FakeEncoding(database, dataDir, clock, this::lookedUp);
        this.dependencies =
                new ApiDependencies(
                        database,
                        streams,
                        new AccessTokens(new TokenRepository(database), ADMIN_SECRET, clock),
                        new SigningKeys(new SigningKeyRepository(database), clock),
                        live,
                        overlays,
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
                                        clock)),
                        new StandbyImages(
                                file -> new StandbyImages.Imported(640, 360, file),
                                new ImageRepository(database)),
                        backups(clock),
                        url -> {
                            lookedUp();
                            return url.getHost().equals("127.0.0.1")
                                    ? Optional.of("address refused")
                                    : Optional.empty();
                        },
                        () -> health,
                        () ->
                                new HostReport(
                                        HostSamples.facts(),
                                        new WorkerIsolation(true, true, WorkerSandbox.NONE, false),
                                        Optional.empty()),
                        new OperatorDependencies(config::api, () -> reload.run()),
                        Certificates.off(),
                        registry,
                        Tracing.OFF,
                        clock);
        ConsolePages console = ControlApi.console(config, "console-test");
        this.routing = ControlApi.routing(config, dependencies, console);
        this.client = new DirectClient(routing.build());
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

    Reply get(String target) {
        return call("GET", target, null, Map.of("Authorization", ADMIN));
    }

    Reply delete(String target) {
        return call("DELETE", target, null, Map.of("Authorization", ADMIN));
    }

    Reply post(String target, @Nullable String body) {
        return call("POST", target, body, Map.of("Authorization", ADMIN));
    }

    Reply put(String target, @Nullable String body) {
        return call("PUT", target, body, Map.of("Authorization", ADMIN));
    }

    Reply patch(String target, String body) {
        return call("PATCH", target, body, Map.of("Authorization", ADMIN));
    }

    /** A call with exactly these headers, and application/json where there is a body. */
    Reply call(String method, String target, @Nullable String body, Map<String, String> headers) {
        byte[] bytes = body == null ? null : body.getBytes(StandardCharsets.UTF_8);
        return callBytes(method, target, bytes, headers);
    }

    Reply callBytes(
            String method, String target, byte @Nullable [] body, Map<String, String> headers) {
        Http1ClientRequest request =
                client.method(Method.create(method)).uri(target).skipUriEncoding(true);
        headers.forEach((name, value) -> request.header(HeaderNames.create(name), value));
        if (body != null && !headers.containsKey("Content-Type")) {
            request.header(HeaderNames.CONTENT_TYPE, "application/json");
        }
        try (Http1ClientResponse response =
                body == null ? request.request() : request.submit(body)) {
            Map<String, List<String>> received = new java.util.TreeMap<>();
            response.headers().forEach(h -> received.put(h.name(), h.allValues()));
            boolean bodied = response.entity().hasEntity() && !method.equals("HEAD");
            String text = bodied ? response.as(String.class) : "";
            Reply reply = new Reply(response.status().code(), received, text);
            document.check(method, target, reply);
            return reply;
        }
    }

    /** From which address the next calls come. */
    void clientAddress(String host) {
        client.clientHost(host);
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

    static String basic(String id, String secret) {
        return "Basic "
                + Base64.getEncoder()
                        .encodeToString((id + ":" + secret).getBytes(StandardCharsets.UTF_8));
    }

    /** A new live stream, as the API shows it. */
    JsonNode create(String body) {
        Reply reply = post("/live/v1/live-streams", body);
        if (reply.status() != 200) {
            throw new AssertionError(reply.text());
        }
        return reply.data();
    }

    /** Stores a session, as the supervisor does when it has started. */
    void store(Session session) {
        new SessionRepository(database).start(session);
    }

    /** A finished recording of 12.345678 s. */
    Asset asset() {
        return asset(
                new StreamId("str_deleted"),
                AssetState.finished(12_345_678, 1_000, List.of(), now));
    }

    Asset asset(StreamId stream, AssetState state) {
        Asset asset =
                new Asset(
                        AssetId.create(),
                        stream,
                        new AssetOrigin.Recorded(
                                new SessionId("ses_" + UUID.randomUUID()), /* fromStart= */ true),
                        new AssetLabels("Cup final", "{\"match\": 7}", Mp4Support.CAPPED_1080P),
                        List.of(
                                PlaybackId.create(PlaybackPolicy.SIGNED),
                                PlaybackId.create(PlaybackPolicy.PUBLIC)),
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
