package touchline.media.ffmpeg;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import touchline.media.CodecConfig;
import touchline.media.codec.Av1Config;
import touchline.media.codec.Av1SequenceHeader;
import touchline.media.codec.HevcSps;
import touchline.media.codec.NalUnits;
import touchline.media.codec.Sps;
import touchline.media.codec.VideoSequence;

/**
 * Sequence headers of access units, read before a decoder sees them: a decoder allocates what a
 * header demands. Stateless, any thread.
 */
final class SequenceHeaders {
    private SequenceHeaders() {}

    /**
     * Returns the sequences that an access unit of the track brings along, mostly none.
     *
     * @throws touchline.media.codec.MalformedMediaException one is invalid or too large
     */
    static List<VideoSequence> inside(CodecConfig codec, MemorySegment accessUnit) {
        List<VideoSequence> found = new ArrayList<>(0);
        switch (codec) {
            case CodecConfig.Avc(var config) ->
                    NalUnits.forEach(
                            accessUnit,
                            config.nalLengthBytes(),
                            unit -> {
                                if (NalUnits.avcType(unit) == NalUnits.AVC_SPS) {
                                    found.add(Sps.parse(unit).sequence());
                                }
                            });
            case CodecConfig.Hevc(var config) ->
                    NalUnits.forEach(
                            accessUnit,
                            config.nalLengthBytes(),
                            unit -> {
                                if (NalUnits.hevcType(unit) == NalUnits.HEVC_SPS
                                        && NalUnits.hevcLayer(unit) == 0) {
                                    found.add(HevcSps.parse(unit).sequence());
                                }
                            });
            case CodecConfig.Av1 _ ->
                    Av1Config.sequenceHeaders(accessUnit).stream()
                            .map(Av1SequenceHeader::sequence)
                            .forEach(found::add);
            case CodecConfig.Aac _, CodecConfig.Opus _, CodecConfig.Mp3 _ -> {}
        }
        return found;
    }
}
