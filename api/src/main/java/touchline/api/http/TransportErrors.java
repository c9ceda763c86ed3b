package touchline.api.http;

import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderNames;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.http.DirectHandlers;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives failures that never reach a route (a malformed request line, headers that are too long, an
 * overloaded server) the envelope too. Any thread.
 */
final class TransportErrors {
    private static final Logger log = LoggerFactory.getLogger(TransportErrors.class);

    private final SecurityHeaders securityHeaders;

    TransportErrors(SecurityHeaders securityHeaders) {
        this.securityHeaders = securityHeaders;
    }

    DirectHandlers handlers() {
        DirectHandlers.Builder builder = DirectHandlers.builder();
        for (DirectHandler.EventType event : DirectHandler.EventType.values()) {
            builder.addHandler(
                    event,
                    (_, type, status, _, message) ->
                            answer(
                                    type == DirectHandler.EventType.INTERNAL_ERROR,
                                    status,
                                    message));
        }
        return builder.build();
    }

    private DirectHandler.TransportResponse answer(boolean ours, Status status, String message) {
        UUID requestId = UUID.randomUUID();
        // The web server logs the cause of an internal error. Clients do not see it.
        String reason = ours ? "internal error" : status.reasonPhrase();
        log.debug("request_id={} refused before routing: {} ({})", requestId, status, message);
        ServerResponseHeaders headers = ServerResponseHeaders.create();
        securityHeaders.api(headers);
        headers.set(HeaderNames.CONTENT_TYPE, ReplyWriter.JSON);
        headers.set(HeaderNames.create(ApiRouting.REQUEST_ID), requestId.toString());
        return DirectHandler.TransportResponse.builder()
                .status(status)
                .headers(headers)
                .keepAlive(false)
                .entity(Json.bytes(Envelope.failure(code(status), reason, List.of(), requestId)))
                .build();
    }

    /** A malformed request is bad input; every other status has its first code. */
    private static int code(Status status) {
        return status.code() == Status.BAD_REQUEST_400.code()
                ? ErrorCode.INVALID_PARAMETER.code()
                : status.code() * 100 + 1;
    }
}
