package touchline.api.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Reads typed fields of a JSON object. A value of the wrong type or out of range is reported to
 * {@link Problems} under its path and counts as absent. Null is not a value, except in a merge,
 * where it takes an optional field back to its default. Remembers which fields were read, so that
 * the reply can name the others. One request, one thread.
 */
final class JsonFields {
    /** More than 30,000 years, and in microseconds still a long. */
    private static final double MAX_SECONDS = 1e12;

    private final ObjectNode object;
    private final String path;
    private final Problems problems;
    private final boolean merging;

    private final TakenFields taken;

    private JsonFields(
            ObjectNode object, String path, Problems problems, boolean merging, TakenFields taken) {
        this.object = object;
        this.path = path;
        this.problems = problems;
        this.merging = merging;
        this.taken = taken;
    }

    /**
     * @throws ApiException 40002 if {@code body} is not an object
     */
    static JsonFields of(JsonNode body, Problems problems) {
        return of(body, problems, /* merging= */ false);
    }

    /**
     * As {@link #of}, for a call that merges: null takes an optional field back to its default.
     *
     * @throws ApiException 40002 if {@code body} is not an object
     */
    static JsonFields ofMerge(JsonNode body, Problems problems) {
        return of(body, problems, /* merging= */ true);
    }

    private static JsonFields of(JsonNode body, Problems problems, boolean merging) {
        if (!(body instanceof ObjectNode object)) {
            throw ApiException.badInput(
                    ErrorCode.INVALID_PARAMETER,
                    "",
                    "body: " + described(body) + " (expected: an object)");
        }
        new NonFiniteNumbers(problems).report(object);
        return new JsonFields(object, "", problems, merging, new TakenFields(object, ""));
    }

    /** The same object for a check before the fields are read. It does not count as reading. */
    JsonFields ahead() {
        return new JsonFields(object, path, problems, merging, new TakenFields(object, path));
    }

    Problems problems() {
        return problems;
    }

    /** Path of this object in the body; empty for the body itself. */
    String path() {
        return path;
    }

