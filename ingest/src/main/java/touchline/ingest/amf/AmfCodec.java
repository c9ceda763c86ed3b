package touchline.ingest.amf;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Converts bytes of an RTMP command or data message to values, and back. Reads AMF0 with AMF3
 * values inside; writes AMF0, which every client reads. Stateless, any thread.
 */
public final class AmfCodec {
    private AmfCodec() {}

    /**
     * All values of one AMF body.
     *
     * @param bytes the whole body; not kept
     * @param limit of the message that holds it
     * @throws touchline.media.codec.MalformedMediaException for truncated or unknown values, more
     *     values than allowed or more than 32 levels
     */
    public static List<AmfValue> read(MemorySegment bytes, AmfValueLimit limit) {
        AmfInput in = new AmfInput(bytes, limit);
        Amf0Reader reader = new Amf0Reader(in);
        List<AmfValue> values = new ArrayList<>();
        while (!in.isAtEnd()) {
            values.add(reader.read());
        }
        return values;
    }

    /** Appends one value in AMF0. */
    public static void write(ByteBuf out, AmfValue value) {
        switch (value) {
            case AmfValue.Num(double number) -> {
                out.writeByte(Amf0Reader.NUMBER);
                out.writeDouble(number);
            }
            case AmfValue.Bool(boolean flag) -> {
                out.writeByte(Amf0Reader.BOOLEAN);
                out.writeBoolean(flag);
            }
            case AmfValue.Text(String text) -> writeText(out, text);
            case AmfValue.Obj(Map<String, AmfValue> properties) -> {
                out.writeByte(Amf0Reader.OBJECT);
                writeProperties(out, properties);
            }
            case AmfValue.EcmaArray(Map<String, AmfValue> properties) -> {
                out.writeByte(Amf0Reader.ECMA_ARRAY);
                out.writeInt(properties.size());
                writeProperties(out, properties);
            }
            case AmfValue.Array(List<AmfValue> values) -> {
                out.writeByte(Amf0Reader.STRICT_ARRAY);
                out.writeInt(values.size());
                values.forEach(element -> write(out, element));
            }
            case AmfValue.Date(double epochMs) -> {
                out.writeByte(Amf0Reader.DATE);
                out.writeDouble(epochMs);
                out.writeShort(/* reserved time zone */ 0);
            }
            case AmfValue.Absent absent ->
                    out.writeByte(
                            switch (absent) {
                                case NULL -> Amf0Reader.NULL;
                                case UNDEFINED -> Amf0Reader.UNDEFINED;
                            });
        }
    }

    private static void writeText(ByteBuf out, String text) {
        int lengthBytes = ByteBufUtil.utf8Bytes(text);
        if (lengthBytes <= 0xffff) {
            out.writeByte(Amf0Reader.STRING);
            out.writeShort(lengthBytes);
        } else {
            out.writeByte(Amf0Reader.LONG_STRING);
            out.writeInt(lengthBytes);
        }
        ByteBufUtil.writeUtf8(out, text);
    }

    private static void writeProperties(ByteBuf out, Map<String, AmfValue> properties) {
        properties.forEach(
                (key, element) -> {
                    int lengthBytes = ByteBufUtil.utf8Bytes(key);
                    if (lengthBytes > 0xffff) {
                        throw new IllegalArgumentException(
                                "key: " + lengthBytes + " bytes (expected: <= 65535)");
                    }
                    out.writeShort(lengthBytes);
                    ByteBufUtil.writeUtf8(out, key);
                    write(out, element);
                });
        out.writeShort(0);
        out.writeByte(Amf0Reader.OBJECT_END);
    }
}
