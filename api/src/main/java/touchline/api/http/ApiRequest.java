package touchline.api.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.helidon.common.buffers.DataReader;
import io.helidon.http.HeaderNames;
import io.helidon.http.HttpException;
import io.helidon.http.HttpMediaType;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.ServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import touchline.api.domain.AccessToken;
import touchline.api.domain.PageRequest;
import touchline.api.domain.Scope;
import touchline.api.domain.ScoreLink;

/**
 * A request for handlers: path and query parameters, the body as typed fields, and the caller. One
 * request, one thread.
 */
final class ApiRequest {
    /** Matches every id that the server creates. No resource has another id. */
    static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    /** No signs, names or exponents, which number parsers would accept. */
    private static final Pattern FRACTION = Pattern.compile("[0-9]{1,3}([.][0-9]{1,20})?");

    private static final int MAX_PAGE = 1_000_000;
    private static final int MAX_SEARCH = 200;
    private static final Set<String> READ_METHODS = Set.of("GET", "HEAD");

    private final ServerRequest request;
    private final Optional<Caller> caller;
    private final int maxBodyBytes;
    private final Problems problems = new Problems();
    private final List<Runnable> afterCommit = new ArrayList<>();
    private byte @Nullable [] body;
    private @Nullable JsonFields fields;

    ApiRequest(ServerRequest request, Optional<Caller> caller, int maxBodyBytes) {
        this.request = request;
        this.caller = caller;
        this.maxBodyBytes = maxBodyBytes;
    }

    /** The token of the request; only for routes that require a scope. */
    AccessToken caller() {
        return caller.map(Caller::token)
                .orElseThrow(() -> new IllegalStateException("an open route has no caller"));
    }

    /** The score link of the request; empty for an access token. */
    Optional<ScoreLink> link() {
        return caller.flatMap(Caller::link);
    }

    boolean allows(Scope scope) {
        return caller.isPresent() && caller.get().token().allows(scope);
    }

    String method() {
        return request.prologue().method().text();
    }

    /** The path as sent, for keys that include it. */
    String rawPath() {
        return request.path().rawPath();
    }

    /** The address of the client, as the configured proxies report it. */
    InetAddress client(ClientAddress addresses) {
        return addresses.of(request);
    }

    Optional<String> header(String name) {
        return request.headers().first(HeaderNames.create(name));
    }

    /** Runs work after the commit of the handler's changes and before the reply. */
    void afterCommit(Runnable work) {
        afterCommit.add(work);
    }

    /** Called after the handler and its transaction. */
    void committed() {
        afterCommit.forEach(Runnable::run);
    }

    /** Problems of this request, collected from all fields. */
    Problems problems() {
        return problems;
    }

    /**
     * An id from the path.
     *
     * @throws ApiException 40401 if the server creates no such ids
     */
    String id(String name, String what) {
        String value = request.path().pathParameters().get(name);
        if (!ID.matcher(value).matches()) {
            throw ApiException.notFound(what);
        }
        return value;
    }

    /** A raw part of the path, for lookups in a fixed list. */
    String pathText(String name) {
        return request.path().pathParameters().get(name);
    }

    /** A query parameter, given at most once. An empty one is absent. */
    Optional<String> query(String name) {
        List<String> values =
                request.query().all(name, List::of).stream()
                        .filter(value -> !value.isEmpty())
                        .toList();
        if (values.size() > 1) {
            problems.invalid(name, "given " + values.size() + " times (expected: once)");
            return Optional.empty();
        }
        return values.stream().findFirst();
    }

    /** The text that entries of a list must contain; blank means all. */
    Optional<String> search() {
        Optional<String> text = query("search").map(String::strip).filter(any -> !any.isEmpty());
        if (text.isPresent() && text.get().length() > MAX_SEARCH) {
            problems.invalid(
                    "search", "too long (expected: at most " + MAX_SEARCH + " characters)");
        }
        return text;
    }

    /** The query parameters with this prefix, in the order of their names. */
    List<String> queryNames(String prefix) {
        return request.query().names().stream()
                .filter(name -> name.startsWith(prefix))
                .filter(name -> request.query().all(name).stream().anyMatch(v -> !v.isEmpty()))
                .sorted()
                .toList();
    }

    /** A query parameter that is a number from 0 to 1. */
    OptionalDouble fraction(String name) {
        Optional<String> text = query(name);
        if (text.isEmpty()) {
            return OptionalDouble.empty();
        }
        if (FRACTION.matcher(text.get()).matches()) {
            double value = Double.parseDouble(text.get());
            if (value >= 0 && value <= 1) {
                return OptionalDouble.of(value);
            }
        }
        problems.invalid(name, "not accepted (expected: a number, 0.0 to 1.0)");
        return OptionalDouble.empty();
    }

    /**
     * {@code page} and {@code limit}.
     *
     * @throws ApiException 40002, with all problems reported before
     */
    PageRequest page() {
        int page = number("page", 1, PageRequest.FIRST.page(), MAX_PAGE);
        int limit = number("limit", 1, PageRequest.DEFAULT_LIMIT, PageRequest.MAX_LIMIT);
        problems.throwIfAny();
        return new PageRequest(page, limit);
    }

    /**
     * The body as an object; without a body an empty one.
     *
     * @throws ApiException 40001, 40002, 41301 or 41501
     */
    JsonFields body() {
        return taken(JsonFields.of(json(), problems));
    }

    /**
     * As {@link #body}, for a call that merges: null takes an optional field back to its default.
     *
     * @throws ApiException 40001, 40002, 41301 or 41501
     */
    JsonFields mergedBody() {
        return taken(JsonFields.ofMerge(json(), problems));
    }

