package touchline.ingest.flv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import touchline.media.AccessUnit;
import touchline.media.Track;
import touchline.media.hub.TrackNumber;

/** Multitrack messages of Enhanced RTMP v2 (ExVideoTagHeader, ExAudioTagHeader). */
class FlvMultitrackTest {
    private static final String AVC_CONFIG =
            "014d400dffe10019674d400deca0a0cfcf8088000003000800000301e078a14cb001000468ce0fc8";

    private static final String AVC_HEADER = "1700000000" + AVC_CONFIG;

    private static final String HEVC_CONFIG =
            "0101600000009000000000003cf000fcfdf8f800000f03a00001001840010c01ffff016000000300"
                    + "90000003000003003c959409a10001002b42010101600000030090000003000003003ca00a08"
                    + "0c1f3e595952930bc05a020000030002000003003c10a2000100064401c073c189";

    private static final String KEY_FRAME = "1701000042" + "0000000265b8";

    private final List<String> log = new ArrayList<>();
    private final List<String> further = new ArrayList<>();
    private final FlvDemuxer demuxer =
            new FlvDemuxer(
                    new FlvDemuxer.Output() {
                        @Override
                        public void begin(List<Track> begun) {
                            log.add("begin " + begun.stream().map(Track::id).toList());
                        }

                        @Override
                        public void write(AccessUnit unit) {
                            log.add(unit.track().id() + " " + text(unit));
                        }

                        @Override
                        public void further(TrackNumber number, AccessUnit unit) {
                            further.add(number + ": " + text(unit));
                        }

                        @Override
                        public void refused(TrackNumber number, String reason) {
                            further.add(number + " refused: " + reason);
                        }
                    });

    private static String text(AccessUnit unit) {
        return "%d%+d%s %s"
                .formatted(
                        unit.dtsTicks(),
                        unit.compositionTimeOffsetTicks(),
                        unit.idr() ? " idr" : "",
                        hex(unit.payload()));
    }

    @Test
    void enhancedMultitrack_trackZeroIsTheFirstTrack() {
        demuxer.expect(true, false);
        video(0, "96 00 61766331 00" + AVC_CONFIG);
        video(0, "96 11 61766331 01 000003 aaaaaa 00 000009 000000 0000000265b8");
        video(0, "96 23 68766331 01 000001 aa 61766331 00 000006 0000000265b9");
        video(0, "96 03 61766331 01 0000000265ba");

        assertEquals(List.of("begin [1]", "1 0+0 idr 0000000265b8", "1 0+0 idr 0000000265b9"), log);
        assertEquals(List.of(), further, "track 0 alone, or without a configuration");
    }

    @Test
    void oneTrackMessages_areFurtherTracks() {
        video(0, "96 00 61766331 01" + AVC_CONFIG);
        video(40, "96 01 61766331 01 000028 0000000265b8");
        video(80, "a6 03 61766331 01 00000002419a");
        audio(0, "95 00 6d703461 02 119056e500");
        audio(21, "95 01 6d703461 02 2100");

        assertEquals(List.of(), log);
        assertEquals(
                List.of(
                        "video track 1: 3600+3600 idr 0000000265b8",
                        "video track 1: 7200+0 00000002419a",
                        "audio track 2: 1008+0 idr 2100"),
                further);
    }

    @Test
    void manyTracksOfOneCodec_inOneMessage() {
        demuxer.expect(true, false);
        String config = "00002a" + AVC_CONFIG;
        assertEquals(0x2a, AVC_CONFIG.length() / 2 + 2, "two bytes of filling");
        video(0, "96 10 61766331 00" + config + "0000 07" + config + "0000");
        video(0, "96 13 61766331 07 000006 0000000265b8 00 000006 0000000265b9");

        assertEquals(List.of("begin [1]", "1 0+0 idr 0000000265b9"), log);
        assertEquals(List.of("video track 7: 0+0 idr 0000000265b8"), further);
    }

    @Test
    void manyTracksOfManyCodecs_andOneThatIsNotSupported() {
        demuxer.expect(true, false);
        video(0, AVC_HEADER);
        String hevc = "%06x".formatted(HEVC_CONFIG.length() / 2) + HEVC_CONFIG;
        video(0, "96 20 76703039 03 000001 00 68766331 01" + hevc);
        video(0, "96 23 76703039 03 000001 00 68766331 01 000007 00000003260141");
        video(0, KEY_FRAME);

        assertEquals(List.of("begin [1]", "1 0+5940 idr 0000000265b8"), log);
        assertEquals(
                List.of(
                        "video track 3 refused: VP9 is not supported",
                        "video track 1: 0+0 idr 00000003260141"),
                further);
    }

    @Test
    void tracksBeyondTheLimit_andBrokenOnes_areRefusedOnce() {
        for (int id = 1; id <= 7; id++) {
            String number = "%02x".formatted(id);
            video(0, "96 00 61766331 " + number + AVC_CONFIG);
            video(0, "96 03 61766331 " + number + "0000000265b8");
            audio(0, "95 00 6d703461 " + number + "119056e500");
        }
        audio(0, "95 00 2e6d7033 01 00");
        audio(0, "95 00 6d703461 02 11");

        assertEquals(
                List.of(
                        "video track 6 refused: at most 5 further video tracks are taken",
                        "video track 7 refused: at most 5 further video tracks are taken",
                        "audio track 5 refused: at most 4 further audio tracks are taken",
                        "audio track 6 refused: at most 4 further audio tracks are taken",
                        "audio track 7 refused: at most 4 further audio tracks are taken",
                        "audio track 1 refused: MP3 is taken as the first audio track only"),
                further.stream()
                        .filter(line -> line.contains("refused") && !line.contains("broken"))
                        .sorted(Comparator.comparing(line -> !line.startsWith("video")))
                        .toList());
        assertTrue(
                further.getLast().startsWith("audio track 2 refused: broken media"),
                further::toString);
        assertEquals(5, further.stream().filter(line -> line.endsWith("65b8")).count());
    }

    private void video(long timestampMs, String payload) {
        demuxer.video(timestampMs, segment(payload));
    }

    private void audio(long timestampMs, String payload) {
        demuxer.audio(timestampMs, segment(payload));
    }

    private static String hex(MemorySegment payload) {
        return HexFormat.of().formatHex(payload.toArray(ValueLayout.JAVA_BYTE));
    }

    private static MemorySegment segment(String hex) {
        return MemorySegment.ofArray(HexFormat.of().parseHex(hex.replace(" ", ""))).asReadOnly();
    }
}
