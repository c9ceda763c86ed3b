package touchline.api.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import touchline.api.access.Digests;
import touchline.api.db.ClaimLostException;
import touchline.api.db.Database;
import touchline.api.db.IdempotencyRepository;
import touchline.api.db.IdempotencyRepository.Claim;

/**
 * {@code Idempotency-Key}: a creating call that is repeated within 24 h creates nothing more. Its
 * answer is the first reply without secrets. One transaction stores the creation and the reply.
 * Failures are not stored: the client may use the key again. Any thread.
 */
final class Idempotency {
    private static final String HEADER = "Idempotency-Key";
    private static final Pattern KEY = Pattern.compile("[\\x21-\\x7e]{1,255}");

    /** Fields with a secret, anywhere in a reply. */
    private static final String SECRET = "secret";

    private static final String URL = "url";
    private static final Set<String> SECRET_FIELDS =
            Set.of("stream_key", SECRET, "token", "private_key");

    private final Database database;
    private final IdempotencyRepository repository;
    private final InstantSource clock;

    Idempotency(Database database, IdempotencyRepository repository, InstantSource clock) {
        this.database = database;
        this.repository = repository;
        this.clock = clock;
    }

    /**
     * Runs a creating call once per key.
     *
     * @throws ApiException 40002 for a malformed key, 40901 while the first call runs, 40902 for a
     *     key that was used with another body
     */
    ApiReply once(ApiRequest request, ApiHandler.Creating handler) {
        Optional<String> key = request.header(HEADER);
        if (key.isEmpty()) {
            return request.noted(handler.prepare(request).store());
        }
        if (!KEY.matcher(key.get()).matches()) {
            throw ApiException.badInput(
                    ErrorCode.INVALID_PARAMETER,
                    HEADER,
                    "malformed (expected: 1 to 255 visible ASCII characters)");
        }
        Claim claim =
                repository.claim(
                        requestHash(request, key.get()),
                        Digests.sha256(request.bytes()),
                        clock.instant());
        return switch (claim) {
            case Claim.Mine mine -> first(mine, request, handler);
            case Claim.Done done -> replayed(done);
            case Claim.Running() -> throw running();
            case Claim.OtherBody() ->
                    throw ApiException.of(
                            ErrorCode.IDEMPOTENCY_KEY_REUSED,
                            HEADER + ": used with another body before");
        };
    }

    private ApiReply first(Claim.Mine mine, ApiRequest request, ApiHandler.Creating handler) {
        boolean completed = false;
        try {
            // Outside of the transaction: a name lookup must not hold a connection.
            ApiHandler.Creation creation = handler.prepare(request);
            ApiReply reply =
                    database.transaction(
                            () -> {
                                ApiReply made = request.noted(creation.store());
                                repository.complete(mine, made.status(), stored(made));
                                return made;
                            });
            completed = true;
            return reply;
        } catch (ClaimLostException _) {
            throw running();
        } finally {
            if (!completed) {
                repository.release(mine);
            }
        }
    }

    private static ApiException running() {
        return ApiException.retryLater(
                ErrorCode.WRONG_STATE,
                HEADER + ": the first call with this key still runs",
                Duration.ofSeconds(1));
    }

    private static String stored(ApiReply reply) {
        if (!(reply instanceof ApiReply.Data data)) {
            throw new IllegalStateException("a creating call answers data");
        }
        ObjectNode json = Json.object().put("message", data.message());
        json.set("data", withoutSecrets(data.data()));
        ArrayNode warnings = json.putArray("warnings");
        data.warnings().forEach(warnings::add);
        return new String(Json.bytes(json), StandardCharsets.UTF_8);
    }

    private static ApiReply replayed(Claim.Done done) {
        JsonNode json = Json.parse(done.reply().getBytes(StandardCharsets.UTF_8));
        List<String> warnings = new ArrayList<>();
        json.path("warnings").forEach(warning -> warnings.add(warning.asText()));
        JsonNode data = json.has("data") ? json.get("data") : NullNode.instance;
        return new ApiReply.Data(done.status(), json.path("message").asText(), data, warnings);
    }

    private static JsonNode withoutSecrets(JsonNode data) {
        JsonNode copy = data.deepCopy();
        remove(copy);
        return copy;
    }

    private static void remove(JsonNode node) {
        if (node instanceof ObjectNode object) {
            boolean secret = object.has(SECRET);
            object.remove(SECRET_FIELDS);
            if (object.path(URL).isTextual()) {
                // The fragment of a score link's address is its secret.
                object.put(URL, object.get(URL).textValue().replaceFirst("#.*", ""));
            }
            if (secret && object.path(URL).isTextual()) {
                // The query of a webhook's address is a secret too.
                object.put(URL, object.get(URL).textValue().replaceFirst("\\?.*", ""));
            }
        }
        node.forEach(Idempotency::remove);
    }

    private static String requestHash(ApiRequest request, String key) {
        String text =
                String.join("\n", request.caller().id(), request.method(), request.rawPath(), key);
        return Digests.sha256(text);
    }
}
