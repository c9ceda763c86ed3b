package touchline.api.http;

import io.helidon.http.HttpException;
import io.helidon.http.Method;
import io.helidon.http.RequestException;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import touchline.api.db.DatabaseException;
import touchline.api.http.ApiRoute.Operation;
import touchline.api.trace.Span;
import touchline.media.concurrent.LogContext;

/**
 * Mounts the routes and processes every request in the same way: request id, security headers,
 * foreign sites, credential, handler. It converts all failures into status and envelope. Any
 * thread.
 */
final class ApiRouting {
    static final String REQUEST_ID = "X-Request-Id";

    private static final Logger log = LoggerFactory.getLogger(ApiRouting.class);

    /** The route label of requests without a route. */
    private static final String NO_ROUTE = "none";

    private static final Duration RETRY_DATABASE = Duration.ofSeconds(5);

    /**
     * Dependencies of every request.
     *
     * @param owners of streams, in a cluster
     */
    record Dependencies(
            AccessFilter access,
            SecurityHeaders securityHeaders,
            Idempotency idempotency,
            ConsolePages console,
            HttpMetrics metrics,
            RequestTraces traces,
            RequestGuard guard,
            Optional<OwnerRouting> owners) {
        private Dependencies forNodes() {
            return new Dependencies(
                    access.forNodes(),
                    securityHeaders,
                    idempotency,
                    console,
                    metrics,
                    traces,
                    guard,
                    Optional.empty());
        }
    }

    private final List<ApiRoute> routes;
    private final Dependencies dependencies;

    ApiRouting(List<ApiRoute> routes, Dependencies dependencies) {
        this.routes = List.copyOf(routes);
        this.dependencies = dependencies;
    }

    /** Every operation that is mounted. */
    List<ApiRoute> routes() {
        return routes;
    }

    /** The connections whose requests this routing serves. */
    ApiConnections connections() {
        return dependencies.guard().connections();
    }

    /** The same routes for requests that other nodes of the cluster pass on. */
    ApiRouting forNodes() {
        return new ApiRouting(routes, dependencies.forNodes());
    }

    /** The routing of a listener. */
    HttpRouting.Builder build() {
        HttpRouting.Builder routing = HttpRouting.builder();
        mount(routing);
        return routing;
    }

    /** Adds all routes, and an answer to any other path. */
    void mount(HttpRouting.Builder routing) {
        Map<String, List<ApiRoute>> byPath = new LinkedHashMap<>();
        for (ApiRoute route : routes) {
            byPath.computeIfAbsent(route.path(), _ -> new ArrayList<>()).add(route);
        }
        byPath.forEach((path, ofPath) -> routing.any(path, (req, res) -> serve(ofPath, req, res)));
        routing.any(this::serveOther);
    }

    private void serve(List<ApiRoute> ofPath, ServerRequest request, ServerResponse response) {
        exchange(
                ofPath.getFirst().path(),
                request,
                response,
                replies -> {
                    dependencies.securityHeaders().api(response.headers());
                    replies.send(answer(ofPath, request, replies.connection()));
                });
    }

    /** Holds a place only while the server works: not while the body arrives. */
    private ApiReply answer(
            List<ApiRoute> ofPath, ServerRequest request, ApiConnection connection) {
        RequestGuard guard = dependencies.guard();
        dependencies.access().refuseForeignSites(request);
        ApiRoute route = route(ofPath, request.prologue().method());
        Optional<Caller> caller =
                route.scopes().isEmpty()
                        ? Optional.empty()
                        : Optional.of(
                                guard.run(
                                        route.path(),
                                        () -> dependencies.access().caller(request, route)));
        ApiRequest call =
                new ApiRequest(request, caller, route.maxBodyBytes().orElse(guard.maxBodyBytes()));
        call.receive(connection);
        return guard.run(route.path(), () -> answered(route, call, request));
    }

    /** Only in a cluster another node may answer, and only a known caller. */
    private ApiReply answered(ApiRoute route, ApiRequest call, ServerRequest request) {
        Optional<OwnerRouting> owners = dependencies.owners();
        if (owners.isPresent() && !route.scopes().isEmpty()) {
            OwnerRouting.Origin origin =
                    new OwnerRouting.Origin(
                            NodeServer.target(request.prologue()),
                            dependencies.access().address(request).getHostAddress());
            Optional<ApiReply> answer = owners.get().answer(route, call, origin);
            if (answer.isPresent()) {
                return answer.get();
            }
        }
        return answer(route, call);
    }

