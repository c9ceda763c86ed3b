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
import touchline.api.access.AccessTokens;
import touchline.api.access.Credential;
import touchline.api.domain.AccessToken;
import touchline.api.domain.Scope;

/**
 * Access control of the API: rejects foreign web sites, then checks the credential, then its scope.
 * Bearer and Basic carry the same credential. Any thread.
 */
final class AccessFilter {
    private static final int MAX_FAILURES_PER_SECOND = 10;
    private static final String FETCH_SITE = "Sec-Fetch-Site";

    /** Limits what a message repeats of a header. */
    private static final int MAX_SHOWN = 200;

    private final AccessTokens tokens;
    private final ClientAddress clientAddress;
    private final HostNames hostNames;
    private final String ownOrigin;
    private final FailureLimiter failures;

    /**
     * @param hostNames of this server
     * @param apiUrl the public address of the API; its pages are not foreign
     * @param nanoTime clock of the failure limit
     */
    AccessFilter(
            AccessTokens tokens,
            ClientAddress clientAddress,
            HostNames hostNames,
            URI apiUrl,
            LongSupplier nanoTime) {
        this.tokens = tokens;
        this.clientAddress = clientAddress;
        this.hostNames = hostNames;
        this.ownOrigin =
                withoutDefaultPort(SecurityHeaders.origin(apiUrl).toLowerCase(Locale.ROOT));
        this.failures = new FailureLimiter(MAX_FAILURES_PER_SECOND, nanoTime);
    }

    /**
     * Rejects requests for a host name that is not this server's: a page of another web site may
     * have its own name resolve to this server (DNS rebinding).
     *
     * @throws ApiException 40301
     */
    void refuseForeignHosts(ServerRequest request) {
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
     * The caller of a route that asks for {@code scope}.
     *
     * @throws ApiException 40101, 40102, 40301 or 42901
     */
    AccessToken caller(ServerRequest request, Scope scope) {
        List<String> values = request.headers().values(HeaderNames.AUTHORIZATION);
        if (values.isEmpty()) {
            throw ApiException.unauthorized(
                    ErrorCode.NO_CREDENTIAL, "no credential (expected: Authorization: Bearer)");
        }
        if (values.size() > 1) {
            throw failed(clientAddress.of(request));
        }
        AccessToken token =
                Credential.parse(values.getFirst())
                        .filter(c -> ApiRequest.ID.matcher(c.id()).matches())
                        .flatMap(tokens::authenticate)
                        .orElseThrow(() -> failed(clientAddress.of(request)));
        if (!token.allows(scope)) {
            throw ApiException.of(
                    ErrorCode.FORBIDDEN, "the token lacks the scope " + scope.wireName());
        }
        return token;
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
