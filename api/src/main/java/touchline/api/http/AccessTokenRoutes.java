package touchline.api.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Method;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import touchline.api.access.AccessTokens;
import touchline.api.domain.AccessToken;
import touchline.api.domain.Scope;

/** {@code /system/v1/access-tokens}: create, list and revoke credentials. Any thread. */
final class AccessTokenRoutes {
    private static final String TOKENS = "/system/v1/access-tokens";
    private static final int MAX_NAME_BYTES = 256;
    private static final double MAX_EPOCH_SECONDS = 253_402_300_799.0;

    private final AccessTokens tokens;
    private final InstantSource clock;

    AccessTokenRoutes(AccessTokens tokens, InstantSource clock) {
        this.tokens = tokens;
        this.clock = clock;
    }

    List<ApiRoute> routes() {
        return List.of(
                ApiRoute.creating(TOKENS, Scope.SYSTEM, this::create),
                ApiRoute.of(Method.GET, TOKENS, Scope.SYSTEM, this::list),
                ApiRoute.of(Method.DELETE, TOKENS + "/{id}", Scope.SYSTEM, this::delete));
    }

    private ApiReply create(ApiRequest request) {
        JsonFields body = request.body();
        body.require("name");
        body.require("scopes");
        Optional<String> name = body.text("name", MAX_NAME_BYTES);
        if (name.isPresent() && name.get().isBlank()) {
            body.problems().invalid("name", "blank");
        }
        Set<Scope> scopes = scopes(body);
        Optional<Instant> expiresAt = expiresAt(body);
        request.problems().throwIfAny();
        for (Scope scope : scopes) {
            if (!request.allows(scope)) {
                throw ApiException.of(
                        ErrorCode.FORBIDDEN,
                        "the token lacks the scope " + scope.wireName() + " and cannot give it");
            }
        }
        AccessTokens.Minted minted = tokens.mint(name.orElseThrow(), scopes, expiresAt);
        ObjectNode data = shown(minted.token());
        data.put("secret", minted.credential().secret());
        data.put("token", minted.credential().bearerText());
        return ApiReply.ok(data);
    }

    private static Set<Scope> scopes(JsonFields body) {
        EnumSet<Scope> scopes = EnumSet.noneOf(Scope.class);
        Optional<ArrayNode> list = body.array("scopes");
        if (list.isPresent() && list.get().isEmpty()) {
            body.problems().invalid("scopes", "empty (expected: at least one)");
        }
        for (int i = 0; i < list.map(JsonNode::size).orElse(0); i++) {
            String field = "scopes[" + i + "]";
            JsonNode node = list.get().get(i);
            if (!node.isTextual()) {
                body.problems()
                        .invalid(field, JsonFields.described(node) + " (expected: a string)");
                continue;
            }
            Scope.of(node.textValue())
                    .ifPresentOrElse(
                            scopes::add,
                            () -> body.unknown(field, Scope.values(), Scope::wireName));
        }
        return scopes;
    }

    /** {@code expires_at}: Unix seconds in the future. */
    private Optional<Instant> expiresAt(JsonFields body) {
        double now = clock.instant().getEpochSecond();
        return body.number("expires_at", now + 1, MAX_EPOCH_SECONDS).stream()
                .mapToObj(seconds -> Instant.ofEpochSecond((long) seconds))
                .findFirst();
    }

    private ApiReply list(ApiRequest request) {
        return ApiReply.page(tokens.list(request.page()).map(AccessTokenRoutes::shown));
    }

    private ApiReply delete(ApiRequest request) {
        if (!tokens.revoke(request.id("id", "access token"))) {
            throw ApiException.notFound("access token");
        }
        return ApiReply.done();
    }

    private static ObjectNode shown(AccessToken token) {
        ObjectNode json = Json.object();
        json.put("id", token.id());
        json.put("name", token.name());
        ArrayNode scopes = json.putArray("scopes");
        token.scopes().forEach(scope -> scopes.add(scope.wireName()));
        json.put("expires_at", token.expiresAt().map(Instant::getEpochSecond).orElse(null));
        json.put("created_at", token.createdAt().getEpochSecond());
        json.put("last_used_at", token.lastUsedAt().map(Instant::getEpochSecond).orElse(null));
        return json;
    }
}
