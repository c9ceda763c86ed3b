package touchline.api.http;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import touchline.api.access.AccessTokens;
import touchline.api.access.Credential;
import touchline.api.access.ScoreLinks;
import touchline.api.domain.Scope;
import touchline.api.domain.ScoreLink;

/**
 * Access control of the API: rejects foreign web sites, then checks the credential, then its scope.
 * Bearer and Basic carry the same credential. Any thread.
 */
final class AccessFilter {
    private static final int MAX_FAILURES_PER_SECOND = 10;
    private static final String FETCH_SITE = "Sec-Fetch-Site";
    private static final List<String> EVERY_ADDRESS = List.of("0.0.0.0/0", "::/0");

    /** Limits what a message repeats of a header. */
    private static final int MAX_SHOWN = 200;

    private final AccessTokens tokens;
    private final ScoreLinks links;
    private final ClientAddress clientAddress;
    private final HostNames hostNames;
    private final String ownOrigin;
    private final FailureLimiter failures;
    private final boolean ofNodes;

    /**
     * @param hostNames of this server
     * @param apiUrl the public address of the API; its pages are not foreign
     * @param nanoTime clock of the failure limit
     */
    AccessFilter(
            AccessTokens tokens,
            ScoreLinks links,
            ClientAddress clientAddress,
            HostNames hostNames,
            URI apiUrl,
            LongSupplier nanoTime) {
        this.tokens = tokens;
        this.links = links;
        this.clientAddress = clientAddress;
        this.hostNames = hostNames;
        this.ownOrigin =
                withoutDefaultPort(SecurityHeaders.origin(apiUrl).toLowerCase(Locale.ROOT));
        this.failures = new FailureLimiter(MAX_FAILURES_PER_SECOND, nanoTime);
        this.ofNodes = false;
    }

    private AccessFilter(AccessFilter ofClients) {
        this.tokens = ofClients.tokens;
        this.links = ofClients.links;
        this.clientAddress = new ClientAddress(EVERY_ADDRESS);
        this.hostNames = ofClients.hostNames;
        this.ownOrigin = ofClients.ownOrigin;
        this.failures = ofClients.failures;
        this.ofNodes = true;
    }

    /** For requests that another node of the cluster passes on, which has checked host and site. */
    AccessFilter forNodes() {
        return new AccessFilter(this);
    }

    /** The address of the client. */
    InetAddress address(ServerRequest request) {
        return clientAddress.of(request);
    }

    /**
     * Rejects requests for a host name that is not this server's: a page of another web site may
     * have its own name resolve to this server (DNS rebinding).
     *
     * @throws ApiException 40301
     */
    void refuseForeignHosts(ServerRequest request) {
        if (ofNodes) {
            return;
        }
        clientAddress.warnOfUntrusted(request);
        String authority = request.authority();
        if (!hostNames.knows(authority)) {
            throw ApiException.of(
                    ErrorCode.FORBIDDEN,
                    "Host: "
                            + cut(authority)
                            + " is no name of this server (expected: an IP address, localhost, the"
                            + " host of public.api-url, or one of api.host-names); set one of them,"
                            + " or let the proxy pass another Host");
        }
    }

    /**
     * Rejects requests that a browser sends for another site.
     *
     * @throws ApiException 40301
     */
    void refuseForeignSites(ServerRequest request) {
        if (ofNodes) {
            return;
        }
        Optional<String> site = request.headers().first(HeaderNames.create(FETCH_SITE));
        if (site.isPresent() && site.get().equalsIgnoreCase("cross-site")) {
            throw foreign(FETCH_SITE + ": cross-site: a page of another web site sends this call");
        }
        Optional<String> origin = request.headers().first(HeaderNames.ORIGIN);
        if (origin.isPresent() && !own(origin.get(), request)) {
            throw foreign(
                    "Origin: "
                            + cut(origin.get())
                            + " (expected: "
                            + ownOrigin
                            + ", the public.api-url, or the Host of this request, "
                            + cut(request.authority())
                            + "); behind a proxy, set public.api-url or let the proxy pass Host");
        }
    }