    private JsonFields taken(JsonFields read) {
        fields = read;
        return read;
    }

    private JsonNode json() {
        byte[] bytes = bytes();
        if (bytes.length == 0) {
            return Json.object();
        }
        requirePlain();
        requireJson();
        return BodyReading.parse(bytes);
    }

    /** The reply, with a warning for each field of the body that the handler has not read. */
    ApiReply noted(ApiReply reply) {
        return switch (reply) {
            case ApiReply.Data data -> data.with(notTaken(data.data()));
            case ApiReply.Message message -> message.with(notTaken(Json.object()));
            case ApiReply.DataBeside _,
                    ApiReply.Listing _,
                    ApiReply.NoContent _,
                    ApiReply.Document _,
                    ApiReply.Forwarded _,
                    ApiReply.Streamed _ ->
                    reply;
        };
    }

    private List<String> notTaken(JsonNode shown) {
        JsonFields read = fields;
        return (read == null ? ignoredBody() : read).notTaken(shown);
    }

    /** The body of a call that takes none. */
    private JsonFields ignoredBody() {
        try {
            return JsonFields.of(
                    READ_METHODS.contains(method()) ? Json.object() : json(), problems);
        } catch (ApiException _) {
            // The call has succeeded without this body.
            return JsonFields.of(Json.object(), problems);
        }
    }

    /**
     * The body's bytes, read once.
     *
     * @throws ApiException 41301 if there are too many
     */
    byte[] bytes() {
        byte[] known = body;
        if (known == null) {
            known = read();
            body = known;
        }
        return known;
    }

    /**
     * Reads the body within its deadline.
     *
     * @throws ApiException 41301 if there is too much
     */
    void receive(ApiConnection connection) {
        if (!request.content().hasEntity()) {
            return;
        }
        try (ApiConnection.Step _ = connection.body()) {
            bytes();
        } catch (ApiException | CloseConnectionException e) {
            throw e;
        } catch (RuntimeException e) {
            if (connection.expired()) {
                throw new CloseConnectionException("the body was not complete in time", e);
            }
            throw BodyReading.malformed(e);
        }
    }

    private byte[] read() {
        if (!request.content().hasEntity()) {
            return new byte[0];
        }
        // Rejected by its Content-Length before a byte is requested or stored.
        if (request.headers().contentLength().orElse(0) > maxBodyBytes) {
            throw tooLarge();
        }
        try {
            // Not closed: that would read a body that is too large to its end.
            InputStream in = request.content().inputStream();
            byte[] bytes = in.readNBytes(maxBodyBytes + 1);
            if (bytes.length > maxBodyBytes) {
                throw tooLarge();
            }
            return bytes;
        } catch (IOException
                | UncheckedIOException
                | DataReader.InsufficientDataAvailableException e) {
            throw new CloseConnectionException("the client disconnected during the body", e);
        }
    }

    private ApiException tooLarge() {
        return ApiException.of(
                ErrorCode.BODY_TOO_LARGE,
                "body: too large (expected: <= " + maxBodyBytes + " bytes)");
    }

    /**
     * The body as a file of one of these media types.
     *
     * @return its bytes, at least one
     * @throws ApiException 40002, 41301 or 41501
     */
    byte[] file(Set<String> mediaTypes) {
        byte[] bytes = bytes();
        requirePlain();
        String given = header("Content-Type").orElse("").strip().toLowerCase(Locale.ROOT);
        if (!mediaTypes.contains(given)) {
            throw ApiException.of(
                    ErrorCode.UNSUPPORTED_MEDIA_TYPE,
                    "Content-Type of the body (expected: "
                            + mediaTypes.stream().sorted().collect(Collectors.joining(" or "))
                            + ")");
        }
        if (bytes.length == 0) {
            throw ApiException.badInput(ErrorCode.INVALID_PARAMETER, "", "body: empty");
        }
        return bytes;
    }

    private void requireJson() {
        Optional<HttpMediaType> type;
        try {
            type = request.headers().contentType();
        } catch (IllegalArgumentException | HttpException _) {
            throw wrongType();
        }
        boolean json =
                type.isPresent()
                        && type.get().type().equalsIgnoreCase("application")
                        && type.get().subtype().equalsIgnoreCase("json")
                        && type.get().charset().map(ApiRequest::isUtf8).orElse(true);
        if (!json) {
            throw wrongType();
        }
    }

    /** Also by the names that Java knows for it, such as utf8. */
    private static boolean isUtf8(String charset) {
        try {
            return Charset.forName(charset.replace("\"", "")).equals(StandardCharsets.UTF_8);
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    /** A body is read as it is sent. */
    private void requirePlain() {
        boolean encoded =
                request.headers().values(HeaderNames.CONTENT_ENCODING).stream()
                        .anyMatch(value -> !value.equalsIgnoreCase("identity"));
        if (encoded) {
            throw ApiException.of(
                    ErrorCode.UNSUPPORTED_MEDIA_TYPE,
                    "Content-Encoding: not accepted (expected: a body that is not compressed)");
        }
    }

    private static ApiException wrongType() {
        return ApiException.of(
                ErrorCode.UNSUPPORTED_MEDIA_TYPE,
                "Content-Type of the body (expected: application/json in UTF-8)");
    }

    /** A whole number. A value out of range is reported and counts as absent. */
    int number(String name, int min, int absent, int max) {
        Optional<String> text = query(name);
        if (text.isEmpty()) {
            return absent;
        }
        try {
            int value = Integer.parseInt(text.get());
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException _) {
            // Reported below, like any other value out of range.
        }
        problems.invalid(name, "not accepted (expected: an integer, " + min + " to " + max + ")");
        return absent;
    }
}
