package touchline.api.http;

import io.helidon.http.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import touchline.api.domain.Scope;

/**
 * One operation of the interface as data. The routing uses it, and a test compares it with the
 * OpenAPI document. Immutable.
 *
 * @param path as in the OpenAPI document, with {@code {name}} for a parameter
 * @param scopes the caller's token needs one of them; empty for a public operation
 * @param maxBodyBytes of its body; empty for the limit of all JSON bodies
 */
record ApiRoute(
        Method method,
        String path,
        List<Scope> scopes,
        Operation operation,
        OptionalInt maxBodyBytes) {
    ApiRoute {
        scopes = List.copyOf(scopes);
    }

    ApiRoute(Method method, String path, List<Scope> scopes, Operation operation) {
        this(method, path, scopes, operation, OptionalInt.empty());
    }

    /** The same for tokens with another scope as well. */
    ApiRoute orWith(Scope scope) {
        List<Scope> more = new ArrayList<>(scopes);
        more.add(scope);
        return new ApiRoute(method, path, more, operation, maxBodyBytes);
    }

    /** The work of a route. */
    sealed interface Operation {
        record Plain(ApiHandler handler) implements Operation {}

        /** Supports {@code Idempotency-Key}. */
        record Creating(ApiHandler.Creating handler) implements Operation {}
    }

    static ApiRoute of(Method method, String path, Scope scope, ApiHandler handler) {
        return new ApiRoute(method, path, List.of(scope), new Operation.Plain(handler));
    }

    static ApiRoute open(Method method, String path, ApiHandler handler) {
        return new ApiRoute(method, path, List.of(), new Operation.Plain(handler));
    }

    /** A POST that creates a resource. Repeating it with the same key creates nothing more. */
    static ApiRoute creating(String path, Scope scope, ApiHandler handler) {
        return prepared(path, scope, request -> () -> handler.handle(request));
    }

    /** As {@link #prepared}, with a body that is a file. */
    static ApiRoute uploading(
            String path, Scope scope, int maxBodyBytes, ApiHandler.Creating handler) {
        return new ApiRoute(
                Method.POST,
                path,
                List.of(scope),
                new Operation.Creating(handler),
                OptionalInt.of(maxBodyBytes));
    }

    /** As {@link #creating}, for a request that needs more than the database. */
    static ApiRoute prepared(String path, Scope scope, ApiHandler.Creating handler) {
        return new ApiRoute(Method.POST, path, List.of(scope), new Operation.Creating(handler));
    }
}
