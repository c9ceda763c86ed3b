package touchline.api.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Method;
import java.time.Instant;
import java.util.List;
import touchline.api.access.SigningKeys;
import touchline.api.domain.Scope;
import touchline.api.domain.SigningKey;

/**
 * {@code /live/v1/signing-keys}: create, list and delete keys that sign playback tokens. Any
 * thread.
 */
final class SigningKeyRoutes {
    private static final String KEYS = "/live/v1/signing-keys";
    private static final String KEY = KEYS + "/{id}";
    private static final String WHAT = "signing key";

    private final SigningKeys keys;

    SigningKeyRoutes(SigningKeys keys) {
        this.keys = keys;
    }

    List<ApiRoute> routes() {
        return List.of(
                ApiRoute.prepared(KEYS, Scope.LIVE_WRITE, this::create),
                ApiRoute.of(Method.GET, KEYS, Scope.LIVE_READ, this::list),
                ApiRoute.of(Method.GET, KEY, Scope.LIVE_READ, this::find),
                ApiRoute.of(Method.DELETE, KEY, Scope.LIVE_WRITE, this::delete));
    }

    private ApiHandler.Creation create(ApiRequest request) {
        SigningKeys.Minted minted = keys.generate();
        return () -> store(request, minted);
    }

    private ApiReply store(ApiRequest request, SigningKeys.Minted minted) {
        if (!keys.store(minted)) {
            throw ApiException.wrongState(
                    "there are "
                            + SigningKeys.MAX_KEYS
                            + " signing keys already: delete one first");
        }
        request.afterCommit(() -> keys.refresh(minted.key().id()));
        ObjectNode data = shown(minted.key());
        data.put("private_key", minted.privateKey());
        return ApiReply.ok(data);
    }

    private ApiReply list(ApiRequest request) {
        return ApiReply.page(keys.list(request.page()).map(SigningKeyRoutes::shown));
    }

    private ApiReply find(ApiRequest request) {
        return keys.find(request.id("id", WHAT))
                .map(key -> ApiReply.ok(shown(key)))
                .orElseThrow(() -> ApiException.notFound(WHAT));
    }

    private ApiReply delete(ApiRequest request) {
        if (!keys.delete(request.id("id", WHAT))) {
            throw ApiException.notFound(WHAT);
        }
        return ApiReply.done();
    }

    private static ObjectNode shown(SigningKey key) {
        ObjectNode json = Json.object();
        json.put("id", key.id());
        json.put("created_at", key.createdAt().getEpochSecond());
        json.put("last_used_at", key.lastUsedAt().map(Instant::getEpochSecond).orElse(null));
        return json;
    }
}
