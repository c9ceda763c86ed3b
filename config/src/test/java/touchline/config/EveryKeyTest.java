package touchline.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every key of {@code application.yaml}: it has an effect, it is validated, and both documents list
 * it.
 */
final class EveryKeyTest {
    private static final Path HOME = Path.of("/opt/touchline");
    private static final Path TABLE = Path.of("../docs/configuration.md");

    /** What a cluster needs. */
    private static final Map<String, String> CLUSTER =
            Map.of(
                    "db.url", "jdbc:postgresql://h/db",
                    "auth.master-key", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                    "auth.admin-secret", "0123456789abcdef",
                    "public.api-url", "https://api.example.org",
                    "public.playback-url", "https://play.example.org",
                    "public.rtmp-url", "rtmp://push.example.org");

    /** Cells of a row of the table of all keys, with the empty ones beside it. */
    private static final int KEY_CELLS = 6;

    /** The same of a row of the table of keys that reload: keys, and when they apply. */
    private static final int RELOAD_CELLS = 4;

    private static final Path DEFAULTS = Path.of("src/main/resources/application.yaml");

    /**
     * A valid value other than the default and an invalid value; the list of keys must be complete.
     */
    private static final Map<String, List<String>> SAMPLES =
            new TreeMap<>(
                    Map.ofEntries(
                            sample("data-dir", "/srv/touchline", "\u0000"),
                            sample("api.host", "localhost", "a b"),
                            sample("api.port", "0", "65536"),
                            sample("api.host-names", "media.lan,one.lan", "http://media.lan"),
                            sample("api.max-body-bytes", "2MiB", "1GiB"),
                            sample("api.max-connections-per-address", "9", "-1"),
                            sample("api.observe-needs-token", "true", "yes"),
                            sample("playback.host", "127.0.0.1", "http://x"),
                            sample("playback.port", "65535", "-1"),
                            sample("playback.max-connections", "7", "0"),
                            sample("playback.max-connections-per-address", "7", "many"),
                            sample("playback.idle-timeout", "5m", "999ms"),
                            sample("playback.header-timeout", "1.5s", "10 minutes"),
                            sample("playback.thumbnail-cpu-percent", "100", "0"),
                            sample("playback.thumbnail-cache-bytes", "64MiB", "1023KiB"),
                            sample("playback.embed-origins", "https://club.example", "https://x;y"),
                            sample("playback.theme.name", "Rovers TV", "a".repeat(61)),
                            sample("playback.theme.logo", DEFAULTS.toString(), "/no/such/file"),
                            sample("playback.theme.accent-colour", "#00ff00", "green"),
                            sample("playback.theme.background-colour", "#000000", "#000"),
                            sample("playback.theme.text-colour", "#FFFFFF", "white"),
                            sample("rtmp.host", "::1", "/"),
                            sample("rtmp.port", "1936", "0x50"),
                            sample("rtmp.max-message-bytes", "65536", "17MiB"),
                            sample("rtmp.max-connections", "1000000", "1000001"),
                            sample("rtmp.max-connections-per-address", "10", "-1"),
                            sample("rtmp.handshake-timeout", "100ms", "0"),
                            sample("rtmp.publish-timeout", "1", "0"),
                            sample("rtmp.idle-timeout", "30", "2h"),
                            sample("rtmp.complete-hold", "0", "2h"),
                            sample("tls.rtmps-port", "1936", "seven"),
                            sample("tls.cert", DEFAULTS.toString(), "/no/such/file"),
                            sample("tls.key", DEFAULTS.toString(), "/no/such/file"),
                            sample("tls.acme.domains", "live.example.org", "*.example.org"),
                            sample("tls.acme.email", "ops@example.org", "ops"),
                            sample("tls.acme.directory", "https://ca.lan/dir", "ftp://ca.lan"),
                            sample("tls.acme.http-port", "0", "65536"),
                            sample("tls.acme.ca", DEFAULTS.toString(), "/no/such/file"),
                            sample("public.api-url", "https://a.example", "ftp://a.example"),
                            sample(
                                    "public.playback-url",
                                    "http://a.example:81",
                                    "http://u@a.example"),
                            sample("public.rtmp-url", "rtmp://a.example/app", "http://a.example"),
                            sample("auth.admin-secret", "open-sesame-0123", "open-sesame-012"),
                            sample(
                                    "auth.master-key",
                                    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                                    "AAAA"),
                            sample("db.url", "jdbc:postgresql://h/db", "jdbc:mysql://h/db"),
                            sample("db.user", "touchline", "a\u0001b"),
                            sample("db.password", "secret", "a\u0001b"),
                            sample("db.max-connections", "20", "0"),
                            sample("cluster.enabled", "true", "yes"),
                            sample("cluster.node", "node-1", "node_1"),
                            sample("cluster.roles", "origin", "origin,cache"),
                            sample("cluster.edge-cache", "1GiB", "1MiB"),
                            sample("cluster.lease", "10s", "1s"),
                            sample("cluster.heartbeat", "2s", "50ms"),
                            sample("cluster.host", "10.0.0.5", "a b"),
                            sample("cluster.port", "0", "65536"),
                            sample("cluster.advertise", "node-1.lan", "http://node-1"),
                            sample("egress.allow", "10.0.0.0/8,fd00::1,::/0", "10.0.0.1/8"),
                            sample("http.trusted-proxies", "127.0.0.1/32", "localhost"),
                            sample("storage.min-free-inodes", "0", "-1"),
                            sample("storage.min-free", "5GiB", "5 boxes"),
                            sample("storage.retention-max-age", "30d", "36501d"),
                            sample("storage.retention-max-bytes", "2TiB", "lots"),
                            sample("storage.retention-min-age", "2d", "-1s"),
                            sample("storage.retention-on-low-space", "true", "on"),
                            sample("storage.evidence-max-age", "7d", "36501d"),
                            sample("storage.evidence-max-bytes", "1TiB", "-1"),
                            sample("storage.file-root", "/srv/out", "\u0000"),
                            sample("storage.s3.endpoint", "https://s3.example", "ftp://a.example"),
                            sample("storage.s3.bucket", "match-archive", "a/b"),
                            sample("storage.s3.prefix", "live/a", "/a"),
                            sample("storage.s3.region", "eu-central-1", "a b"),
                            sample("storage.s3.access-key", "AKIA0", "a b"),
                            sample("storage.s3.secret-key", "secret", "a\u0001b"),
                            sample("storage.s3.path-style", "true", "yes"),
                            sample("storage.s3.parallel", "4", "0"),
                            sample("storage.s3.tail", "off", "part"),
                            sample("storage.s3.finish-after", "30s", "9s"),
                            sample("storage.s3.continue-within", "30s", "3m"),
                            sample("storage.cache-bytes", "1TiB", "-1"),
                            sample("storage.delete-after", "2h", "-1s"),
                            sample("packager.window", "2m", "9s"),
                            sample("packager.low-part", "0.5s", "99ms"),
                            sample("packager.transcode-audio", "mp3,opus", "flac"),
                            sample("media.decoder-memory", "2GiB", "lots"),
                            sample("media.isolated-decoding", "all", "some"),
                            sample("overlay.chromium", "/usr/bin/chromium", "a\u0001b"),
                            sample("overlay.allow-no-sandbox", "true", "1"),
                            sample("overlay.run-as", "www-data", "root; reboot"),
                            sample("overlay.max-compositors", "4", "10001"),
                            sample("overlay.page-memory", "1GiB", "1MiB"),
                            sample("overlay.page-cpu-percent", "80", "9"),
                            sample("overlay.page-bytes-per-minute", "1GiB", "all"),
                            sample("overlay.page-connections", "8", "0"),
                            sample("moderation.models-dir", "/srv/models", "\u0000"),
                            sample("moderation.demo-models", "true", "TRUE"),
                            sample("moderation.device", "cuda:1", "gpu"),
                            sample("moderation.threads", "2", "257"),
                            sample("moderation.batch-size", "8", "-1"),
                            sample("moderation.batch-wait", "0", "2s"),
                            sample("moderation.queue", "64", "0"),
                            sample("moderation.gate-open-after", "30s", "2h"),
                            sample("moderation.reject-cutoff", "0.25", "1.1"),
                            sample("encoder.video", "openh264", "auto,x264"),
                            sample("encoder.bitrate", "3500000", "3.5M"),
                            sample("encoder.speed", "superfast", "slow"),
                            sample("encoder.threads", "4", "17"),
                            sample("encoder.decoder", "software", "cuda"),
                            sample("encoder.max-renditions", "8", "-1"),
                            sample("jobs.clips-at-once", "4", "0"),
                            sample("jobs.renditions-at-once", "2", "65"),
                            sample("jobs.worker-isolation", "required", "on"),
                            sample("events.keep", "90d", "6d"),
                            sample("events.max-kept", "5000", "999"),
                            sample("viewers.keep", "30d", "23h"),
                            sample("transcoding.at-once", "2", "65"),
                            sample("transcoding.max-input", "1GiB", "1KiB"),
                            sample("transcoding.timeout", "10m", "1s"),
                            sample("otel.endpoint", "http://127.0.0.1:4318", "grpc://collector"),
                            sample("otel.service-name", "north-stand", "two words"),
                            sample("otel.resource-attributes", "region=eu, rack=7", "region"),
                            sample("otel.headers", "Authorization=Basic eA==", "no value"),
                            sample("otel.sampling-ratio", "0.1", "2"),
                            sample("log.format", "json", "xml"),
                            sample("log.level", "debug", "loud")));

