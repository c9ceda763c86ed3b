package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Proxies in front of a server, by the files in deploy and with their defaults. */
final class ReverseProxyIT {
    private static final String API = "api.example.org";
    private static final String VIDEO = "video.example.org";
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final int READ_TIMEOUT_MS = 20_000;

    @TempDir private static Path data;
    private static TestServer server;
    private static Encoder encoder;
    private static String playbackId;

    @TempDir private Path folder;

    @BeforeAll
    static void start() throws Exception {
        server =
                TestServer.start(
                        data,
                        Map.of(
                                "TOUCHLINE_PUBLIC_API_URL", "https://" + API,
                                "TOUCHLINE_PUBLIC_PLAYBACK_URL", "https://" + VIDEO,
                                "TOUCHLINE_HTTP_TRUSTED_PROXIES", "127.0.0.1/32"));
        JsonNode stream = server.createStream("{\"latency_mode\": \"low\"}");
        playbackId = stream.at("/playback_ids/0/id").textValue();
        encoder = Encoder.live(server.push(stream.get("stream_key").textValue()));
        URI live = server.playback(playbackId + ".m3u8");
        TestServer.await("playback", SOON, () -> server.get(live).statusCode() == 200);
    }

    @AfterAll
    static void stop() throws IOException {
        encoder.close();
        server.close();
    }

    @Test
    void nginx_asDocumented_servesApiAndPlayback() throws Exception {
        int port = ProxyProgram.freePort();
        String documented =
                ported(DeployFiles.text("nginx/touchline.conf"))
                        .replace("/var/cache/touchline", folder.resolve("cache").toString())
                        .replace("listen 443 ssl http2;", "listen 127.0.0.1:" + port + ";")
                        .replaceAll("(?m)^ *ssl_certificate.*$", "");
        try (ProxyProgram _ = ProxyProgram.nginx(folder, documented, List.of(port))) {
            servesApi(port);
            servesPlayback(port);
            keepsSegments(port);
            passesSignedPlayback(port);
        }
    }

    @Test
    void nginx_withNothingButProxyPass_servesApiAndPlayback() throws Exception {
        int api = ProxyProgram.freePort();
        int playback = ProxyProgram.freePort();
        String plain = "server { listen 127.0.0.1:%d; location / { proxy_pass %s; } }\n";
        String both =
                plain.formatted(api, server.api(""))
                        + plain.formatted(playback, server.playback("").resolve("/"));
        try (ProxyProgram _ = ProxyProgram.nginx(folder, both, List.of(api, playback))) {
            assertTrue(get(api, API, "/observe/health/ready").contains(" 200 "));
            assertTrue(get(api, API, "/").contains("<html"));
            createsStreams(api);
            servesPlayback(playback);
        }
    }

    @Test
    void haproxy_asDocumented_servesApiAndPlayback() throws Exception {
        int port = ProxyProgram.freePort();
        String documented =
                ported(DeployFiles.text("haproxy/haproxy.cfg"))
                        .replaceAll(":443 ssl crt .*", "127.0.0.1:" + port)
                        .replace("mode http\n", "mode http\n    default-server inter 200ms\n");
        try (ProxyProgram _ = ProxyProgram.haproxy(folder, documented, List.of(port))) {
            isUp("touchline_api");
            isUp("touchline_playback");
            servesApi(port);
            servesPlayback(port);
        }
    }

    /** One node stands for all. */
    @Test
    void haproxyOfACluster_asDocumented_servesApiAndPlayback() throws Exception {
        int port = ProxyProgram.freePort();
        String documented =
                ported(
                                DeployFiles.text("cluster/haproxy.cfg")
                                        .replaceAll("(?m)^ *server node-[23] .*\n", "")
                                        .replaceAll("node-1 node-1:", "one 127.0.0.1:"))
                        .replaceAll(":443 ssl crt .*", "127.0.0.1:" + port)
                        .replace("bind :1935", "bind 127.0.0.1:" + ProxyProgram.freePort())
                        .replace("defaults\n", "defaults\n    default-server inter 200ms\n");
        try (ProxyProgram _ = ProxyProgram.haproxy(folder, documented, List.of(port))) {
            isUp("touchline_api");
            isUp("touchline_playback");
            servesApi(port);
            servesPlayback(port);
        }
    }

    @Test
    void haproxy_withPlainHttpchk_seesBothPortsUp() throws Exception {
        int port = ProxyProgram.freePort();
        String plain =
                """
                defaults
                    mode http
                    timeout connect 5s
                    timeout client 60s
                    timeout server 60s
                    default-server inter 200ms
                frontend all
                    bind 127.0.0.1:%d
                    default_backend plain_api
                backend plain_api
                    option httpchk
                    server one 127.0.0.1:%d check
                backend plain_playback
                    option httpchk
                    server one 127.0.0.1:%d check
                """
                        .formatted(port, server.api("").getPort(), server.playback("").getPort());
        try (ProxyProgram _ = ProxyProgram.haproxy(folder, plain, List.of(port))) {
            isUp("plain_api");
            isUp("plain_playback");
            assertTrue(get(port, API, "/observe/health/ready").contains(" 200 "));
        }
    }

