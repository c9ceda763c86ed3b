package touchline.packager.hls;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.codec.MalformedMediaException;
import touchline.media.codec.NalUnits;
import touchline.packager.isobmff.Fragment;

/**
 * Writes the parameter sets of H.264 and H.265 into key frames, beside those of the init segment.
 *
 * <p>libavformat skips every {@code moov} but the first one of a playlist. ffmpeg, ffplay and mpv
 * would decode frames of another size with the parameter sets of the size before. A decoder takes
 * those in the frame. The sample entry stays {@code avc1} or {@code hvc1}, as all players know it,
 * although ISO/IEC 14496-15, 5.3.3.1.2 has other names for this; decoders accept the repeated sets.
 * Stateless.
 */
final class InBandParameterSets {
    private static final int HEVC_ACCESS_UNIT_DELIMITER = 35;

    private InBandParameterSets() {}

    /** The same samples; parameter sets stand before each key frame. */
    static Fragment.Run write(Fragment.Run run) {
        List<Fragment.Sample> samples = new ArrayList<>(run.samples().size());
        for (Fragment.Sample sample : run.samples()) {
            samples.add(
                    sample.unit().isKeyFrame()
                            ? new Fragment.Sample(
                                    write(sample.unit()),
                                    sample.decodeTicks(),
                                    sample.durationTicks())
                            : sample);
        }
        return new Fragment.Run(run.track(), samples);
    }

    /** The same frame with parameter sets; without any, and for other codecs, as it is. */
    static AccessUnit write(AccessUnit unit) {
        try {
            return written(unit);
        } catch (MalformedMediaException _) {
            // A record without parameter sets: they are in the frames already.
            return unit;
        }
    }

    private static AccessUnit written(AccessUnit unit) {
        return switch (unit.track().codec()) {
            case CodecConfig.Avc(var config) -> {
                List<MemorySegment> sets = new ArrayList<>(config.sequenceParameterSets());
                sets.addAll(config.frameParameterSets());
                yield insert(unit, sets, config.nalLengthBytes(), /* hevc= */ false);
            }
            case CodecConfig.Hevc(var config) -> {
                List<MemorySegment> sets = new ArrayList<>(config.units(NalUnits.HEVC_VPS));
                sets.addAll(config.units(NalUnits.HEVC_SPS));
                sets.addAll(config.units(NalUnits.HEVC_PPS));
                yield insert(unit, sets, config.nalLengthBytes(), /* hevc= */ true);
            }
            case CodecConfig.Av1 _, CodecConfig.Aac _, CodecConfig.Opus _, CodecConfig.Mp3 _ ->
                    unit;
        };
    }

    private static AccessUnit insert(
            AccessUnit unit, List<MemorySegment> sets, int lengthBytes, boolean hevc) {
        MemorySegment payload = unit.payload();
        long head = delimiterBytes(payload, lengthBytes, hevc);
        long added = 0;
        for (MemorySegment set : sets) {
            added += lengthBytes + set.byteSize();
        }
        MemorySegment out =
                MemorySegment.ofArray(new byte[Math.toIntExact(payload.byteSize() + added)]);
        MemorySegment.copy(payload, 0, out, 0, head);
        long at = head;
        for (MemorySegment set : sets) {
            for (int i = 0; i < lengthBytes; i++) {
                int shift = 8 * (lengthBytes - 1 - i);
                out.set(ValueLayout.JAVA_BYTE, at + i, (byte) (set.byteSize() >> shift));
            }
            MemorySegment.copy(set, 0, out, at + lengthBytes, set.byteSize());
            at += lengthBytes + set.byteSize();
        }
        MemorySegment.copy(payload, head, out, at, payload.byteSize() - head);
        return new AccessUnit(
                unit.track(), unit.dtsTicks(), unit.compositionTimeOffsetTicks(), unit.idr(), out);
    }

    /** An access unit delimiter stands before everything else. */
    private static long delimiterBytes(MemorySegment payload, int lengthBytes, boolean hevc) {
        if (payload.byteSize() <= lengthBytes) {
            return 0;
        }
        long size = 0;
        for (int i = 0; i < lengthBytes; i++) {
            size = size << 8 | payload.get(ValueLayout.JAVA_BYTE, i) & 0xFF;
        }
        int header = payload.get(ValueLayout.JAVA_BYTE, lengthBytes) & 0xFF;
        boolean delimiter =
                hevc
                        ? (header >> 1) == HEVC_ACCESS_UNIT_DELIMITER
                        : (header & 0x1F) == NalUnits.AVC_ACCESS_UNIT_DELIMITER;
        long end = lengthBytes + size;
        return delimiter && end <= payload.byteSize() ? end : 0;
    }
}
