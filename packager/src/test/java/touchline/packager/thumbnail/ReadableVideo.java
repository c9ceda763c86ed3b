package touchline.packager.thumbnail;

import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import java.util.List;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.codec.AvcConfig;

/** Frames under a configuration that can be read back from their init segment. */
final class ReadableVideo {
    static final Track TRACK =
            new Track(
                    Track.VIDEO_ID,
                    Timescale.VIDEO,
                    new CodecConfig.Avc(
                            AvcConfig.parse(
                                    MemorySegment.ofArray(
                                            HexFormat.of()
                                                    .parseHex(
                                                            "0164001fffe1001a6764001facd9405005bb"
                                                                    + "0110000003001000000303c0f18319"
                                                                    + "6001000468ef8fcb")))));

    private ReadableVideo() {}

    static List<AccessUnit> of(List<AccessUnit> units) {
        return units.stream()
                .map(unit -> unit.at(TRACK, unit.dtsTicks(), unit.compositionTimeOffsetTicks()))
                .toList();
    }
}
