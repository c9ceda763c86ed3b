package touchline.api.http;

import io.helidon.http.Method;
import java.util.Optional;
import touchline.api.domain.Scope;

/**
 * One operation of the interface as data: the routing is mounted from these, and the OpenAPI
 * document is compared with them. Immutable.
 *
 * @param path with {@code {name}} for a parameter, as in the OpenAPI document
 * @param scope what the caller's token must hold; empty: open to everybody
 * @param creating whether {@code Idempotency-Key} is honoured
 */
record ApiRoute(
        Method method, String path, Optional<Scope> scope, boolean creating, ApiHandler handler) {

    static ApiRoute of(Method method, String path, Scope scope, ApiHandler handler) {
        return new ApiRoute(method, path, Optional.of(scope), false, handler);
    }

    static ApiRoute open(Method method, String path, ApiHandler handler) {
        return new ApiRoute(method, path, Optional.empty(), false, handler);
    }

    /** A POST that creates something: repeating it with the same key creates nothing more. */
    static ApiRoute creating(String path, Scope scope, ApiHandler handler) {
        return new ApiRoute(Method.POST, path, Optional.of(scope), true, handler);
    }
}