    private static final Map<String, String> S3 =
            Map.of(
                    "storage.s3.endpoint", "https://store.example",
                    "storage.s3.bucket", "bucket",
                    "storage.s3.access-key", "key",
                    "storage.s3.secret-key", "other");

    private static final ServerConfig DEFAULT = load(Map.of());

    static Stream<String> keys() {
        return ConfigLoader.defaults().keySet().stream();
    }

    @Test
    void samples_coverEveryKey() {
        assertEquals(new TreeSet<>(ConfigLoader.defaults().keySet()), SAMPLES.keySet());
    }

    @ParameterizedTest
    @MethodSource("keys")
    void key_goodValue_changesTheConfiguration(String key) {
        String good = samples(key).getFirst();
        Map<String, String> without = withCompanions(key, null);
        assertNotEquals(
                without.isEmpty() ? DEFAULT : load(without), load(withCompanions(key, good)));
    }

    @ParameterizedTest
    @MethodSource("keys")
    void key_badValue_stopsTheStartWithItsName(String key) {
        String bad = samples(key).getLast();
        String refusal =
                String.valueOf(
                        assertThrows(
                                        ConfigException.class,
                                        () -> load(withCompanions(key, bad)),
                                        bad)
                                .getMessage());

        assertTrue(refusal.startsWith(key + ": "), refusal);
    }