    private ApiReply answer(ApiRoute route, ApiRequest call) {
        ApiReply reply =
                switch (route.operation()) {
                    case Operation.Plain(ApiHandler handler) -> call.noted(handler.handle(call));
                    case Operation.Creating(ApiHandler.Creating handler) ->
                            dependencies.idempotency().once(call, handler);
                };
        call.committed();
        return reply;
    }

    /** The console's files; any other path is 404. */
    private void serveOther(ServerRequest request, ServerResponse response) {
        exchange(
                NO_ROUTE,
                request,
                response,
                replies -> {
                    dependencies.securityHeaders().api(response.headers());
                    String path = request.path().rawPath();
                    ConsolePages.Page page =
                            dependencies
                                    .console()
                                    .find(path)
                                    .orElseThrow(() -> ApiException.notFound("path"));
                    dependencies.securityHeaders().page(path, response.headers());
                    replies.send(() -> page.answer(request, response));
                });
    }

    /** Runs one request and converts its exceptions into replies. */
    private void exchange(
            String route, ServerRequest request, ServerResponse response, Exchange exchange) {
        UUID requestId = UUID.randomUUID();
        ApiConnection connection = connections().of(request);
        Replies replies = new Replies(connection, requestId, request, response);
        String method = request.prologue().method().text();
        long startNs = System.nanoTime();
        MDC.put(LogContext.REQUEST_ID, requestId.toString());
        connection.requestStarted();
        try (Span span = dependencies.traces().begin(known(method), route, request, requestId)) {
            response.header(REQUEST_ID, requestId.toString());
            try {
                dependencies.access().refuseForeignHosts(request);
                exchange.run(replies);
            } catch (ApiException e) {
                replies.send(e);
            } catch (CloseConnectionException | RequestException e) {
                // The connection itself has failed: the web server ends it.
                span.failed("connection");
                throw e;
            } catch (HttpException e) {
                replies.send(ofFramework(e));
            } catch (RuntimeException e) {
                replies.send(failure(known(method) + " " + route, e));
            }
            long elapsedNs = System.nanoTime() - startNs;
            int status = response.status().code();
            dependencies.metrics().record(method, route, status, elapsedNs);
            RequestTraces.answered(span, status);
            log.debug("{} {} {} {} us", known(method), route, status, elapsedNs / 1_000);
        } finally {
            connection.requestEnded();
            MDC.remove(LogContext.REQUEST_ID);
        }
        replies.closeBehindUnreadBody();
    }

    /** The answer to a failure of the server. */
    static ApiException failure(String call, RuntimeException cause) {
        if (cause instanceof DatabaseException database && database.isDiskFull()) {
            log.warn("{} failed: the disk with the database is full", call);
            return ApiException.of(ErrorCode.DISK_FULL, "the disk with the database is full");
        }
        if (cause instanceof DatabaseException database && database.isUnavailable()) {
            log.warn("{} failed: {}", call, database.getMessage());
            return ApiException.retryLater(
                    ErrorCode.OVERLOADED,
                    "the database does not answer in time; try again later",
                    RETRY_DATABASE);
        }
        log.error("{} failed", call, cause);
        return ApiException.of(ErrorCode.INTERNAL, "internal error");
    }

    /** HEAD uses the route of GET, without the body. */
    private static ApiRoute route(List<ApiRoute> ofPath, Method method) {
        Method asked = method.equals(Method.HEAD) ? Method.GET : method;
        for (ApiRoute route : ofPath) {
            if (route.method().equals(asked)) {
                return route;
            }
        }
        TreeSet<String> allowed = new TreeSet<>();
        for (ApiRoute route : ofPath) {
            allowed.add(route.method().text());
            if (route.method().equals(Method.GET)) {
                allowed.add("HEAD");
            }
        }
        throw ApiException.methodNotAllowed(known(method.text()), String.join(", ", allowed));
    }

    private static ApiException ofFramework(HttpException e) {
        return e.status().code() >= 500
                ? ApiException.of(ErrorCode.INTERNAL, "internal error")
                : ApiException.of(ErrorCode.INVALID_PARAMETER, e.status().reasonPhrase());
    }

    /** Methods come from the client, so only well-known ones become labels. */
    private static String known(String method) {
        return method.length() <= 16 && method.chars().allMatch(c -> c >= 'A' && c <= 'Z')
                ? method
                : "other";
    }

    @FunctionalInterface
    private interface Exchange {
        void run(Replies replies);
    }
}
