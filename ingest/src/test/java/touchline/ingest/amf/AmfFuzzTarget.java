package touchline.ingest.amf;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import touchline.media.codec.MalformedMediaException;
import touchline.testing.fuzz.FuzzTarget;

/** AMF values: what is read can be written, and is read again as the same. */
public final class AmfFuzzTarget implements FuzzTarget {
    /** References make a small message a large tree, which no code here walks. */
    private static final int MAX_WRITTEN_VALUES = 2_000;

    private static final List<String> SEEDS =
            List.of(
                    // connect, its transaction and an object
                    "020007636f6e6e656374003ff000000000000003000361707002000461707031"
                            + "0008666c61736856657202000466706c65000009",
                    // @setDataFrame, onMetaData and an array with text keys
                    "02000d40736574446174614672616d6502000a6f6e4d65746144617461080000000200"
                            + "0577696474680040940000000000000006737465726f0101000009",
                    // strict array, date, long string, reference, typed object
                    "0a00000002050106" + "0b4270000000000000" + "0000" + "0c0000000161" + "070000",
                    "100001610001620500000907" + "0000",
                    // AMF3: integer, double, array, object with traits, its reference, vector
                    "110485ffff" + "11053ff0000000000000" + "110905010401" + "0402",
                    "110a23016103620401060378",
                    "110a0b01036106035801" + "110d0500000000010000000200",
                    "11080142700000000000" + "00" + "110c05616263");

    @Override
    public String name() {
        return "amf";
    }

    @Override
    public List<byte[]> seeds() {
        return SEEDS.stream().map(HexFormat.of()::parseHex).toList();
    }

    @Override
    public void read(byte[] input) {
        List<AmfValue> values;
        try {
            values =
                    AmfCodec.read(
                            MemorySegment.ofArray(input).asReadOnly(), AmfValueLimit.ofMessage());
        } catch (MalformedMediaException _) {
            return;
        }
        if (values(values.stream(), MAX_WRITTEN_VALUES) >= MAX_WRITTEN_VALUES) {
            return;
        }
        ByteBuf out = Unpooled.buffer();
        values.forEach(value -> AmfCodec.write(out, value));
        byte[] written = new byte[out.readableBytes()];
        out.readBytes(written);
        List<AmfValue> again =
                AmfCodec.read(MemorySegment.ofArray(written), AmfValueLimit.ofMessage());
        if (!values.equals(again)) {
            throw new AssertionError("written and read again: " + again + ", was: " + values);
        }
    }

    /** Values in a tree, at most {@code limit}. */
    private static int values(Stream<AmfValue> values, int limit) {
        int count = 0;
        for (AmfValue value : (Iterable<AmfValue>) values::iterator) {
            if (count >= limit) {
                return limit;
            }
            count += 1 + values(children(value), limit - count);
        }
        return count;
    }

    private static Stream<AmfValue> children(AmfValue value) {
        return switch (value) {
            case AmfValue.Obj object -> object.properties().values().stream();
            case AmfValue.EcmaArray array -> array.properties().values().stream();
            case AmfValue.Array array -> array.values().stream();
            default -> Stream.empty();
        };
    }
}
