package touchline.api.http;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongSupplier;
import touchline.api.access.AccessTokens;
import touchline.api.domain.AccessToken;
import touchline.api.domain.Scope;

/**
 * Who may call what: foreign web sites are refused, then the credential is checked, then its scope.
 * Bearer and Basic carry the same credential. Any thread.
 */
final class AccessFilter {
    private static final int MAX_FAILURES_PER_SECOND = 10;
    private static final int MAX_CREDENTIAL_LENGTH = 1_024;

    private final AccessTokens tokens;
    private final ClientAddress clientAddress;
    private final String ownOrigin;
    private final FailureLimiter failures;

    /**
     * @param apiUrl the public address of the API: its pages are no foreign site
     * @param nanoTime counts the seconds of the failure limit
     */
    AccessFilter(
            AccessTokens tokens, ClientAddress clientAddress, URI apiUrl, LongSupplier nanoTime) {
        this.tokens = tokens;
        this.clientAddress = clientAddress;
        this.ownOrigin = SecurityHeaders.origin(apiUrl).toLowerCase(Locale.ROOT);
        this.failures = new FailureLimiter(MAX_FAILURES_PER_SECOND, nanoTime);
    }

    /**
     * Refuses what a browser sends on behalf of another site.
     *
     * @throws ApiException 40301
     */
    void refuseForeignSites(ServerRequest request) {
        Optional<String> site = request.headers().first(HeaderNames.create("Sec-Fetch-Site"));
        if (site.isPresent() && site.get().equalsIgnoreCase("cross-site")) {
            throw foreign();
        }
        Optional<String> origin = request.headers().first(HeaderNames.ORIGIN);
        if (origin.isPresent() && !own(origin.get(), request)) {
            throw foreign();
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
        AccessToken token =
                values.size() == 1
                        ? credential(values.getFirst())
                                .flatMap(c -> tokens.authenticate(c.id(), c.secret()))
                                .orElse(null)
                        : null;
        if (token == null) {
            throw failed(clientAddress.of(request));
        }
        if (!token.allows(scope)) {
            throw ApiException.of(
                    ErrorCode.FORBIDDEN, "the token lacks the scope " + scope.wireName());
        }
        return token;
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

    /** The console's own pages: the public address, or whatever name this request came by. */
    private boolean own(String origin, ServerRequest request) {
        String asked = origin.toLowerCase(Locale.ROOT);
        String host = request.authority().toLowerCase(Locale.ROOT);
        return asked.equals(ownOrigin)
                || asked.equals("http://" + host)
                || asked.equals("https://" + host);
    }

    private static ApiException foreign() {
        return ApiException.of(ErrorCode.FORBIDDEN, "requests of other web sites are refused");
    }

    /** RFC 6750, 2.1 and RFC 7617, 2: scheme names are case-insensitive. */
    private static Optional<Credential> credential(String header) {
        int space = header.indexOf(' ');
        if (space < 0 || header.length() > MAX_CREDENTIAL_LENGTH) {
            return Optional.empty();
        }
        String value = header.substring(space + 1).strip();
        return switch (header.substring(0, space).toLowerCase(Locale.ROOT)) {
            case "bearer" -> split(value, '.');
            case "basic" -> decoded(value).flatMap(text -> split(text, ':'));
            default -> Optional.empty();
        };
    }

    private static Optional<String> decoded(String base64) {
        try {
            byte[] bytes = Base64.getDecoder().decode(base64);
            return Optional.of(new String(bytes, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static Optional<Credential> split(String text, char separator) {
        int at = text.indexOf(separator);
        return at <= 0 || at == text.length() - 1
                ? Optional.empty()
                : Optional.of(new Credential(text.substring(0, at), text.substring(at + 1)));
    }

    private record Credential(String id, String secret) {
        @Override
        public String toString() {
            return "Credential[masked]";
        }
    }
}
