package touchline.ingest.flv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.Track;
import touchline.media.codec.MalformedMediaException;

class FlvDemuxerTest {
    private static final String AVC_CONFIG =
            "014d400dffe10019674d400deca0a0cfcf8088000003000800000301e078a14cb001000468ce0fc8";
    private static final String AVC_HEADER = "1700000000" + AVC_CONFIG;
    private static final String OTHER_AVC_HEADER = AVC_HEADER.replace("68ce0fc8", "68ce0fc9");
    private static final String AAC_HEADER = "af00119056e500";
    private static final String OTHER_AAC_HEADER = "af001210";
    private static final String HEVC_CONFIG =
            "0101600000009000000000003cf000fcfdf8f800000f03a00001001840010c01ffff016000000300"
                    + "90000003000003003c959409a10001002b42010101600000030090000003000003003ca00a08"
                    + "0c1f3e595952930bc05a020000030002000003003c10a2000100064401c073c189";
    private static final String OPUS_HEAD = "4f707573486561640102380180bb0000000000";
    private static final String KEY_FRAME = "1701000042" + "0000000265b8";
    private static final String FRAME = "27010000f0" + "00000002419a";
    private static final String AUDIO = "af01" + "2100";

    private final List<String> log = new ArrayList<>();
    private final List<AccessUnit> units = new ArrayList<>();
    private final List<Track> tracks = new ArrayList<>();
    private final FlvDemuxer demuxer =
            new FlvDemuxer(
                    new FlvDemuxer.Output() {
                        @Override
                        public void begin(List<Track> begun) {
                            log.add("begin " + begun.stream().map(Track::id).toList());
                            tracks.clear();
                            tracks.addAll(begun);
                        }

                        @Override
                        public void write(AccessUnit unit) {
                            assertTrue(unit.payload().isReadOnly());
                            units.add(unit);
                            log.add(
                                    "%d %d%+d%s %s"
                                            .formatted(
                                                    unit.track().id(),
                                                    unit.dtsTicks(),
                                                    unit.compositionTimeOffsetTicks(),
                                                    unit.idr() ? " idr" : "",
                                                    hex(unit.payload())));
                        }
                    });

    @Test
    void avcAndAac_becomeTracksAndUnits() {
        video(0, AVC_HEADER);
        audio(0, AAC_HEADER);
        video(0, KEY_FRAME);
        audio(21, AUDIO);
        video(33, FRAME);

        assertEquals(
                List.of(
                        "begin [1, 2]",
                        "1 0+5940 idr 0000000265b8",
                        "2 1008+0 idr 2100",
                        "1 2970+21600 00000002419a"),
                log);
        var avc = assertInstanceOf(CodecConfig.Avc.class, tracks.getFirst().codec());
        assertEquals(320, avc.config().width());
        assertEquals("avc1.4d400d", avc.rfc6381());
        assertEquals(90_000, tracks.getFirst().timescale().ticksPerSecond());
        assertEquals(48_000, tracks.getLast().timescale().ticksPerSecond());
    }

    @Test
    void payload_isASliceOfTheMessage() {
        byte[] message = HexFormat.of().parseHex(KEY_FRAME);
        video(0, AVC_HEADER);
        audio(0, AAC_HEADER);

        demuxer.video(0, MemorySegment.ofArray(message).asReadOnly());
        message[message.length - 1] = 0x77;

        assertEquals("000000026577", hex(units.getFirst().payload()));
    }

    @Test
    void announcedVideoOnly_beginsAtOnce() {
        demuxer.expect(true, false);
        video(0, AVC_HEADER);
        video(0, KEY_FRAME);

        assertEquals(List.of("begin [1]", "1 0+5940 idr 0000000265b8"), log);
    }

    @Test
    void announcedAudioOnly_beginsAtOnce() {
        audio(0, AAC_HEADER);
        demuxer.expect(false, true);

        assertEquals(List.of("begin [2]"), log);
    }

    @Test
    void unannouncedVideoOnly_beginsAfterASecondOfMedia() {
        video(0, AVC_HEADER);
        video(0, KEY_FRAME);
        video(500, FRAME);
        assertEquals(List.of(), log);

        video(1_000, FRAME);

        assertEquals(4, log.size());
        assertEquals("begin [1]", log.getFirst());
    }

    @Test
    void unannouncedVideoOnly_withoutTimes_beginsAfterManyUnits() {
        video(0, AVC_HEADER);
        for (int i = 0; i < TrackDiscovery.MAX_UNITS - 1; i++) {
            video(0, FRAME);
        }
        assertEquals(List.of(), log);

        video(0, FRAME);

        assertEquals(1 + TrackDiscovery.MAX_UNITS, log.size());
    }

