package touchline.config;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Converts settings to {@link ServerConfig} and checks type and range of every key. One thread,
 * used once.
 */
final class ServerConfigReader {
    /** Names and addresses of hosts. */
    static final String HOST = "[0-9A-Za-z](?:[0-9A-Za-z.-]{0,252})|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*";

    private static final int MANY_CONNECTIONS = 1_000_000;
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration CENTURY = Duration.ofDays(36_500);

    private final Settings settings;
    private final MediaSections media;

    /**
     * @param home the installation folder, base of the default of moderation.models-dir
     */
    ServerConfigReader(Settings settings, Path home) {
        this.settings = settings;
        this.media = new MediaSections(settings, home);
    }

    /**
     * Reads every section.
     *
     * @throws ConfigException names every invalid key
     */
    ServerConfig read() {
        ApiConfig api = api();
        PlaybackConfig playback = playback();
        RtmpConfig rtmp = rtmp();
        TlsConfig tls = tls();
        AuthConfig auth = auth();
        DatabaseConfig database = database();
        ServerConfig config =
                new ServerConfig(
                        settings.path("data-dir").toAbsolutePath().normalize(),
                        api,
                        playback,
                        rtmp,
                        tls,
                        publicUrls(api, playback, rtmp, tls),
                        auth,
                        database,
                        new ClusterSection(settings).read(database, auth),
                        new EgressConfig(
                                settings.list(
                                        reloadable("egress.allow"),
                                        "networks such as 10.0.0.0/8, fd00::/8, or addresses",
                                        ValueText::checkNetwork)),
                        new HttpConfig(cidrs("http.trusted-proxies")),
                        storage(),
                        media.packager(),
                        media.media(),
                        media.overlay(),
                        media.moderation(),
                        media.encoder(),
                        jobs(),
                        events(),
                        viewers(),
                        transcoding(),
                        otel(),
                        log());
        settings.check();
        return config;
    }

    private ApiConfig api() {
        return new ApiConfig(
                host("api.host"),
                settings.port("api.port"),
                settings.list(
                        "api.host-names", "host names such as media.lan", ValueText::checkName),
                (int) settings.sizeBytes("api.max-body-bytes", 1 << 10, 64 << 20),
                settings.integer(
                        reloadable("api.max-connections-per-address"), 0, MANY_CONNECTIONS),
                settings.flag("api.observe-needs-token"));
    }

    private PlaybackConfig playback() {
        return new PlaybackConfig(
                host("playback.host"),
                settings.port("playback.port"),
                settings.integer(reloadable("playback.max-connections"), 1, MANY_CONNECTIONS),
                settings.integer(
                        reloadable("playback.max-connections-per-address"), 0, MANY_CONNECTIONS),
                settings.duration(reloadable("playback.idle-timeout"), Duration.ofSeconds(1), HOUR),
                settings.duration(
                        reloadable("playback.header-timeout"),
                        Duration.ofMillis(100),
                        Duration.ofMinutes(5)),
                settings.integer("playback.thumbnail-cpu-percent", 1, 1600),
                settings.sizeBytes("playback.thumbnail-cache-bytes", 1 << 20, 16L << 30),
                pages());
    }

    private PageConfig pages() {
        return new PageConfig(
                settings.list(
                        reloadable("playback.embed-origins"),
                        "* or origins such as https://club.example",
                        ServerConfigReader::embedOrigin),
                settings.text(
                        reloadable("playback.theme.name"),
                        "[^\\p{Cntrl}]{0,60}",
                        "0 to 60 characters"),
                readableFile("playback.theme.logo"),
                colour("playback.theme.accent-colour"),
                colour("playback.theme.background-colour"),
                colour("playback.theme.text-colour"));
    }

    /** A source of Content-Security-Policy, so nothing that could end the directive. */
    private static String embedOrigin(String text) {
        if (!text.matches("\\*|https?://(\\*\\.)?[a-zA-Z0-9.-]+(:\\d{1,5})?")) {
            throw new IllegalArgumentException(text);
        }
        return text;
    }

    private String colour(String key) {
        return settings.text(key, "#[0-9a-fA-F]{6}", "a colour such as #e5484d");
    }

