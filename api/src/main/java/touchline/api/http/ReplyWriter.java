package touchline.api.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import touchline.api.cluster.NodeAnswer;

/** Writes replies and failures to the connection. Any thread. */
final class ReplyWriter {
    static final String JSON = "application/json";

    /** Headers of another node's answer, beside those that each answer has. */
    private static final List<String> FORWARDED =
            List.of(
                    "Content-Type",
                    "Retry-After",
                    "WWW-Authenticate",
                    "Allow",
                    ApiRouting.REQUEST_ID);

    /**
     * What is copied at a time: over HTTP/2, a reply whose client opens no window holds it, and not
     * its whole body once more.
     */
    private static final int PIECE_BYTES = 16 * 1024;

    private ReplyWriter() {}

    /**
     * @param step renewed at each write of a streamed reply
     */
    static void write(
            ApiReply reply,
            UUID requestId,
            ServerRequest request,
            ServerResponse response,
            ApiConnection.Step step) {
        response.status(Status.create(reply.status()));
        switch (reply) {
            case ApiReply.Data data -> json(Envelope.success(data, requestId), request, response);
            case ApiReply.DataBeside data ->
                    json(Envelope.success(data, requestId), request, response);
            case ApiReply.Message message ->
                    json(Envelope.success(message, requestId), request, response);
            case ApiReply.Listing list ->
                    json(Envelope.success(list, requestId), request, response);
            case ApiReply.Document document ->
                    send(document.contentType(), document.body().bytes(), request, response);
            case ApiReply.Streamed streamed -> stream(streamed, request, response, step);
            case ApiReply.Forwarded(NodeAnswer answer) -> forward(answer, request, response, step);
            case ApiReply.NoContent() -> response.send();
        }
    }

    static void write(
            ApiException failure, UUID requestId, ServerRequest request, ServerResponse response) {
        response.status(Status.create(failure.code().status()));
        failure.headers().forEach((name, value) -> response.header(name, value));
        json(
                Envelope.failure(
                        failure.code().code(), failure.reason(), failure.errors(), requestId),
                request,
                response);
    }

    /** With the request's id at the node that has answered, which its log and its body have. */
    private static void forward(
            NodeAnswer answer,
            ServerRequest request,
            ServerResponse response,
            ApiConnection.Step step) {
        try (InputStream body = answer.body()) {
            FORWARDED.forEach(
                    name -> {
                        String value = answer.headers().get(name.toLowerCase(Locale.ROOT));
                        if (value != null) {
                            response.headers().set(HeaderNames.create(name), value);
                        }
                    });
            long length = Long.parseLong(answer.headers().getOrDefault("content-length", "-1"));
            if (length == 0 || request.prologue().method().text().equals("HEAD")) {
                response.send();
                return;
            }
            if (length > 0) {
                response.contentLength(length);
            }
            OutputStream out = new StreamedReply(response.outputStream(), step);
            body.transferTo(out);
            // Not after a failure: the client must see that the body is not whole.
            out.close();
        } catch (IOException | UncheckedIOException e) {
            throw new CloseConnectionException("the answer of another node was cut", e);
        }
    }

    /** Sends a body; for HEAD only its headers. */
    static void send(
            String contentType, byte[] body, ServerRequest request, ServerResponse response) {
        response.header(HeaderNames.CONTENT_TYPE, contentType);
        if (request.prologue().method().text().equals("HEAD")) {
            response.header(HeaderNames.CONTENT_LENGTH, Integer.toString(body.length));
            response.send();
        } else if (body.length <= PIECE_BYTES) {
            response.send(body);
        } else {
            response.contentLength(body.length);
            pieces(body, response);
        }
    }

    private static void pieces(byte[] body, ServerResponse response) {
        try {
            OutputStream out = response.outputStream();
            for (int from = 0; from < body.length; from += PIECE_BYTES) {
                out.write(body, from, Math.min(PIECE_BYTES, body.length - from));
            }
            // Not after a failure: the client must see that the body is not whole.
            out.close();
        } catch (IOException | UncheckedIOException | IllegalArgumentException e) {
            // The last one is TLS that the client has closed meanwhile: see Replies.
            throw new CloseConnectionException("the body was not written to its end", e);
        }
    }

    /** For HEAD only headers. */
    private static void stream(
            ApiReply.Streamed streamed,
            ServerRequest request,
            ServerResponse response,
            ApiConnection.Step step) {
        response.header(HeaderNames.CONTENT_TYPE, streamed.contentType());
        if (request.prologue().method().text().equals("HEAD")) {
            streamed.writer().close();
            response.send();
            return;
        }
        try {
            OutputStream out;
            try (ApiReply.Writer writer = streamed.writer()) {
                out = new StreamedReply(response.outputStream(), step);
                writer.write(out);
            }
            // With the end of the reply its caller may ask for what the writer held. Not after a
            // failure: the client must see that the body is not whole.
            out.close();
        } catch (IOException | UncheckedIOException e) {
            throw new CloseConnectionException("the body was not written to its end", e);
        }
    }

    private static void json(JsonNode envelope, ServerRequest request, ServerResponse response) {
        send(JSON, Json.bytes(envelope), request, response);
    }
}