    /**
     * The caller of a route that asks for a scope.
     *
     * @throws ApiException 40101, 40102, 40301 or 42901
     */
    Caller caller(ServerRequest request, ApiRoute route) {
        List<String> values = request.headers().values(HeaderNames.AUTHORIZATION);
        if (values.isEmpty()) {
            throw ApiException.unauthorized(
                    ErrorCode.NO_CREDENTIAL, "no credential (expected: Authorization: Bearer)");
        }
        if (values.size() > 1) {
            throw failed(clientAddress.of(request));
        }
        Caller caller =
                Credential.parse(values.getFirst())
                        .filter(c -> ApiRequest.ID.matcher(c.id()).matches())
                        .flatMap(this::authenticated)
                        .orElseThrow(() -> failed(clientAddress.of(request)));
        caller.link().ifPresent(link -> refuseBeyond(link, request, route));
        if (route.scopes().stream().noneMatch(caller.token()::allows)) {
            throw ApiException.of(
                    ErrorCode.FORBIDDEN,
                    "the token lacks the scope "
                            + route.scopes().stream()
                                    .map(Scope::wireName)
                                    .collect(Collectors.joining(" or ")));
        }
        return caller;
    }

    private Optional<Caller> authenticated(Credential credential) {
        return ScoreLinks.isLink(credential)
                ? links.authenticate(credential).map(Caller::of)
                : tokens.authenticate(credential).map(Caller::of);
    }

    /** A score link reaches the scoreboard of its stream, whatever else its scope may open. */
    private static void refuseBeyond(ScoreLink link, ServerRequest request, ApiRoute route) {
        boolean isOwn =
                ScoreboardRoutes.isScoreboard(route)
                        && request.path()
                                .pathParameters()
                                .first("id")
                                .filter(link.stream().value()::equals)
                                .isPresent();
        if (!isOwn) {
            throw ApiException.of(
                    ErrorCode.FORBIDDEN, "a score link reaches only the scoreboard of its stream");
        }
    }

    /** 40102, or 42901 if this client has failed too often. */
    ApiException failed(ApiRequest request) {
        return failed(request.client(clientAddress));
    }

    private ApiException failed(InetAddress address) {
        if (failures.allows(address)) {
            return ApiException.unauthorized(
                    ErrorCode.BAD_CREDENTIAL, "the credential is unknown, expired or malformed");
        }
        return ApiException.retryLater(
                ErrorCode.RATE_LIMITED,
                "too many failed authentications from this address",
                Duration.ofSeconds(1));
    }

    /** The console's pages: the public address, or the host name of this request. */
    private boolean own(String origin, ServerRequest request) {
        String asked = origin.toLowerCase(Locale.ROOT);
        String host = request.authority().toLowerCase(Locale.ROOT);
        return asked.equals(ownOrigin)
                || asked.equals(withoutDefaultPort("http://" + host))
                || asked.equals(withoutDefaultPort("https://" + host));
    }

    /** As browsers write it (RFC 6454, 6.2). */
    private static String withoutDefaultPort(String origin) {
        if (origin.startsWith("https://") && origin.endsWith(":443")) {
            return origin.substring(0, origin.length() - ":443".length());
        }
        if (origin.startsWith("http://") && origin.endsWith(":80")) {
            return origin.substring(0, origin.length() - ":80".length());
        }
        return origin;
    }

    private static String cut(String header) {
        return header.length() > MAX_SHOWN ? header.substring(0, MAX_SHOWN) + "…" : header;
    }

    private static ApiException foreign(String reason) {
        return ApiException.of(
                ErrorCode.FORBIDDEN, "requests of other web sites are refused: " + reason);
    }
}