    private RtmpConfig rtmp() {
        return new RtmpConfig(
                host("rtmp.host"),
                settings.port("rtmp.port"),
                (int) settings.sizeBytes(reloadable("rtmp.max-message-bytes"), 64 << 10, 16 << 20),
                settings.integer(reloadable("rtmp.max-connections"), 1, MANY_CONNECTIONS),
                settings.integer(
                        reloadable("rtmp.max-connections-per-address"), 0, MANY_CONNECTIONS),
                settings.duration(
                        reloadable("rtmp.handshake-timeout"),
                        Duration.ofMillis(100),
                        Duration.ofMinutes(5)),
                settings.duration(
                        reloadable("rtmp.publish-timeout"),
                        Duration.ofSeconds(1),
                        Duration.ofMinutes(5)),
                settings.duration(reloadable("rtmp.idle-timeout"), Duration.ofSeconds(1), HOUR),
                settings.duration(reloadable("rtmp.complete-hold"), Duration.ZERO, HOUR));
    }

    private TlsConfig tls() {
        Optional<Integer> rtmpsPort =
                settings.optional(
                        "tls.rtmps-port",
                        "0 to 65535",
                        text -> {
                            if (!text.matches("\\d{1,5}") || Integer.parseInt(text) > 65_535) {
                                throw new IllegalArgumentException(text);
                            }
                            return Integer.valueOf(text);
                        });
        Optional<Path> cert = readableFile("tls.cert");
        Optional<Path> key = readableFile("tls.key");
        if (cert.isPresent() != key.isPresent()) {
            String missing = cert.isPresent() ? "tls.key" : "tls.cert";
            settings.fault(
                    missing, "empty (expected: a file, as tls.cert and tls.key go together)");
        }
        AcmeConfig acme = acme();
        if (acme.isEnabled() && cert.isPresent()) {
            settings.fault("tls.acme.domains", "set beside tls.cert (expected: one of them)");
        }
        if (rtmpsPort.isPresent() && cert.isEmpty() && !acme.isEnabled()) {
            settings.fault("tls.rtmps-port", "set without tls.cert (expected: both or none)");
        }
        return new TlsConfig(
                rtmpsPort.map(OptionalInt::of).orElseGet(OptionalInt::empty), cert, key, acme);
    }

    private AcmeConfig acme() {
        return new AcmeConfig(
                settings.list(
                        "tls.acme.domains",
                        "host names such as live.example.org; no addresses, and no *, which needs DNS",
                        ValueText::checkDomain),
                settings.optionalText(
                        "tls.acme.email",
                        "[\\x21-\\x7e]{1,64}@[0-9A-Za-z.-]{1,255}",
                        "an e-mail address"),
                settings.optional(
                                "tls.acme.directory",
                                "an https address",
                                text -> ValueText.parseBaseUrl(text, Set.of("https")))
                        .orElse(AcmeConfig.LETS_ENCRYPT),
                settings.port("tls.acme.http-port"),
                readableFile("tls.acme.ca"));
    }

    private PublicConfig publicUrls(
            ApiConfig api, PlaybackConfig playback, RtmpConfig rtmp, TlsConfig tls) {
        Set<String> web = Set.of("http", "https");
        String scheme = tls.isEnabled() ? "https" : "http";
        String push = tls.rtmpsPort().isPresent() ? "rtmps" : "rtmp";
        int pushPort = tls.rtmpsPort().orElse(rtmp.port());
        URI rtmpUrl =
                publicUrl("public.rtmp-url", Set.of("rtmp", "rtmps"))
                        .orElseGet(() -> PublicConfig.derived(push, rtmp.host(), pushPort));
        return new PublicConfig(
                publicUrl("public.api-url", web)
                        .orElseGet(() -> PublicConfig.derived(scheme, api.host(), api.port())),
                publicUrl("public.playback-url", web)
                        .orElseGet(
                                () ->
                                        PublicConfig.derived(
                                                scheme, playback.host(), playback.port())),
                rtmpUrl.getPath().isEmpty() ? URI.create(rtmpUrl + "/live") : rtmpUrl);
    }

    private AuthConfig auth() {
        return new AuthConfig(
                settings.optionalText(
                        "auth.admin-secret",
                        "[\\x21-\\x7e]{16,256}",
                        "16 to 256 visible ASCII characters; a shorter secret can be guessed"),
                settings.optional(
                        "auth.master-key",
                        "base64 of 32 bytes",
                        text -> {
                            if (Base64.getDecoder().decode(text).length != 32) {
                                throw new IllegalArgumentException("length");
                            }
                            return text;
                        }));
    }

    private DatabaseConfig database() {
        String any = "\\P{Cntrl}{1,1024}";
        return new DatabaseConfig(
                settings.optionalText(
                        "db.url",
                        "jdbc:(postgresql|h2):\\P{Cntrl}{1,2000}",
                        "a jdbc:postgresql: or jdbc:h2: address"),
                settings.optionalText("db.user", any, "a user name"),
                settings.optionalText("db.password", any, "a password"),
                settings.integer("db.max-connections", 1, 200));
    }