    /** The path of a field of this object, for error replies. */
    String pathOf(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    /** Whether the field is present, also with a null. */
    boolean has(String name) {
        taken.take(name);
        return object.has(name);
    }

    /** Whether the field is present with another value than null. */
    boolean hasValue(String name) {
        return has(name) && !object.get(name).isNull();
    }

    /** Whether the field is a string. It does not count as reading. */
    boolean isText(String name) {
        return object.path(name).isTextual();
    }

    List<String> names() {
        List<String> names = object.propertyStream().map(Map.Entry::getKey).toList();
        names.forEach(taken::take);
        return names;
    }

    /**
     * A field that a merge can take back.
     *
     * @param standard its value if the body of a merge has null
     * @param reader reads any other value
     * @return empty if the field is absent or invalid
     */
    <T> Optional<T> orDefault(String name, T standard, Function<String, Optional<T>> reader) {
        return takesBack(name) ? Optional.of(standard) : reader.apply(name);
    }

    /**
     * The value after a merge of a field that may be absent.
     *
     * @param before kept if the field is absent or invalid
     * @param reader reads any value but null
     */
    <T> Optional<T> merged(String name, Optional<T> before, Function<String, Optional<T>> reader) {
        if (takesBack(name)) {
            return Optional.empty();
        }
        Optional<T> given = reader.apply(name);
        return given.isPresent() ? given : before;
    }

    /** Whether the body of a merge has null here. */
    boolean takesBack(String name) {
        return merging && has(name) && !hasValue(name);
    }

    /**
     * Reports fields of the resource that this call cannot change and that have another value. Call
     * it after all fields are read.
     *
     * @param now the resource as the API shows it
     * @param changedBy the calls that change such a field, by its name
     */
    void refuseChanges(ObjectNode now, Map<String, String> changedBy) {
        taken.refuseChanges(now, changedBy, problems);
    }

    /**
     * A warning for each field that was not read. Call it after all fields are read.
     *
     * @param shown the reply's data: a field that stands there is not unknown
     */
    List<String> notTaken(JsonNode shown) {
        return taken.warnings(shown);
    }

    /** Reports the field as missing, unless it is present, valid or not. */
    void require(String name) {
        if (!has(name)) {
            problems.missing(pathOf(name));
        }
    }

    /**
     * @param maxBytes of its UTF-8 form
     */
    Optional<String> text(String name, int maxBytes) {
        return typed(name, JsonNodeType.STRING, "a string")
                .flatMap(node -> accepted(pathOf(name), node.textValue(), maxBytes));
    }

    /**
     * An address; an internationalised host name becomes its ASCII form.
     *
     * @param maxBytes of its UTF-8 form
     */
    Optional<String> url(String name, int maxBytes) {
        return text(name, maxBytes).map(AsciiHosts::of);
    }

    Optional<Boolean> flag(String name) {
        return typed(name, JsonNodeType.BOOLEAN, "true or false").map(JsonNode::booleanValue);
    }

    /** A whole number; 2.0 is valid, 1.5 is not. */
    OptionalInt integer(String name, int min, int max) {
        Optional<JsonNode> node = typed(name, JsonNodeType.NUMBER, "an integer");
        if (node.isEmpty()) {
            return OptionalInt.empty();
        }
        double value = node.get().doubleValue();
        String range = " (expected: an integer, " + min + " to " + max + ")";
        if (!Double.isFinite(value)) {
            return OptionalInt.empty();
        }
        if (value != Math.rint(value) || value < min || value > max) {
            problems.invalid(pathOf(name), node.get().asText() + range);
            return OptionalInt.empty();
        }
        return OptionalInt.of((int) value);
    }

    /** The same for {@link #orDefault}. */
    Optional<Integer> whole(String name, int min, int max) {
        OptionalInt value = integer(name, min, max);
        return value.isPresent() ? Optional.of(value.getAsInt()) : Optional.empty();
    }

    OptionalDouble number(String name, double min, double max) {
        Optional<JsonNode> node = typed(name, JsonNodeType.NUMBER, "a number");
        if (node.isEmpty() || !Double.isFinite(node.get().doubleValue())) {
            return OptionalDouble.empty();
        }
        double value = node.get().doubleValue();
        if (value < min || value > max) {
            problems.invalid(
                    pathOf(name),
                    node.get().asText() + " (expected: a number, " + min + " to " + max + ")");
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(value);
    }

    /** Seconds from 0 on, exact to the millisecond, as microseconds. */
    OptionalLong secondsUs(String name) {
        String expected = "seconds from 0 on, with at most 3 decimals";
        Optional<JsonNode> node = typed(name, JsonNodeType.NUMBER, "a number: " + expected);
        if (node.isEmpty() || !Double.isFinite(node.get().doubleValue())) {
            return OptionalLong.empty();
        }
        double seconds = node.get().doubleValue();
        BigDecimal exact = node.get().decimalValue().stripTrailingZeros();
        if (seconds < 0 || seconds > MAX_SECONDS || exact.scale() > 3) {
            problems.invalid(
                    pathOf(name), node.get().asText() + " (expected: a number, " + expected + ")");
            return OptionalLong.empty();
        }
        return OptionalLong.of(exact.movePointRight(6).longValueExact());
    }

    /**
     * A constant by its wire name.
     *
     * @param parse the constant of a wire name, empty for unknown ones
     * @param spell the wire name of a constant, for error messages
     */
    <E> Optional<E> constant(
            String name,
            Function<String, Optional<E>> parse,
            E[] all,
            Function<? super E, String> spell) {
        return typed(name, JsonNodeType.STRING, "a string")
                .flatMap(
                        node -> {
                            Optional<E> found = parse.apply(node.textValue());
                            if (found.isEmpty()) {
                                unknown(pathOf(name), all, spell);
                            }
                            return found;
                        });
    }

    /** Reports a text that names no constant. */
    <E> void unknown(String field, E[] all, Function<? super E, String> spell) {
        List<String> allowed = Arrays.stream(all).<String>map(spell).toList();
        problems.invalid(
                field, "unknown value (expected: one of " + String.join(", ", allowed) + ")");
    }

    static String spelled(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** The object of a field. */
    Optional<JsonFields> object(String name) {
        return typed(name, JsonNodeType.OBJECT, "an object")
                .map(node -> child(name, (ObjectNode) node, pathOf(name)));
    }

    private JsonFields child(String name, ObjectNode node, String at) {
        return new JsonFields(node, at, problems, merging, taken.child(name, node, at));
    }

    /** The array of a field; its elements are not checked. */
    Optional<ArrayNode> array(String name) {
        return typed(name, JsonNodeType.ARRAY, "an array").map(ArrayNode.class::cast);
    }

    /** The objects of an array field. Another element is reported. */
    List<JsonFields> objects(String name) {
        List<JsonFields> objects = new ArrayList<>();
        ArrayNode elements = array(name).orElseGet(Json::array);
        for (int i = 0; i < elements.size(); i++) {
            String at = pathOf(name) + "[" + i + "]";
            if (elements.get(i) instanceof ObjectNode each) {
                objects.add(child(name, each, at));
            } else {
                problems.invalid(at, described(elements.get(i)) + " (expected: an object)");
            }
        }
        return objects;
    }

    /** The raw value, for fields of several types; empty if missing or null. */
    Optional<JsonNode> any(String name) {
        taken.take(name);
        JsonNode node = object.get(name);
        if (node != null && node.isNull()) {
            problems.invalid(pathOf(name), "null is not a value");
            return Optional.empty();
        }
        return Optional.ofNullable(node);
    }

    /** The name of a rejected value in a message: its type, never its text. */
    static String described(JsonNode node) {
        return switch (node.getNodeType()) {
            case ARRAY -> "an array";
            case BOOLEAN -> "true or false";
            case NULL -> "null";
            case NUMBER -> "a number";
            case OBJECT -> "an object";
            case STRING -> "a string";
            case BINARY, MISSING, POJO -> "nothing";
        };
    }

    /** Text that every database can store: limited, no U+0000, no lone surrogates. */
    private Optional<String> accepted(String field, String text, int maxBytes) {
        if (text.length() > maxBytes || text.getBytes(StandardCharsets.UTF_8).length > maxBytes) {
            problems.invalid(field, "too long (expected: at most " + maxBytes + " bytes of UTF-8)");
            return Optional.empty();
        }
        if (text.indexOf('\0') >= 0 || !StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            problems.invalid(field, "holds a character that is not allowed (U+0000, surrogates)");
            return Optional.empty();
        }
        return Optional.of(text);
    }

    private Optional<JsonNode> typed(String name, JsonNodeType type, String expected) {
        Optional<JsonNode> node = any(name);
        if (node.isPresent() && node.get().getNodeType() != type) {
            problems.invalid(pathOf(name), described(node.get()) + " (expected: " + expected + ")");
            return Optional.empty();
        }
        return node;
    }
}