    @Test
    void audioThatComesLater_beginsAnew() {
        demuxer.expect(true, false);
        video(0, AVC_HEADER);
        video(0, KEY_FRAME);
        audio(2_000, AAC_HEADER);
        audio(2_000, AUDIO);

        assertEquals(
                List.of(
                        "begin [1]",
                        "1 0+5940 idr 0000000265b8",
                        "begin [1, 2]",
                        "2 96000+0 idr 2100"),
                log);
    }

    @Test
    void header_repeated_changesNothing_changed_beginsAnew() {
        video(0, AVC_HEADER);
        audio(0, AAC_HEADER);
        video(0, AVC_HEADER);
        audio(0, AAC_HEADER);
        assertEquals(List.of("begin [1, 2]"), log);

        video(0, OTHER_AVC_HEADER);
        audio(0, OTHER_AAC_HEADER);

        assertEquals(List.of("begin [1, 2]", "begin [1, 2]", "begin [1, 2]"), log);
        assertEquals(44_100, tracks.getLast().timescale().ticksPerSecond());
    }

    @Test
    void headerChanged_beforeTheStart_dropsWhatItReplaces() {
        video(0, AVC_HEADER);
        video(0, KEY_FRAME);
        video(0, OTHER_AVC_HEADER);
        audio(0, AAC_HEADER);

        assertEquals(List.of("begin [1, 2]"), log);
    }

    @Test
    void headerChanged_beforeTheStart_lowersTheHeldBytes() {
        video(0, AVC_HEADER);
        demuxer.video(0, keyFrame(TrackDiscovery.MAX_BYTES * 3 / 4));
        video(0, OTHER_AVC_HEADER);
        demuxer.video(0, keyFrame(TrackDiscovery.MAX_BYTES * 3 / 4));
        assertEquals(0, log.size());

        audio(0, AAC_HEADER);

        assertEquals("begin [1, 2]", log.getFirst());
        assertEquals(1, units.size());
    }

    @Test
    void units_beforeTheirHeader_areDroppedAndCounted() {
        video(0, KEY_FRAME);
        audio(0, AUDIO);

        assertEquals(2, demuxer.droppedUnits());
        assertEquals(List.of(), log);
    }

    @Test
    void nalLengths_ofTwoBytes_areWidened() {
        demuxer.expect(true, false);
        video(0, AVC_HEADER.replace("014d400dff", "014d400dfd"));
        video(0, "1701000000" + "000265b8" + "0000" + "000106");

        assertEquals("1 0+0 idr 0000000265b8" + "0000000106", log.getLast());
        var avc = assertInstanceOf(CodecConfig.Avc.class, tracks.getFirst().codec());
        assertEquals(4, avc.config().nalLengthBytes());
    }

    @Test
    void emptyUnitsAndPadding_areDropped() {
        demuxer.expect(true, false);
        video(0, AVC_HEADER);
        video(0, "2701000000" + "00000000" + "00000002419a" + "00000000" + "0000");
        video(0, "2701000000" + "00000000");

        assertEquals(List.of("begin [1]", "1 0+0 00000002419a"), log);
    }

    @Test
    void idrUnit_inAFrameNotMarked_isAKeyFrame() {
        demuxer.expect(true, false);
        video(0, AVC_HEADER);
        video(0, "2701000000" + "0000000265b8");

        assertEquals("1 0+0 idr 0000000265b8", log.getLast());
    }

    @ParameterizedTest
    @CsvSource({
        "1701000000 00000009 aabb, NAL unit length: 9 (expected: <= 2)",
        "1701000000 ffffffff aabb, NAL unit length: 4294967295 (expected: <= 2)",
        "1701000000 00000001 65 01, NAL units: 1 bytes left over (expected: 0)",
        "1701000000 00000001 65 010203, NAL units: 3 bytes left over (expected: 0)",
        "17010000, FLV tag: 4 bytes (expected: more)",
        "17, FLV tag: 1 bytes (expected: more)"
    })
    void wrongFrame_isMalformed_andTheNextIsTaken(String payload, String message) {
        demuxer.expect(true, false);
        video(0, AVC_HEADER);

        var refused = assertThrows(MalformedMediaException.class, () -> video(0, payload));
        video(0, KEY_FRAME);

        assertEquals(message, refused.getMessage());
        assertEquals("1 0+5940 idr 0000000265b8", log.getLast());
    }

    @ParameterizedTest
    @CsvSource({"9068766331, 9168766331000042, 9368766331", "1c00000000, 1c01000042, 1c01000000"})
    void hevc_inBothForms_isTaken(String header, String withTime, String withoutTime) {
        demuxer.expect(true, false);
        video(0, header + HEVC_CONFIG);
        video(0, withTime + "00000003260102");
        video(33, withoutTime + "00000003260102");

        assertEquals(
                List.of("begin [1]", "1 0+5940 idr 00000003260102", "1 2970+0 idr 00000003260102"),
                log);
        assertInstanceOf(CodecConfig.Hevc.class, tracks.getFirst().codec());
    }