    private StorageConfig storage() {
        return new StorageConfig(
                settings.sizeBytes(reloadable("storage.min-free"), 0, 1L << 50),
                settings.integer(reloadable("storage.min-free-inodes"), 0, 1_000_000_000),
                settings.optional(
                        "storage.file-root",
                        "a path",
                        text -> ValueText.parsePath(text).toAbsolutePath().normalize()),
                retention(),
                new EvidenceConfig(
                        settings.duration(
                                reloadable("storage.evidence-max-age"), Duration.ZERO, CENTURY),
                        settings.sizeBytes(reloadable("storage.evidence-max-bytes"), 0, 1L << 60)),
                new HomeSection(settings).read());
    }

    private RetentionConfig retention() {
        return new RetentionConfig(
                settings.duration(reloadable("storage.retention-max-age"), Duration.ZERO, CENTURY),
                settings.sizeBytes(reloadable("storage.retention-max-bytes"), 0, 1L << 60),
                settings.duration(reloadable("storage.retention-min-age"), Duration.ZERO, CENTURY),
                settings.flag(reloadable("storage.retention-on-low-space")));
    }

    private JobsConfig jobs() {
        return new JobsConfig(
                settings.integer("jobs.clips-at-once", 1, 64),
                settings.integer("jobs.renditions-at-once", 1, 64),
                JobsConfig.WorkerIsolation.of(
                        settings.text(
                                "jobs.worker-isolation",
                                "auto|required|off",
                                "auto, required or off")));
    }

    private EventsConfig events() {
        return new EventsConfig(
                settings.duration(reloadable("events.keep"), Duration.ofDays(7), CENTURY),
                settings.integer(reloadable("events.max-kept"), 1_000, 1_000_000_000));
    }

    private ViewersConfig viewers() {
        return new ViewersConfig(
                settings.duration(reloadable("viewers.keep"), Duration.ofDays(1), CENTURY));
    }

    private TranscodingConfig transcoding() {
        return new TranscodingConfig(
                settings.integer("transcoding.at-once", 0, 64),
                settings.sizeBytes(reloadable("transcoding.max-input"), 1 << 20, 1L << 50),
                settings.duration(
                        reloadable("transcoding.timeout"), Duration.ofMinutes(1), CENTURY));
    }

    private LogConfig log() {
        return new LogConfig(
                LogConfig.Format.of(
                        settings.text(reloadable("log.format"), "text|json", "text or json")),
                LogConfig.Level.of(
                        settings.text(
                                reloadable("log.level"),
                                "error|warn|info|debug|trace",
                                "error, warn, info, debug or trace")));
    }

    /** Marks a key whose new value a running server takes over. */
    private String reloadable(String key) {
        settings.reloadable(key);
        return key;
    }

    private String host(String key) {
        return settings.text(key, HOST, "a host name or an address");
    }

    private List<String> cidrs(String key) {
        return settings.list(key, "CIDRs such as 10.0.0.0/8, fd00::/8", ValueText::checkCidr);
    }

    private Optional<URI> publicUrl(String key, Set<String> schemes) {
        String expected =
                String.join(" or ", schemes.stream().sorted().toList()) + "://host[:port]";
        return settings.optional(key, expected, text -> ValueText.parseBaseUrl(text, schemes));
    }

    private OtelConfig otel() {
        return new OtelConfig(
                publicUrl("otel.endpoint", Set.of("http", "https")),
                settings.text("otel.service-name", "[!-~]{1,100}", "1 to 100 visible characters"),
                pairs("otel.resource-attributes", "[a-z][a-z0-9._-]{0,99}", "name=value, ..."),
                pairs("otel.headers", "[A-Za-z0-9-]{1,100}", "Name=value, ..."),
                settings.share("otel.sampling-ratio"));
    }

    /** Items {@code name=value}. The value is of printable ASCII characters. */
    private Map<String, String> pairs(String key, String name, String expected) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String item : settings.list(key, expected, text -> checkedPair(text, name))) {
            int equals = item.indexOf('=');
            pairs.put(item.substring(0, equals), item.substring(equals + 1));
        }
        return pairs;
    }

    private static String checkedPair(String text, String name) {
        if (!text.matches(name + "=[ -~]{1,1000}")) {
            throw new IllegalArgumentException("not " + name + "=value");
        }
        return text;
    }

    private Optional<Path> readableFile(String key) {
        return settings.optional(
                key,
                "a PEM file that can be read",
                text -> {
                    Path file = ValueText.parsePath(text).toAbsolutePath().normalize();
                    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
                        throw new IllegalArgumentException(text);
                    }
                    return file;
                });
    }
}
