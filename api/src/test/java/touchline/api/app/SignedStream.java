package touchline.api.app;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import touchline.api.access.TokenForge;

/** A server with a live stream under a public and two signed playback ids, and a signing key. */
final class SignedStream implements AutoCloseable {
    static final String KEYS = "/live/v1/signing-keys";

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    final TestServer server;
    final JsonNode stream;
    final String open;
    final String signed;
    final String otherSigned;
    final TokenForge forge;

    private final Encoder encoder;

    private SignedStream(Path folder) throws Exception {
        server = TestServer.start(folder);
        stream =
                server.createStream(
                        """
                        {"policy": ["public", "signed", "signed"], "latency_mode": "low"}
                        """);
        open = stream.at("/playback_ids/0/id").asText();
        signed = stream.at("/playback_ids/1/id").asText();
        otherSigned = stream.at("/playback_ids/2/id").asText();
        forge = newKey();
        encoder = Encoder.live(server.push(stream.path("stream_key").asText()));
    }

    /** Returns when its first segment can be fetched. */
    static SignedStream start(Path folder) throws Exception {
        SignedStream started = new SignedStream(folder);
        try {
            URI multivariant = started.server.playback(started.open + ".m3u8");
            TestServer.await(
                    "first segment",
                    PATIENCE,
                    () ->
                            started.server.get(multivariant).statusCode() == 200
                                    && !started.segments(multivariant).isEmpty());
        } catch (AssertionError e) {
            String output = started.encoder.output();
            started.close();
            throw new AssertionError(e.getMessage() + "; encoder: " + output, e);
        }
        return started;
    }

    JsonNode newKeyReply() throws Exception {
        return server.call("POST", KEYS, "", 200).path("data");
    }

    TokenForge newKey() throws Exception {
        JsonNode key = newKeyReply();
        return TokenForge.of(key.path("id").asText(), key.path("private_key").asText());
    }

    static long now() {
        return System.currentTimeMillis() / 1000;
    }

    /** Good for ten minutes. */
    String token(String playbackId) {
        return forge.good(playbackId, now() + 600);
    }

    URI withToken(String playbackId, String token) {
        return server.playback(playbackId + ".m3u8?token=" + token);
    }

    /** The grant in the child addresses of a multivariant playlist. */
    String grant(String playbackId, String token) {
        String path = server.mediaPlaylist(withToken(playbackId, token)).getPath();
        return path.substring(path.indexOf('~') + 1).replaceFirst("/.*", "");
    }

    List<URI> segments(URI multivariant) {
        URI media = server.mediaPlaylist(multivariant);
        return server.get(media)
                .body()
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(media::resolve)
                .toList();
    }

    /** Below the public id. */
    URI newestSegment() {
        return segments(server.playback(open + ".m3u8")).getLast();
    }

    /** The status of a request with exactly this target. */
    int status(String target) throws IOException {
        return status("GET", target);
    }

    int status(String method, String target) throws IOException {
        URI address = server.playback("");
        try (Socket socket =
                new Socket(InetAddress.getByName(address.getHost()), address.getPort())) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            String head = " HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write((method + " " + target + head).getBytes(ISO_8859_1));
            String answer = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
            return Integer.parseInt(answer.substring(9, 12));
        }
    }

    int status(URI address) {
        return server.get(address).statusCode();
    }

    @Override
    public void close() throws IOException {
        encoder.close();
        server.close();
    }
}
