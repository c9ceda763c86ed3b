package touchline.packager.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ErrorEnvelopeTest {
    @Test
    void json_message_isEscaped() {
        ErrorEnvelope error =
                ErrorEnvelope.of(HttpResponseStatus.NOT_FOUND, 1, "a \"b\" \\ \n \u001f \u00e9");
        assertEquals(
                "{\"code\":40401,\"message\":\"a \\\"b\\\" \\\\ \\u000a \\u001f \u00e9\","
                        + "\"data\":null,\"request_id\":\"r\"}",
                new String(error.json("r"), UTF_8));
    }

    @Test
    void newRequestId_each_isAnotherRandomUuid() {
        UUID first = UUID.fromString(ErrorEnvelope.newRequestId());
        assertEquals(4, first.version());
        assertEquals(2, first.variant());
        assertNotEquals(first, UUID.fromString(ErrorEnvelope.newRequestId()));
    }
}
