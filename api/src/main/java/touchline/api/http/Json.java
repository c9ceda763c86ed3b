package touchline.api.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Reads and writes JSON text. Input is strict: UTF-8, one value, no duplicate names, bounded depth,
 * tokens and names. NaN and Infinity are read, and rejected by field name later. Any thread.
 */
final class Json {
    /** More than any body of the interface needs. */
    static final int MAX_DEPTH = 32;

    private static final int MAX_NUMBER_LENGTH = 100;

    /** Of a field, in characters. */
    private static final int MAX_NAME_LENGTH = 256;

    /** Values, names, and the start and end of objects and arrays. */
    private static final long MAX_TOKENS = 20_000;

    private static final Pattern SETTING = Pattern.compile(", from `[^`]*`");

    private static final ObjectMapper MAPPER =
            JsonMapper.builder(
                            JsonFactory.builder()
                                    // Names come from clients: they must not fill shared tables.
                                    .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                                    .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                                    .streamReadConstraints(
                                            StreamReadConstraints.builder()
                                                    .maxNestingDepth(MAX_DEPTH)
                                                    .maxNumberLength(MAX_NUMBER_LENGTH)
                                                    .maxNameLength(MAX_NAME_LENGTH)
                                                    .maxTokenCount(MAX_TOKENS)
                                                    .build())
                                    .build())
                    .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
                    .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build();

    private Json() {}

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    static ArrayNode array() {
        return JsonNodeFactory.instance.arrayNode();
    }

    /**
     * Reads a request body.
     *
     * @throws ApiException 40001 if it is not one JSON value in UTF-8
     */
    static JsonNode parse(byte[] body) {
        try {
            String text =
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .onMalformedInput(CodingErrorAction.REPORT)
                            .onUnmappableCharacter(CodingErrorAction.REPORT)
                            .decode(ByteBuffer.wrap(body))
                            .toString();
            JsonNode value = MAPPER.readTree(text);
            if (value.isMissingNode()) {
                throw malformed("body: empty (expected: a JSON object)");
            }
            return value;
        } catch (CharacterCodingException _) {
            throw malformed("body: not UTF-8");
        } catch (JsonProcessingException e) {
            throw malformed("body: " + place(e) + firstLine(e.getOriginalMessage()));
        }
    }

    static byte[] bytes(JsonNode value) {
        try {
            return MAPPER.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("cannot write JSON", e);
        }
    }

    /**
     * Whether two values mean the same: numbers by their value, objects in any order.
     *
     * @param other a missing one is the same as null
     */
    static boolean same(JsonNode value, JsonNode other) {
        if (value.isNull() || other.isNull() || other.isMissingNode()) {
            return value.isNull() && (other.isNull() || other.isMissingNode());
        }
        if (value.isNumber() && other.isNumber()) {
            return Double.compare(value.doubleValue(), other.doubleValue()) == 0;
        }
        if (!value.isContainerNode() || value.getNodeType() != other.getNodeType()) {
            return value.equals(other);
        }
        if (value.size() != other.size()) {
            return false;
        }
        if (value.isObject()) {
            return value.propertyStream()
                    .allMatch(
                            field ->
                                    other.has(field.getKey())
                                            && same(field.getValue(), other.get(field.getKey())));
        }
        return IntStream.range(0, value.size()).allMatch(i -> same(value.get(i), other.get(i)));
    }

    private static ApiException malformed(String reason) {
        return ApiException.badInput(ErrorCode.MALFORMED_JSON, "", reason);
    }

    private static String place(JsonProcessingException e) {
        var location = e.getLocation();
        return location == null
                ? ""
                : "line " + location.getLineNr() + ", column " + location.getColumnNr() + ": ";
    }

    /** Removes the parser's remarks on its settings. */
    private static String firstLine(String message) {
        int end = message.indexOf('\n');
        String line = end < 0 ? message : message.substring(0, end);
        return SETTING.matcher(line).replaceAll("");
    }
}
