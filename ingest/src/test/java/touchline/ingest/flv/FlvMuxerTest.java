package touchline.ingest.flv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.codec.Av1Config;
import touchline.media.codec.HevcConfig;
import touchline.testing.CodecRecords;
import touchline.testing.SyntheticStream;

class FlvMuxerTest {
    private static final String HEVC_CONFIG =
            "0101600000009000000000003cf000fcfdf8f800000f03a00001001840010c01ffff016000000300"
                    + "90000003000003003c959409a10001002b42010101600000030090000003000003003ca00a08"
                    + "0c1f3e595952930bc05a020000030002000003003c10a2000100064401c073c189";
    private static final String AV1_CONFIG = "810800000a0b00000024c4ffdf3fe01004";

    private static final CodecConfig HEVC =
            new CodecConfig.Hevc(HevcConfig.parse(bytes(HEVC_CONFIG)));

    /** A codec, a frame of it, and what its tags begin with. */
    record Case(CodecConfig codec, int rateHz, String frame, String configTag, String frameTag) {
        Track track() {
            int id = codec.isVideo() ? Track.VIDEO_ID : Track.AUDIO_ID;
            return new Track(id, new Timescale(rateHz), codec);
        }
    }

    static Stream<Case> codecs() {
        return Stream.of(
                new Case(
                        SyntheticStream.VIDEO_TRACK.codec(),
                        90_000,
                        "0000000265b8",
                        "1700000000",
                        "1701000042"),
                new Case(HEVC, 90_000, "000000032601af", "9068766331", "9168766331000042"),
                new Case(
                        new CodecConfig.Av1(Av1Config.parse(bytes(AV1_CONFIG))),
                        90_000,
                        "32021000",
                        "9061763031",
                        "9161763031"),
                new Case(
                        SyntheticStream.AUDIO_TRACK.codec(),
                        48_000,
                        "210049900219",
                        "af00",
                        "af01"),
                new Case(CodecRecords.opus(), 48_000, "fc0102", "904f707573", "914f707573"));
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void tags_areReadBack(Case each) {
        MemorySegment payload = bytes(each.frame());
        boolean offset = each.codec() instanceof CodecConfig.Avc || each.codec().equals(HEVC);
        int compositionMs = offset ? 0x42 : 0;
        AccessUnit unit = new AccessUnit(each.track(), 0, 0, true, payload);
        MemorySegment header = FlvMuxer.configuration(each.codec()).orElseThrow();
        MemorySegment frame = FlvMuxer.frame(unit, compositionMs);
        List<AccessUnit> units = new ArrayList<>();

        FlvDemuxer demuxer = demuxer(units);
        demuxer.expect(each.codec().isVideo(), !each.codec().isVideo());
        pass(demuxer, each.codec().isVideo(), header);
        pass(demuxer, each.codec().isVideo(), frame);

        assertTrue(hex(header).startsWith(each.configTag()), hex(header));
        assertEquals(each.frameTag() + each.frame(), hex(frame));
        assertEquals(1, units.size());
        assertEquals(each.codec(), units.getFirst().track().codec());
        assertEquals(each.frame(), hex(units.getFirst().payload()));
        assertEquals(90L * compositionMs, units.getFirst().ptsTicks());
        assertTrue(units.getFirst().idr());
    }

    @Test
    void name_eachCodec_isTheUsualOne() {
        assertEquals("H.264", FlvMuxer.name(new CodecConfig.Avc(SyntheticStream.AVC)));
        assertEquals("HEVC", FlvMuxer.name(CodecRecords.hevc()));
        assertEquals("AV1", FlvMuxer.name(CodecRecords.av1()));
        assertEquals("AAC", FlvMuxer.name(new CodecConfig.Aac(SyntheticStream.AAC)));
        assertEquals("Opus", FlvMuxer.name(CodecRecords.opus()));
        assertEquals("MP3", FlvMuxer.name(new CodecConfig.Mp3(44_100, 2)));
    }

    /** FLV 10.1, E.4.3.1, and the four characters of Enhanced RTMP as a number. */
    @Test
    void metadataId_eachCodec_isItsNumberOrCode() {
        assertEquals(7, FlvMuxer.metadataId(new CodecConfig.Avc(SyntheticStream.AVC)));
        assertEquals(10, FlvMuxer.metadataId(new CodecConfig.Aac(SyntheticStream.AAC)));
        assertEquals(2, FlvMuxer.metadataId(new CodecConfig.Mp3(44_100, 2)));
        assertEquals(0x6876_6331, FlvMuxer.metadataId(CodecRecords.hevc()));
        assertEquals(0x6176_3031, FlvMuxer.metadataId(CodecRecords.av1()));
        assertEquals(0x4f70_7573, FlvMuxer.metadataId(CodecRecords.opus()));
    }

    @Test
    void frame_thatIsNoKeyFrame_isAnInterFrame_withANegativeOffset() {
        Track track = SyntheticStream.VIDEO_TRACK;
        AccessUnit unit = new AccessUnit(track, 0, 0, false, bytes("00000002419a"));

        assertEquals("2701ffffde00000002419a", hex(FlvMuxer.frame(unit, -34)));
        assertEquals(
                "a36876633100000002419a",
                hex(FlvMuxer.frame(unit.at(new Track(1, Timescale.VIDEO, HEVC), 0, 0), 0)));
    }

    @Test
    void mp3_hasNoConfiguration() {
        CodecConfig codec = new CodecConfig.Mp3(44_100, 2);
        Track track = new Track(Track.AUDIO_ID, new Timescale(44_100), codec);

        assertEquals(Optional.empty(), FlvMuxer.configuration(codec));
        assertEquals(
                "2ffffb", hex(FlvMuxer.frame(new AccessUnit(track, 0, 0, true, bytes("fffb")), 0)));
    }

    private static void pass(FlvDemuxer demuxer, boolean video, MemorySegment tag) {
        if (video) {
            demuxer.video(0, tag);
        } else {
            demuxer.audio(0, tag);
        }
    }

    private static FlvDemuxer demuxer(List<AccessUnit> units) {
        return new FlvDemuxer(
                new FlvDemuxer.Output() {
                    @Override
                    public void begin(List<Track> tracks) {}

                    @Override
                    public void write(AccessUnit unit) {
                        units.add(unit);
                    }
                });
    }

    private static MemorySegment bytes(String hex) {
        return MemorySegment.ofArray(HexFormat.of().parseHex(hex)).asReadOnly();
    }

    private static String hex(MemorySegment bytes) {
        return HexFormat.of().formatHex(bytes.toArray(ValueLayout.JAVA_BYTE));
    }
}
