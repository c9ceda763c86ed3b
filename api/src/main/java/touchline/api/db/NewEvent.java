package touchline.api.db;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import touchline.api.domain.EventType;
import touchline.media.StreamId;

/**
 * The input of {@link Outbox#append}, which makes an {@link touchline.api.domain.Event} of it.
 * Holds no secrets. Immutable.
 */
public final class NewEvent {
    private final EventType type;
    private final Optional<StreamId> stream;
    private final ObjectNode data;

    private NewEvent(EventType type, Optional<StreamId> stream, ObjectNode data) {
        this.type = type;
        this.stream = stream;
        this.data = data;
    }

    /**
     * An event about a live stream, or about a resource of one.
     *
     * @param resource as the API shows it, without secrets; its member has the type's resource name
     */
    public static NewEvent of(EventType type, StreamId stream, ObjectNode resource) {
        return of(type, Optional.of(stream), resource);
    }

    /** An event about no live stream. */
    public static NewEvent of(EventType type, ObjectNode resource) {
        return of(type, Optional.empty(), resource);
    }

    private static NewEvent of(EventType type, Optional<StreamId> stream, ObjectNode resource) {
        ObjectNode data = JsonNodeFactory.instance.objectNode();
        stream.ifPresent(id -> data.put("live_stream_id", id.value()));
        data.set(type.resource(), resource.deepCopy());
        return new NewEvent(type, stream, data);
    }

    /**
     * {@code audit_check}.
     *
     * @param data exactly as in the interface document; {@code seq} is added to it
     */
    public static NewEvent auditCheck(StreamId stream, ObjectNode data) {
        return new NewEvent(EventType.AUDIT_CHECK, Optional.of(stream), data.deepCopy());
    }

    /** The same with one more member of its data, beside the resource. */
    public NewEvent with(String name, JsonNode value) {
        ObjectNode more = data.deepCopy();
        more.set(name, value.deepCopy());
        return new NewEvent(type, stream, more);
    }

    /** The same with one more text in its data, beside the resource. */
    public NewEvent with(String name, String value) {
        return with(name, JsonNodeFactory.instance.textNode(value));
    }

    EventType type() {
        return type;
    }

    Optional<StreamId> stream() {
        return stream;
    }

    /**
     * The data with its number: as first member, or as last one where the document fixes the first.
     */
    ObjectNode data(long seq) {
        ObjectNode numbered = JsonNodeFactory.instance.objectNode();
        if (type != EventType.AUDIT_CHECK) {
            numbered.put("seq", seq);
        }
        numbered.setAll(data.deepCopy());
        numbered.put("seq", seq);
        return numbered;
    }
}