    @Test
    void caddy_asDocumented_servesApiAndPlayback() throws Exception {
        int port = ProxyProgram.freePort();
        String documented =
                ported(DeployFiles.text("caddy/Caddyfile"))
                        .replace(API + " {", "http://" + API + ":" + port + " {")
                        .replace(VIDEO + " {", "http://" + VIDEO + ":" + port + " {");
        try (ProxyProgram _ = ProxyProgram.caddy(folder, documented, List.of(port))) {
            servesApi(port);
            servesPlayback(port);
        }
    }

    @Test
    void varnish_asDocumented_servesPlaybackFromItsCache() throws Exception {
        int port = ProxyProgram.freePort();
        try (ProxyProgram _ = ProxyProgram.varnish(folder, cache("varnish/touchline.vcl"), port)) {
            servesPlaybackFromItsCache(port);
            mergesWaitingReloads(port);
            String missing = get(port, VIDEO, "/" + playbackId + "/~grant/index.m3u8");
            assertTrue(missing.contains("X-Cache: PASS"), missing);
            String movie = get(port, VIDEO, "/" + playbackId + "/capped-1080p.mp4");
            assertTrue(movie.contains("X-Cache: PASS") && movie.contains(" 404 "), movie);
            TestServer.await(
                    "a 404 that stays for its second, for all viewers",
                    SOON,
                    () -> {
                        String path = "/nothing" + System.nanoTime() + ".m3u8";
                        assertTrue(get(port, VIDEO, path + "?CMCD=sid%3D1").contains(" 404 "));
                        return get(port, VIDEO, path).contains("X-Cache: HIT");
                    });
        }
    }

    /** One node stands for all. */
    @Test
    void varnishOfACluster_asDocumented_servesPlaybackFromItsCache() throws Exception {
        int port = ProxyProgram.freePort();
        try (ProxyProgram _ = ProxyProgram.varnish(folder, cache("cluster/varnish.vcl"), port)) {
            servesPlaybackFromItsCache(port);
        }
    }

    private static String cache(String file) throws IOException {
        return DeployFiles.text(file)
                .replaceAll("\"node-[123]\"", "\"127.0.0.1\"")
                .replace("8081", Integer.toString(server.playback("").getPort()))
                .replace(".interval = 2s;", ".interval = 200ms;");
    }

    private void servesPlaybackFromItsCache(int port) throws Exception {
        TestServer.await(
                "the cache has seen the server",
                SOON,
                () -> get(port, VIDEO, "/" + playbackId + ".m3u8").contains(" 200 "));
        servesPlayback(port);
        keepsSegments(port);
    }

    /** The second one does not reach the server. */
    private static void keepsSegments(int port) {
        String media = mediaPlaylist(get(port, VIDEO, "/" + playbackId + ".m3u8"));
        String init = find(get(port, VIDEO, media), "#EXT-X-MAP:URI=\"([^\"]+)\"");
        String file = media.substring(0, media.lastIndexOf('/') + 1) + init;
        String first = get(port, VIDEO, file);
        String second = get(port, VIDEO, file + "?CMCD=br%3D1");

        assertTrue(first.contains("X-Cache: "), first);
        assertTrue(second.contains("X-Cache: HIT"), second);
        assertTrue(second.contains("immutable"), second);
    }

    /** The server checks each request, and each blocking reload reaches it. */
    private static void passesSignedPlayback(int port) {
        String missing = get(port, VIDEO, "/" + playbackId + "/~grant/s1.m4s");
        assertTrue(missing.contains("X-Cache: BYPASS"), missing);
        String playlist = get(port, VIDEO, "/" + playbackId + ".m3u8?token=none");
        assertTrue(playlist.contains("X-Cache: BYPASS"), playlist);
        String movie = get(port, VIDEO, "/" + playbackId + "/capped-1080p.mp4");
        assertTrue(movie.contains(" 404 "), movie);
    }

