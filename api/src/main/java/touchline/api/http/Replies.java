package touchline.api.http;

import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.http2.Http2Exception;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.UncheckedIOException;
import java.util.UUID;

/**
 * Sends the reply of one request within its deadline. A reply before the end of the body, such as a
 * refusal, ends the connection: the server does not wait for the rest. One request, one thread.
 */
final class Replies {
    private final ApiConnection connection;
    private final UUID requestId;
    private final ServerRequest request;
    private final ServerResponse response;

    Replies(
            ApiConnection connection,
            UUID requestId,
            ServerRequest request,
            ServerResponse response) {
        this.connection = connection;
        this.requestId = requestId;
        this.request = request;
        this.response = response;
    }

    ApiConnection connection() {
        return connection;
    }

    void send(ApiReply reply) {
        prepare();
        try (ApiConnection.Step step = connection.reply()) {
            ReplyWriter.write(reply, requestId, request, response, step);
        } catch (UncheckedIOException | Http2Exception e) {
            throw notTaken(e);
        } catch (IllegalArgumentException e) {
            throw response.isSent() ? closedMeanwhile(e) : e;
        }
    }

    void send(ApiException failure) {
        if (failure.closesConnection()) {
            close();
        }
        send(() -> ReplyWriter.write(failure, requestId, request, response));
    }

    /**
     * @param writing writes a reply that is not long
     */
    void send(Runnable writing) {
        prepare();
        try (ApiConnection.Step _ = connection.reply()) {
            writing.run();
        } catch (UncheckedIOException | Http2Exception e) {
            throw notTaken(e);
        } catch (IllegalArgumentException e) {
            throw response.isSent() ? closedMeanwhile(e) : e;
        }
    }

    /**
     * Call it at the end of the request.
     *
     * @throws CloseConnectionException if the connection ends here
     */
    void closeBehindUnreadBody() {
        if (!isHttp2()) {
            if (unread() || connection.closing()) {
                throw new CloseConnectionException("the reply was the last one");
            }
        } else if (unread()) {
            // The web server reads the rest of the body in this thread.
            connection.dropping();
        }
    }

    private void prepare() {
        if (isLast()) {
            close();
        }
        if (unread()) {
            connection.leaveUnread();
            if (!isHttp2()) {
                response.header(HeaderValues.CONNECTION_CLOSE);
            }
        }
    }

    private void close() {
        connection.closeBehindReply();
        if (!isHttp2()) {
            response.header(HeaderValues.CONNECTION_CLOSE);
        }
    }

    /** Whether the client wants the connection to end with this reply (RFC 9112, 9.6). */
    private boolean isLast() {
        return !isHttp2()
                && request.headers().contains(HeaderNames.CONNECTION)
                && request
                        .headers()
                        .get(HeaderNames.CONNECTION)
                        .allValues(/* split= */ true)
                        .stream()
                        .anyMatch("close"::equalsIgnoreCase);
    }

    private boolean unread() {
        return request.content().hasEntity() && !request.content().consumed();
    }

    private boolean isHttp2() {
        return request.prologue().protocolVersion().startsWith("2");
    }

    /**
     * A client that closes TLS while a reply is written makes the web server reset the buffer that
     * the reply is in: the write then fails with an IllegalArgumentException.
     */
    private static CloseConnectionException closedMeanwhile(IllegalArgumentException cause) {
        return new CloseConnectionException("the client has closed the connection", cause);
    }

    private static CloseConnectionException notTaken(RuntimeException cause) {
        return new CloseConnectionException("the client does not take the reply", cause);
    }
}
