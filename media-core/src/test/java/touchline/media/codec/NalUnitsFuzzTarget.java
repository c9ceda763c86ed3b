package touchline.media.codec;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import touchline.testing.fuzz.FuzzTarget;

/**
 * NAL units behind lengths and behind start codes: what is split is written and split again as the
 * same.
 */
public final class NalUnitsFuzzTarget implements FuzzTarget {
    @Override
    public String name() {
        return "nal-units";
    }

    @Override
    public List<byte[]> seeds() {
        return List.of(
                HexFormat.of().parseHex("000000030605aa0000000465888400"),
                HexFormat.of().parseHex("00000001674d400d0000016588840000000109f0"),
                HexFormat.of().parseHex("0000010000030100000300000300"),
                HexFormat.of().parseHex("03674d400265880141"));
    }

    @Override
    public void read(byte[] input) {
        MemorySegment bytes = MemorySegment.ofArray(input).asReadOnly();
        for (int lengthBytes : new int[] {1, 2, 4}) {
            try {
                List<MemorySegment> units = NalUnits.ofLengthPrefixed(bytes, lengthBytes);
                List<MemorySegment> walked = new ArrayList<>();
                NalUnits.forEach(bytes, lengthBytes, walked::add);
                require(same(units, walked), "forEach differs");
                require(
                        same(units, NalUnits.ofLengthPrefixed(NalUnits.toLengthPrefixed(units), 4)),
                        "behind lengths");
                NalUnits.isAvcIdr(bytes, lengthBytes);
                NalUnits.isHevcRandomAccess(bytes, lengthBytes);
            } catch (MalformedMediaException _) {
                // The one exception that callers expect.
            }
        }
        try {
            List<MemorySegment> units = NalUnits.ofAnnexB(bytes);
            require(
                    same(units, NalUnits.ofLengthPrefixed(NalUnits.toLengthPrefixed(units), 4)),
                    "start codes to lengths");
            require(same(units, NalUnits.ofAnnexB(NalUnits.toAnnexB(units))), "behind start codes");
        } catch (MalformedMediaException _) {
            // The one exception that callers expect.
        }
        require(NalUnits.unescaped(bytes).byteSize() <= input.length, "longer without escapes");
    }

    private static boolean same(List<MemorySegment> left, List<MemorySegment> right) {
        boolean same = left.size() == right.size();
        for (int i = 0; same && i < left.size(); i++) {
            same = left.get(i).mismatch(right.get(i)) < 0;
        }
        return same;
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