    @ParameterizedTest
    @MethodSource("needsOfACluster")
    void cluster_withoutWhatItNeeds_namesTheKey(String missing) {
        Map<String, String> settings = new TreeMap<>(CLUSTER);
        settings.remove(missing);
        settings.put("cluster.enabled", "true");

        String refusal =
                String.valueOf(
                        assertThrows(ConfigException.class, () -> load(settings)).getMessage());

        assertTrue(refusal.startsWith(missing + ": not set"), refusal);
    }

    static Stream<String> needsOfACluster() {
        return CLUSTER.keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("needsOfS3")
    void s3_withoutWhatItNeeds_namesTheKey(String missing) {
        Map<String, String> settings = new TreeMap<>(S3);
        settings.remove(missing);
        var refusal = assertThrows(ConfigException.class, () -> load(settings)).toString();
        assertTrue(refusal.contains(missing), refusal);
        assertFalse(refusal.contains("other"), refusal);
    }

    static Stream<String> needsOfS3() {
        return S3.keySet().stream();
    }

    @Test
    void heartbeat_ofMoreThanAThirdOfTheLease_isRefused() {
        Map<String, String> settings = Map.of("cluster.lease", "4s", "cluster.heartbeat", "2s");

        String refusal =
                String.valueOf(
                        assertThrows(ConfigException.class, () -> load(settings)).getMessage());

        assertTrue(refusal.startsWith("cluster.heartbeat: 2s"), refusal);
    }

    @ParameterizedTest
    @MethodSource("keys")
    void key_inApplicationYaml_hasACommentAboveIt(String key) throws IOException {
        assertFalse(commentsByKey().getOrDefault(key, "").isBlank(), key);
    }

    @Test
    void table_ofTheDocuments_isTheSameAsApplicationYaml() throws IOException {
        Map<String, String> expected = new TreeMap<>();
        KnownKeys known = new KnownKeys(ConfigLoader.defaults().keySet());
        ConfigLoader.defaults()
                .forEach(
                        (key, value) ->
                                expected.put(
                                        key,
                                        known.variableOf(key)
                                                + " = "
                                                + (value.isEmpty() ? "empty" : value)));

        assertEquals(expected, rowsOfTheTable());
    }

    private static ServerConfig load(Map<String, String> settings) {
        ConfigLoader loader = new ConfigLoader(Map.of(), HOME);
        for (Map.Entry<String, String> setting : settings.entrySet()) {
            loader = loader.with(setting.getKey(), setting.getValue());
        }
        return loader.load();
    }

    /**
     * Keys that depend on each other: a certificate requires its key, RTMPS requires a certificate,
     * a cluster what its nodes have in common, S3 a bucket and keys.
     */
    private static Map<String, String> withCompanions(String key, @Nullable String value) {
        Map<String, String> settings = new TreeMap<>();
        if (key.startsWith("tls.") && !key.startsWith("tls.acme.")) {
            settings.put("tls.cert", DEFAULTS.toString());
            settings.put("tls.key", DEFAULTS.toString());
        }
        if (key.startsWith("storage.s3.")) {
            settings.putAll(S3);
        }
        if (key.equals("cluster.enabled")) {
            settings.putAll(CLUSTER);
        }
        if (key.equals("tls.cert") || key.equals("tls.key")) {
            settings.replaceAll((_, _) -> "pom.xml");
        }
        if (value != null) {
            settings.put(key, value);
        }
        return settings;
    }

    /** The comment lines directly above each key of the file. */
    private static Map<String, String> commentsByKey() throws IOException {
        Map<String, String> comments = new TreeMap<>();
        Deque<String> section = new ArrayDeque<>();
        List<String> comment = new ArrayList<>();
        for (String line : Files.readAllLines(DEFAULTS)) {
            String content = line.strip();
            if (content.startsWith("#")) {
                comment.add(content.substring(1).strip());
                continue;
            }
            int colon = content.indexOf(':');
            if (colon > 0) {
                while (line.indexOf(content) < 2 * section.size()) {
                    section.pop();
                }
                String name = content.substring(0, colon);
                String key = section.isEmpty() ? name : section.peek() + "." + name;
                comments.put(key, String.join(" ", comment));
                if (content.endsWith(":")) {
                    section.push(key);
                }
            }
            comment.clear();
        }
        return comments;
    }

    @Test
    void reloadTable_ofTheDocuments_hasTheKeysThatReload() throws IOException {
        LoadedConfig loaded = new ConfigLoader(Map.of(), HOME).source(Optional.empty()).load();
        Set<String> documented = new TreeSet<>();
        for (String line : Files.readAllLines(TABLE)) {
            String[] cells = line.split("\\|", -1);
            if (line.startsWith("| `") && cells.length == RELOAD_CELLS) {
                assertFalse(cells[2].isBlank(), line);
                for (String key : cells[1].split(",", -1)) {
                    documented.add(bare(key));
                }
            }
        }

        assertEquals(loaded.reloadableKeys(), documented);
    }

    /** Rows {@code | `key` | `VARIABLE` | `default` | meaning |}. */
    private static Map<String, String> rowsOfTheTable() throws IOException {
        Map<String, String> rows = new TreeMap<>();
        for (String line : Files.readAllLines(TABLE)) {
            String[] cells = line.split("\\|", -1);
            if (line.startsWith("| `") && cells.length == KEY_CELLS) {
                assertFalse(cells[4].isBlank(), line);
                rows.put(bare(cells[1]), bare(cells[2]) + " = " + bare(cells[3]));
            }
        }
        return rows;
    }

    private static String bare(String cell) {
        return cell.replace("`", "").strip();
    }

    private static List<String> samples(String key) {
        return Objects.requireNonNull(SAMPLES.get(key), key);
    }

    private static Map.Entry<String, List<String>> sample(String key, String good, String bad) {
        return Map.entry(key, List.of(good, bad));
    }
}