    /** Many viewers wait for the same segment; one request waits at the server. */
    private static void mergesWaitingReloads(int port) throws Exception {
        String media = mediaPlaylist(get(port, VIDEO, "/" + playbackId + ".m3u8"));
        String playlist = get(port, VIDEO, media);
        // Not the next one, which may be there before the last viewer asks.
        long msn =
                number(playlist, "#EXT-X-MEDIA-SEQUENCE:(\\d+)") + count(playlist, "#EXTINF:") + 1;
        long before = playlistsAsked();
        try (ExecutorService viewers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> answers = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                answers.add(viewers.submit(() -> get(port, VIDEO, media + "?_HLS_msn=" + msn)));
            }
            for (Future<String> answer : answers) {
                assertTrue(answer.get().contains(" 200 "), answer.get());
            }
        }
        long asked = playlistsAsked() - before;
        assertTrue(asked <= 3, asked + " requests reached the server");
    }

    private static long playlistsAsked() {
        MetricsPage metrics = server.metrics();
        return Math.round(
                metrics.value("touchline_playback_requests_total{kind=\"media_playlist\"}"));
    }

    private static String mediaPlaylist(String multivariant) {
        return "/"
                + multivariant
                        .lines()
                        .filter(line -> line.endsWith(".m3u8"))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError(multivariant));
    }

    private void servesApi(int port) throws IOException {
        assertTrue(get(port, API, "/observe/health/ready").contains(" 200 "));
        createsStreams(port);
        try (Socket socket = connect(port)) {
            send(socket, "GET", "/system/v1/events/stream?seconds=60", API, "", "");
            BufferedReader reader =
                    new BufferedReader(
                            new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            // Long before the reply ends: no proxy collects it.
            assertTrue(reader.lines().anyMatch(": connected"::equals));
        }
    }

    private static void createsStreams(int port) throws IOException {
        String own = exchange(port, "POST", "/live/v1/live-streams", API, "https://" + API, "{}");
        String foreign =
                exchange(port, "POST", "/live/v1/live-streams", API, "https://evil.test", "{}");

        assertTrue(own.contains(" 200 ") && own.contains("\"code\":0"), own);
        assertTrue(foreign.contains(" 403 "), foreign);
        assertTrue(foreign.contains("Origin: https://evil.test"), foreign);
        assertTrue(foreign.contains("public.api-url"), foreign);
    }

    /** Playlists, media, and a request that waits for the next segment. */
    private static void servesPlayback(int port) throws IOException {
        String multivariant = get(port, VIDEO, "/" + playbackId + ".m3u8");
        assertTrue(multivariant.contains("#EXT-X-STREAM-INF"), multivariant);
        String media = mediaPlaylist(multivariant);
        String playlist = get(port, VIDEO, media);
        long next = number(playlist, "#EXT-X-MEDIA-SEQUENCE:(\\d+)") + count(playlist, "#EXTINF:");
        String waited = get(port, VIDEO, media + "?_HLS_msn=" + next);

        assertTrue(waited.contains(" 200 "), waited);
        assertTrue(
                number(waited, "#EXT-X-MEDIA-SEQUENCE:(\\d+)") + count(waited, "#EXTINF:") > next,
                waited);
        String init = find(playlist, "#EXT-X-MAP:URI=\"([^\"]+)\"");
        String file = media.substring(0, media.lastIndexOf('/') + 1) + init;
        assertTrue(get(port, VIDEO, file).contains("ftyp"), file);
        assertTrue(get(port, VIDEO, "/nothing.m3u8").contains("40401"));
    }

    /** HAProxy has checked the server of a backend, and found it up. */
    private void isUp(String backend) throws InterruptedException {
        Path socket = ProxyProgram.statistics(folder);
        TestServer.await(
                backend + " is up",
                SOON,
                () ->
                        ProxyProgram.ask(socket)
                                .lines()
                                .anyMatch(
                                        line ->
                                                line.startsWith(backend + ",one,")
                                                        && line.contains(",UP,")
                                                        && line.contains(",L7OK,")));
    }

    private static String get(int port, String host, String path) {
        try {
            return exchange(port, "GET", path, host, "", "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The whole reply. In HTTP/1.0, so that no proxy splits its body into chunks. */
    private static String exchange(
            int port, String method, String path, String host, String origin, String body)
            throws IOException {
        try (Socket socket = connect(port)) {
            send(socket, method, path, host, origin, body);
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    private static void send(
            Socket socket, String method, String path, String host, String origin, String body)
            throws IOException {
        String head =
                "%s %s HTTP/1.0\r\nHost: %s\r\nAuthorization: Bearer %s\r\n"
                        .formatted(method, path, host, server.token());
        if (!origin.isEmpty()) {
            head += "Origin: " + origin + "\r\n";
        }
        if (!body.isEmpty()) {
            head += "Content-Type: application/json\r\nContent-Length: " + body.length() + "\r\n";
        }
        socket.getOutputStream().write((head + "\r\n" + body).getBytes(StandardCharsets.UTF_8));
        socket.getOutputStream().flush();
    }

    private static Socket connect(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(READ_TIMEOUT_MS);
        return socket;
    }

    private static long number(String text, String pattern) {
        return Long.parseLong(find(text, pattern));
    }

    private static String find(String text, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        assertTrue(matcher.find(), text);
        return matcher.group(1);
    }

    private static long count(String text, String start) {
        return text.lines().filter(line -> line.startsWith(start)).count();
    }

    private static String ported(String configuration) {
        return configuration
                .replace("127.0.0.1:8080", "127.0.0.1:" + server.api("").getPort())
                .replace("127.0.0.1:8081", "127.0.0.1:" + server.playback("").getPort())
                .replace("check port 8080", "check port " + server.api("").getPort());
    }
}
