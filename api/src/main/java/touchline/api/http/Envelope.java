package touchline.api.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.UUID;
import touchline.api.domain.Page;

/**
 * The shape of every JSON reply: {@code code}, {@code message}, {@code data}, {@code request_id},
 * and optionally warnings, errors or paging. Any thread.
 */
final class Envelope {
    private Envelope() {}

    static ObjectNode success(ApiReply.Data reply, UUID requestId) {
        ObjectNode envelope = Json.object();
        envelope.put("code", 0);
        envelope.put("message", reply.message());
        envelope.set("data", reply.data());
        envelope.put("request_id", requestId.toString());
        warn(envelope, reply.warnings());
        return envelope;
    }

    static ObjectNode success(ApiReply.DataBeside reply, UUID requestId) {
        ObjectNode envelope =
                success(
                        new ApiReply.Data(reply.status(), "success", reply.data(), List.of()),
                        requestId);
        envelope.setAll(reply.data());
        return envelope;
    }

    private static void warn(ObjectNode envelope, List<String> texts) {
        if (!texts.isEmpty()) {
            ArrayNode warnings = envelope.putArray("warnings");
            texts.forEach(warnings::add);
        }
    }

    static ObjectNode success(ApiReply.Message reply, UUID requestId) {
        ObjectNode envelope = Json.object();
        envelope.put("code", 0);
        envelope.put("message", reply.message());
        envelope.put("request_id", requestId.toString());
        warn(envelope, reply.warnings());
        return envelope;
    }

    static ObjectNode success(ApiReply.Listing reply, UUID requestId) {
        ObjectNode envelope = Json.object();
        Page<? extends JsonNode> page = reply.page();
        envelope.put("code", 0);
        envelope.put("message", reply.message());
        ArrayNode data = envelope.putArray("data");
        page.items().forEach(data::add);
        envelope.put("request_id", requestId.toString());
        envelope.put("page", page.page());
        envelope.put("limit", page.limit());
        envelope.put("total", page.total());
        envelope.put("has_more", page.hasMore());
        return envelope;
    }

    static ObjectNode failure(int code, String message, List<FieldError> errors, UUID requestId) {
        ObjectNode envelope = Json.object();
        envelope.put("code", code);
        envelope.put("message", message);
        envelope.putNull("data");
        envelope.put("request_id", requestId.toString());
        if (!errors.isEmpty()) {
            ArrayNode fields = envelope.putArray("errors");
            for (FieldError error : errors) {
                fields.addObject().put("field", error.field()).put("reason", error.reason());
            }
        }
        return envelope;
    }
}
