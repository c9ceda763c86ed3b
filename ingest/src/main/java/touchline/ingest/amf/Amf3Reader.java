package touchline.ingest.amf;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads AMF3 values (Action Message Format AMF 3, 3.1 to 3.16) with their three reference tables.
 * Byte arrays have no meaning in a command and read as undefined; dictionaries and externalizable
 * objects are refused.
 */
final class Amf3Reader {
    private static final int UNDEFINED = 0x00;
    private static final int NULL = 0x01;
    private static final int FALSE = 0x02;
    private static final int TRUE = 0x03;
    private static final int INTEGER = 0x04;
    private static final int DOUBLE = 0x05;
    private static final int STRING = 0x06;
    private static final int XML_DOCUMENT = 0x07;
    private static final int DATE = 0x08;
    private static final int ARRAY = 0x09;
    private static final int OBJECT = 0x0a;
    private static final int XML = 0x0b;
    private static final int BYTE_ARRAY = 0x0c;
    private static final int VECTOR_INT = 0x0d;
    private static final int VECTOR_UINT = 0x0e;
    private static final int VECTOR_DOUBLE = 0x0f;
    private static final int VECTOR_OBJECT = 0x10;

    /** Names of the members that objects of one class share (AMF 3, 3.12). */
    private record Traits(List<String> members, boolean dynamic) {}

    private final AmfInput in;
    private final List<String> strings = new ArrayList<>();
    private final List<Traits> traits = new ArrayList<>();

    /** What a reference may point to; null while the object is still being read. */
    private final List<@Nullable AmfValue> objects = new ArrayList<>();

    Amf3Reader(AmfInput in) {
        this.in = in;
    }

    AmfValue read() {
        in.countValue();
        int marker = in.u8();
        return switch (marker) {
            case UNDEFINED -> AmfValue.Absent.UNDEFINED;
            case NULL -> AmfValue.Absent.NULL;
            case FALSE -> new AmfValue.Bool(false);
            case TRUE -> new AmfValue.Bool(true);
            case INTEGER -> new AmfValue.Num((u29() << 3) >> 3);
            case DOUBLE -> new AmfValue.Num(in.f64());
            case STRING -> new AmfValue.Text(readString());
            case XML_DOCUMENT,
                    DATE,
                    ARRAY,
                    OBJECT,
                    XML,
                    BYTE_ARRAY,
                    VECTOR_INT,
                    VECTOR_UINT,
                    VECTOR_DOUBLE,
                    VECTOR_OBJECT ->
                    readComplex(marker);
            default -> throw in.malformed("AMF3 marker: " + marker);
        };
    }

    private AmfValue readComplex(int marker) {
        int head = u29();
        if ((head & 1) == 0) {
            return referenced(head >> 1);
        }
        in.descend();
        int index = objects.size();
        objects.add(null);
        AmfValue value = readBody(marker, head >> 1);
        objects.set(index, value);
        in.ascend();
        return value;
    }

    /**
     * @param head what the first U29 says beside "no reference": a length, a count or traits
     */
    private AmfValue readBody(int marker, int head) {
        return switch (marker) {
            case XML_DOCUMENT, XML -> new AmfValue.Text(in.utf8(head));
            case DATE -> new AmfValue.Date(in.f64());
            case ARRAY -> readArray(head);
            case OBJECT -> readObject(head);
            case BYTE_ARRAY -> {
                in.skip(head);
                yield AmfValue.Absent.UNDEFINED;
            }
            default -> readVector(marker, head);
        };
    }

    /** Named members first, up to the empty name; then the dense part (AMF 3, 3.11). */
    private AmfValue readArray(int count) {
        Map<String, AmfValue> named = readNamed(new LinkedHashMap<>());
        List<AmfValue> dense = readValues(count);
        if (named.isEmpty()) {
            return new AmfValue.Array(dense);
        }
        for (int i = 0; i < dense.size(); i++) {
            named.put(Integer.toString(i), dense.get(i));
        }
        return new AmfValue.EcmaArray(named);
    }

    private AmfValue readObject(int head) {
        Traits shape = readTraits(head);
        Map<String, AmfValue> properties = new LinkedHashMap<>();
        for (String member : shape.members()) {
            properties.put(member, read());
        }
        if (shape.dynamic()) {
            readNamed(properties);
        }
        return new AmfValue.Obj(properties);
    }

    private Traits readTraits(int head) {
        if ((head & 1) == 0) {
            int index = head >> 1;
            if (index >= traits.size()) {
                throw in.malformed("AMF3 traits reference: " + index);
            }
            return traits.get(index);
        }
        if ((head & 2) != 0) {
            throw in.malformed("AMF3 externalizable object (expected: plain)");
        }
        boolean dynamic = (head & 4) != 0;
        int count = head >> 3;
        require(count);
        readString();
        List<String> members = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            in.countValue();
            members.add(readString());
        }
        Traits shape = new Traits(List.copyOf(members), dynamic);
        traits.add(shape);
        return shape;
    }

    private AmfValue readVector(int marker, int count) {
        in.u8();
        if (marker == VECTOR_OBJECT) {
            readString();
            return new AmfValue.Array(readValues(count));
        }
        require(count);
        List<AmfValue> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            in.countValue();
            values.add(
                    new AmfValue.Num(
                            switch (marker) {
                                case VECTOR_INT -> (int) in.u32();
                                case VECTOR_UINT -> in.u32();
                                default -> in.f64();
                            }));
        }
        return new AmfValue.Array(values);
    }

    private List<AmfValue> readValues(int count) {
        require(count);
        List<AmfValue> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(read());
        }
        return values;
    }

    private Map<String, AmfValue> readNamed(Map<String, AmfValue> into) {
        String name = readString();
        while (!name.isEmpty()) {
            into.put(name, read());
            name = readString();
        }
        return into;
    }

    private String readString() {
        int head = u29();
        if ((head & 1) == 0) {
            int index = head >> 1;
            if (index >= strings.size()) {
                throw in.malformed("AMF3 string reference: " + index);
            }
            return strings.get(index);
        }
        String text = in.utf8(head >> 1);
        if (!text.isEmpty()) {
            strings.add(text);
        }
        return text;
    }

    private AmfValue referenced(int index) {
        AmfValue value = index < objects.size() ? objects.get(index) : null;
        if (value == null) {
            throw in.malformed("AMF3 reference: " + index + " (expected: a finished object)");
        }
        return value;
    }

    /** Each element takes at least one byte, so a count above the remaining bytes is malformed. */
    private void require(int count) {
        if (count > in.remaining()) {
            throw in.malformed("AMF3 count: " + count + " (expected: <= " + in.remaining() + ")");
        }
    }

    /** 7 bits a byte with a continuation bit, the fourth byte whole (AMF 3, 1.3.1). */
    private int u29() {
        int value = 0;
        for (int i = 0; i < 3; i++) {
            int octet = in.u8();
            value = (value << 7) | (octet & 0x7f);
            if ((octet & 0x80) == 0) {
                return value;
            }
        }
        return (value << 8) | in.u8();
    }
}
