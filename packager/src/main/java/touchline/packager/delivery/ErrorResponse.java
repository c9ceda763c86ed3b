package touchline.packager.delivery;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;

/** Makes the answer of an {@link ErrorEnvelope}, with a new request id. */
final class ErrorResponse {
    private ErrorResponse() {}

    static FullHttpResponse of(ResponseHeaders headers, ErrorEnvelope error) {
        return of(headers, error, ErrorEnvelope.newRequestId());
    }

    static FullHttpResponse of(ResponseHeaders headers, ErrorEnvelope error, String requestId) {
        byte[] json = error.json(requestId);
        HttpHeaders head = headers.error(error, requestId, json.length);
        if (error.status().equals(HttpResponseStatus.METHOD_NOT_ALLOWED)) {
            head.add(HttpHeaderNames.ALLOW, ResponseHeaders.ALLOWED_METHODS);
        }
        return new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                error.status(),
                Unpooled.wrappedBuffer(json),
                head,
                EmptyHttpHeaders.INSTANCE);
    }
}
