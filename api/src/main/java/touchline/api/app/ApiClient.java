package touchline.api.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;

/** Calls the running server's API for an operator's commands. One thread. */
final class ApiClient implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** The server may prepare a long answer before it begins. */
    private static final Duration UNTIL_BODY = Duration.ofHours(1);

    private static final int MAX_REFUSAL = 64 << 10;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final URI base;
    private final String authorization;
    private final HttpClient http;

    /**
     * @param base address of the control API
     * @param secret of the token {@code admin}
     */
    ApiClient(URI base, String secret) {
        this(base, secret, Optional.empty());
    }

    /**
     * @param trust for TLS; empty: as the JDK does
     */
    ApiClient(URI base, String secret, Optional<SSLContext> trust) {
        this.base = base;
        this.authorization = "Bearer admin." + secret;
        HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(PATIENCE);
        trust.ifPresent(builder::sslContext);
        this.http = builder.build();
    }

    JsonNode get(String path) {
        return call("GET", path, MissingNode.getInstance());
    }

    JsonNode post(String path, JsonNode body) {
        return call("POST", path, body);
    }

    JsonNode put(String path, JsonNode body) {
        return call("PUT", path, body);
    }

    JsonNode delete(String path) {
        return call("DELETE", path, MissingNode.getInstance());
    }

    /**
     * A long answer that is no envelope. The caller closes it; it may last.
     *
     * @throws CommandException if the server refuses
     */
    InputStream download(String path) {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(base + path))
                        .timeout(UNTIL_BODY)
                        .header("Authorization", authorization)
                        .POST(BodyPublishers.noBody())
                        .build();
        HttpResponse<InputStream> response = send(request, BodyHandlers.ofInputStream());
        if (response.statusCode() / 100 == 2) {
            return response.body();
        }
        try (InputStream refused = response.body()) {
            String text = new String(refused.readNBytes(MAX_REFUSAL), StandardCharsets.UTF_8);
            throw new CommandException(
                    refusal(response.statusCode(), parsed(response.statusCode(), text)));
        } catch (IOException e) {
            throw new CommandException("%s: %s".formatted(base, e), e);
        }
    }

    /** Whether a Touchline server answers there; needs no token unless it is configured to. */
    boolean isServer() {
        try {
            JsonNode health = get("/observe/health/live");
            return health.path("data").path("status").asText().equals("up");
        } catch (CommandException _) {
            return false;
        }
    }

    @Override
    public void close() {
        http.close();
    }

    /** Returns the whole envelope. Every failure is a CommandException with a readable message. */
    private JsonNode call(String method, String path, JsonNode body) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(base + path))
                        .timeout(PATIENCE)
                        .header("Authorization", authorization)
                        .method(method, BodyPublishers.noBody());
        if (!body.isMissingNode()) {
            request.header("Content-Type", "application/json")
                    .method(method, BodyPublishers.ofString(body.toString()));
        }
        HttpResponse<String> response = send(request.build(), BodyHandlers.ofString());
        JsonNode envelope = parsed(response.statusCode(), response.body());
        if (response.statusCode() / 100 != 2) {
            throw new CommandException(refusal(response.statusCode(), envelope));
        }
        return envelope;
    }

    private <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler) {
        try {
            return http.send(request, handler);
        } catch (ConnectException e) {
            throw new CommandException(
                    "no server answers at %s: start it, or name its address with --url"
                            .formatted(base),
                    e);
        } catch (SSLHandshakeException e) {
            throw new CommandException(
                    "%s shows a certificate that is not trusted: name the server's configuration with --config (its certificate is trusted)"
                            .formatted(base),
                    e);
        } catch (IOException e) {
            throw new CommandException("%s: %s".formatted(base, e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandException("interrupted", e);
        }
    }

    private JsonNode parsed(int status, String body) {
        if (body.isEmpty()) {
            return MissingNode.getInstance();
        }
        try {
            return JSON.readTree(body);
        } catch (JsonProcessingException e) {
            throw new CommandException(
                    "%s answered %d without JSON: is it a Touchline server?"
                            .formatted(base, status),
                    e);
        }
    }

    private static String refusal(int status, JsonNode envelope) {
        StringBuilder text =
                new StringBuilder("refused: ")
                        .append(envelope.path("message").asText("HTTP " + status))
                        .append(" (")
                        .append(envelope.path("code").asInt(status))
                        .append(')');
        for (JsonNode error : envelope.path("errors")) {
            text.append(System.lineSeparator())
                    .append("  ")
                    .append(error.path("field").asText())
                    .append(": ")
                    .append(error.path("reason").asText());
        }
        return text.toString();
    }
}