    @Test
    void enhancedAvc_withModEx_isTaken() {
        demuxer.expect(true, false);
        video(0, "9061766331" + AVC_CONFIG);
        video(0, "97 02 aabbcc 01 61766331 000000 0000000265b8");

        assertEquals("1 0+0 idr 0000000265b8", log.getLast());
    }

    @Test
    void enhancedOpusAndAac_areTaken() {
        demuxer.expect(false, true);
        audio(0, "90 4f707573" + OPUS_HEAD);
        audio(20, "91 4f707573 fcaabb");
        audio(40, "90 6d703461 119056e500");
        audio(40, "91 6d703461 2100");

        assertEquals(
                List.of("begin [2]", "2 960+0 idr fcaabb", "begin [2]", "2 1920+0 idr 2100"), log);
    }

    @ParameterizedTest
    @CsvSource({"2e", "91 2e6d7033"})
    void mp3_needsNoHeader_andSplitsFrames(String header) {
        String frame = "fffb9000" + "00".repeat(413);
        demuxer.expect(false, true);
        audio(26, header + frame + frame);

        assertEquals("begin [2]", log.getFirst());
        assertEquals(List.of(1_147L, 2_299L), units.stream().map(AccessUnit::dtsTicks).toList());
        assertEquals(new CodecConfig.Mp3(44_100, 2), tracks.getFirst().codec());
    }

    @ParameterizedTest
    @CsvSource({"2e 00112233", "2e fffff000", "2e ffea9000", "2e fffb9c00"})
    void wrongMp3_isMalformed(String payload) {
        assertThrows(MalformedMediaException.class, () -> audio(0, payload));
    }

    @ParameterizedTest
    @CsvSource({
        "fffb9000, 44100, 2, 417",
        "fffb9200, 44100, 2, 418",
        "fff380c0, 22050, 1, 208",
        "ffe318c4, 8000, 1, 72",
        "fffbe4c4, 48000, 1, 960"
    })
    void mp3Header_isRead(String header, int sampleRateHz, int channels, int lengthBytes) {
        Mp3Frame frame = Mp3Frame.parse(segment(header));

        assertEquals(sampleRateHz, frame.sampleRateHz());
        assertEquals(channels, frame.channels());
        assertEquals(lengthBytes, frame.lengthBytes());
    }

    @ParameterizedTest
    @CsvSource({"1200 0a0b, 0a0b", "160000 0a0b, 0a0b", "10, ''", "120012000a, 0a", "0a0b, 0a0b"})
    void temporalDelimiter_isLeftOut(String body, String expected) {
        assertEquals(expected, hex(ObuPayload.withoutDelimiter(segment(body))));
    }

    @ParameterizedTest
    @CsvSource({"''", "57", "1702000000", "92 61766331", "94 61766331", "d100"})
    void videoTags_withoutMedia_areIgnored(String payload) {
        video(0, payload);

        assertEquals(List.of(), log);
    }

    @Test
    void randomTags_endInMalformedOrUnsupportedAndNothingElse() {
        var random = new Random(20_261_120);
        int refused = 0;
        for (int round = 0; round < 50_000; round++) {
            byte[] bytes = HexFormat.of().parseHex(round % 2 == 0 ? KEY_FRAME : AVC_HEADER);
            for (int i = 0; i <= round % 4; i++) {
                bytes[random.nextInt(Math.min(8 + i, bytes.length))] = (byte) random.nextInt();
            }
            MemorySegment payload = MemorySegment.ofArray(bytes).asReadOnly();
            try {
                if (round % 3 == 0) {
                    demuxer.audio(round, payload);
                } else {
                    demuxer.video(round, payload);
                }
            } catch (MalformedMediaException | UnsupportedCodecException e) {
                refused++;
            }
        }
        assertTrue(refused > 10_000, "refused: " + refused);
    }

    private void video(long timestampMs, String payload) {
        demuxer.video(timestampMs, segment(payload));
    }

    private void audio(long timestampMs, String payload) {
        demuxer.audio(timestampMs, segment(payload));
    }

    /** A video message with one IDR unit of a given size. */
    private static MemorySegment keyFrame(long unitBytes) {
        ByteBuffer message = ByteBuffer.allocate(Math.toIntExact(5 + 4 + unitBytes));
        message.put(HexFormat.of().parseHex("1701000000")).putInt((int) unitBytes).put((byte) 0x65);
        return MemorySegment.ofArray(message.array()).asReadOnly();
    }

    private static MemorySegment segment(String hex) {
        return MemorySegment.ofArray(HexFormat.of().parseHex(hex.replace(" ", ""))).asReadOnly();
    }

    private static String hex(MemorySegment payload) {
        return HexFormat.of().formatHex(payload.toArray(ValueLayout.JAVA_BYTE));
    }
}
