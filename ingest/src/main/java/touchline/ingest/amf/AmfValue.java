package touchline.ingest.amf;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A value of Action Message Format, as far as RTMP commands use it. Immutable, any thread. */
public sealed interface AmfValue {

    /** AMF0 number and AMF3 integer or double. */
    record Num(double value) implements AmfValue {}

    /** A boolean. */
    record Bool(boolean value) implements AmfValue {}

    /** A string of any length, or an XML document as text. */
    record Text(String value) implements AmfValue {}

    /**
     * An object; its class name, if it had one, is dropped.
     *
     * @param properties in the order of the wire
     */
    record Obj(Map<String, AmfValue> properties) implements AmfValue {
        public Obj {
            properties = ordered(properties);
        }
    }

    /**
     * An array with text keys, which is how encoders send {@code onMetaData}.
     *
     * @param properties in the order of the wire
     */
    record EcmaArray(Map<String, AmfValue> properties) implements AmfValue {
        public EcmaArray {
            properties = ordered(properties);
        }
    }

    /** An array with positions for keys. */
    record Array(List<AmfValue> values) implements AmfValue {
        public Array {
            values = List.copyOf(values);
        }
    }

    /**
     * A point in time.
     *
     * @param epochMs milliseconds since 1970-01-01T00:00Z
     */
    record Date(double epochMs) implements AmfValue {}

    /** Nothing, in the two forms that ActionScript knows. */
    enum Absent implements AmfValue {
        NULL,
        UNDEFINED
    }

    /** The text of a {@link Text}. */
    default Optional<String> text() {
        return this instanceof Text(String value) ? Optional.of(value) : Optional.empty();
    }

    /** The value of a {@link Num}. */
    default Optional<Double> number() {
        return this instanceof Num(double value) ? Optional.of(value) : Optional.empty();
    }

    /** A property of an object or of an array with text keys. */
    default Optional<AmfValue> property(String name) {
        return switch (this) {
            case Obj(Map<String, AmfValue> properties) -> Optional.ofNullable(properties.get(name));
            case EcmaArray(Map<String, AmfValue> properties) ->
                    Optional.ofNullable(properties.get(name));
            case Num _, Bool _, Text _, Array _, Date _, Absent _ -> Optional.empty();
        };
    }

    private static Map<String, AmfValue> ordered(Map<String, AmfValue> properties) {
        return Collections.unmodifiableMap(new LinkedHashMap<>(properties));
    }
}
