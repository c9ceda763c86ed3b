package touchline.ingest.amf;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import touchline.media.codec.MalformedMediaException;

/**
 * Reads AMF0 values (Action Message Format AMF 0, 2.1 to 2.18), and AMF3 values where the marker
 * {@code avmplus-object} says so. One per message.
 */
final class Amf0Reader {
    static final int NUMBER = 0x00;
    static final int BOOLEAN = 0x01;
    static final int STRING = 0x02;
    static final int OBJECT = 0x03;
    static final int NULL = 0x05;
    static final int UNDEFINED = 0x06;
    static final int REFERENCE = 0x07;
    static final int ECMA_ARRAY = 0x08;
    static final int OBJECT_END = 0x09;
    static final int STRICT_ARRAY = 0x0a;
    static final int DATE = 0x0b;
    static final int LONG_STRING = 0x0c;
    static final int UNSUPPORTED = 0x0d;
    static final int XML_DOCUMENT = 0x0f;
    static final int TYPED_OBJECT = 0x10;
    static final int AVMPLUS_OBJECT = 0x11;

    private final AmfInput in;

    /** What a reference may point to; null while the object is still being read. */
    private final List<@Nullable AmfValue> objects = new ArrayList<>();

    Amf0Reader(AmfInput in) {
        this.in = in;
    }

    AmfValue read() {
        in.countValue();
        int marker = in.u8();
        return switch (marker) {
            case NUMBER -> new AmfValue.Num(in.f64());
            case BOOLEAN -> new AmfValue.Bool(in.u8() != 0);
            case STRING -> new AmfValue.Text(in.utf8(in.u16()));
            case OBJECT, ECMA_ARRAY, STRICT_ARRAY, TYPED_OBJECT -> readComplex(marker);
            case NULL -> AmfValue.Absent.NULL;
            case UNDEFINED, UNSUPPORTED -> AmfValue.Absent.UNDEFINED;
            case REFERENCE -> referenced(in.u16());
            case DATE -> readDate();
            case LONG_STRING, XML_DOCUMENT -> new AmfValue.Text(in.utf8(in.u32()));
            case AVMPLUS_OBJECT -> new Amf3Reader(in).read();
            default -> throw in.malformed("AMF0 marker: " + marker);
        };
    }

    private AmfValue readComplex(int marker) {
        in.descend();
        int index = objects.size();
        objects.add(null);
        AmfValue value =
                switch (marker) {
                    case OBJECT -> new AmfValue.Obj(readProperties());
                    case ECMA_ARRAY -> readEcmaArray();
                    case STRICT_ARRAY -> readStrictArray();
                    default -> readTypedObject();
                };
        objects.set(index, value);
        in.ascend();
        return value;
    }

    /** The leading count is a hint; several encoders send a wrong one (AMF 0, 2.10). */
    private AmfValue readEcmaArray() {
        in.u32();
        return new AmfValue.EcmaArray(readProperties());
    }

    private AmfValue readTypedObject() {
        in.utf8(in.u16());
        return new AmfValue.Obj(readProperties());
    }

    /** Key and value pairs up to the empty key and {@code object-end} (AMF 0, 2.5). */
    private Map<String, AmfValue> readProperties() {
        Map<String, AmfValue> properties = new LinkedHashMap<>();
        while (true) {
            String key = in.utf8(in.u16());
            if (key.isEmpty() && in.peekU8() == OBJECT_END) {
                in.u8();
                return properties;
            }
            properties.put(key, read());
        }
    }

    private AmfValue readStrictArray() {
        long count = in.u32();
        if (count > in.remaining()) {
            throw in.malformed("array count: " + count + " (expected: <= " + in.remaining() + ")");
        }
        List<AmfValue> values = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            values.add(read());
        }
        return new AmfValue.Array(values);
    }

    /** The time zone is reserved and to be ignored (AMF 0, 2.13). */
    private AmfValue readDate() {
        double epochMs = in.f64();
        in.skip(2);
        return new AmfValue.Date(epochMs);
    }

    private AmfValue referenced(int index) {
        AmfValue value = index < objects.size() ? objects.get(index) : null;
        if (value == null) {
            throw new MalformedMediaException(
                    "AMF0 reference: " + index + " (expected: a finished object)");
        }
        return value;
    }
}
