package touchline.api.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.stream.Stream;
import touchline.api.cluster.NodeAnswer;
import touchline.api.domain.Page;

/** The answer of a handler; {@link ApiRouting} writes it. */
sealed interface ApiReply {
    /** HTTP status. */
    int status();

    /**
     * A success in the envelope.
     *
     * @param warnings hints for the client of a call that succeeded
     */
    record Data(int status, String message, JsonNode data, List<String> warnings)
            implements ApiReply {
        public Data {
            warnings = List.copyOf(warnings);
        }

        /** With further warnings. */
        Data with(List<String> further) {
            return new Data(status, message, data, joined(warnings, further));
        }
    }

    /**
     * A success in the envelope, whose fields stand beside {@code data} once more: for a client
     * that knows them and no envelope.
     *
     * @param data none of its fields has the name of one of the envelope
     */
    record DataBeside(ObjectNode data) implements ApiReply {
        @Override
        public int status() {
            return 200;
        }
    }

    /** A success in an envelope without data. */
    record Message(String message, List<String> warnings) implements ApiReply {
        public Message {
            warnings = List.copyOf(warnings);
        }

        Message(String message) {
            this(message, List.of());
        }

        /** With further warnings. */
        Message with(List<String> further) {
            return new Message(message, joined(warnings, further));
        }

        @Override
        public int status() {
            return 200;
        }
    }

    /** A part of a list. */
    record Listing(String message, Page<? extends JsonNode> page) implements ApiReply {
        @Override
        public int status() {
            return 200;
        }
    }

    /** 204. */
    record NoContent() implements ApiReply {
        @Override
        public int status() {
            return 204;
        }
    }

    /** Bytes without an envelope: a page, a document, metrics. */
    record Document(String contentType, Body body) implements ApiReply {
        @Override
        public int status() {
            return 200;
        }
    }

    /** A streamed body, until the writer returns. */
    record Streamed(String contentType, Writer writer) implements ApiReply {
        @Override
        public int status() {
            return 200;
        }
    }

    /**
     * The answer of another node of the cluster, as it is.
     *
     * @param answer read and closed by the writer
     */
    record Forwarded(NodeAnswer answer) implements ApiReply {
        @Override
        public int status() {
            return answer.status();
        }
    }

    /**
     * Writes a body. The stream is closed afterwards, unless that fails: then the connection is.
     */
    @FunctionalInterface
    interface Writer extends AutoCloseable {
        /**
         * @throws IOException if the client has disconnected, or the body cannot be completed
         */
        void write(OutputStream out) throws IOException;

        /** Frees what the writer holds, whether it was called or not. */
        @Override
        default void close() {}
    }

    /** Bytes to send; not copied, never written after construction. */
    @SuppressWarnings("ArrayRecordComponent") // compared by identity only
    record Body(byte[] bytes) {}

    private static List<String> joined(List<String> first, List<String> further) {
        return Stream.concat(first.stream(), further.stream()).toList();
    }

    static ApiReply ok(JsonNode data) {
        return new Data(200, "success", data, List.of());
    }

    static ApiReply ok(JsonNode data, List<String> warnings) {
        return new Data(200, "success", data, warnings);
    }

    /** Success without data. */
    static ApiReply done() {
        return ok(NullNode.instance);
    }

    static ApiReply page(Page<? extends JsonNode> page) {
        return new Listing("success", page);
    }

    static ApiReply document(String contentType, byte[] bytes) {
        return new Document(contentType, new Body(bytes));
    }
}
