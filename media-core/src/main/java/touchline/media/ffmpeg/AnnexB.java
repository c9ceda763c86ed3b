package touchline.media.ffmpeg;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import touchline.media.codec.AvcConfig;
import touchline.media.codec.NalUnits;

/**
 * Converts encoder output (byte stream format, ITU-T H.264, Annex B) to the form of containers: NAL
 * units with 4-byte length prefixes, parameter sets separate. Any thread.
 */
final class AnnexB {
    private AnnexB() {}

    /**
     * @param payload length-prefixed units, without parameter sets and delimiters
     * @param idr whether it has a slice of an IDR frame
     */
    record Unit(MemorySegment payload, boolean idr) {}

    /** Converts one access unit. */
    static Unit toLengthPrefixed(byte[] stream) {
        List<MemorySegment> kept = new ArrayList<>();
        boolean idr = false;
        for (MemorySegment unit : NalUnits.ofAnnexB(MemorySegment.ofArray(stream))) {
            int type = NalUnits.avcType(unit);
            if (type == NalUnits.AVC_SPS
                    || type == NalUnits.AVC_PPS
                    || type == NalUnits.AVC_ACCESS_UNIT_DELIMITER) {
                continue;
            }
            idr |= type == NalUnits.AVC_IDR;
            kept.add(unit);
        }
        return new Unit(NalUnits.toLengthPrefixed(kept).asReadOnly(), idr);
    }

    /** Builds the decoder configuration from an encoder's parameter sets. */
    static AvcConfig config(byte[] parameterSets) {
        List<MemorySegment> units = NalUnits.ofAnnexB(MemorySegment.ofArray(parameterSets));
        List<MemorySegment> sps = ofType(units, NalUnits.AVC_SPS);
        List<MemorySegment> pps = ofType(units, NalUnits.AVC_PPS);
        if (sps.isEmpty() || pps.isEmpty()) {
            throw new IllegalStateException("encoder returned no parameter sets");
        }
        return AvcConfig.of(sps, pps);
    }

    private static List<MemorySegment> ofType(List<MemorySegment> units, int type) {
        return units.stream().filter(unit -> NalUnits.avcType(unit) == type).toList();
    }
}
