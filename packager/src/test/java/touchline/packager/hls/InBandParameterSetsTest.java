package touchline.packager.hls;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.Interruption;
import touchline.media.Track;
import touchline.media.codec.AvcConfig;
import touchline.media.codec.NalUnits;
import touchline.packager.isobmff.BoxReader;
import touchline.testing.CodecRecords;

class InBandParameterSetsTest {
    private static final String SETS_720 =
            "001a6764001facd9405005bb0110000003001000000303c0f18319600100" + "0468ef8fcb";
    private static final Track LARGE = track("0164001fffe1" + SETS_720);
    private static final Track SMALL =
            track(
                    "0142c01effe100196742c01eda0280bfe5c044000003000400000300c83c58ba80"
                            + "01000468ce0fc8");

    private final PackagerRig rig = new PackagerRig(LatencyProfile.standard());

    @AfterEach
    void everyBlockIsGivenBack() {
        rig.window.close();
        assertEquals(0, rig.memory.liveBlocks());
    }

    @Test
    void configurationThatStays_isInTheInitSegmentsOnly() {
        rig.feed(TestMedia.timeline(0, 0, LARGE)).feed(video(LARGE, 0)).feed(gone());
        rig.feed(TestMedia.timeline(1, 9_000, LARGE)).feed(video(LARGE, 9_000)).run();

        assertEquals(List.of(List.of(5), List.of(5)), keyFrames());
    }

    @Test
    void anotherConfiguration_isInItsKeyFramesToo() {
        rig.feed(TestMedia.timeline(0, 0, LARGE)).feed(video(LARGE, 0)).feed(gone());
        rig.feed(TestMedia.timeline(1, 9_000, SMALL)).feed(video(SMALL, 9_000)).feed(gone());
        rig.feed(TestMedia.timeline(2, 19_000, LARGE)).feed(video(LARGE, 19_000)).run();

        assertEquals(List.of(List.of(5), List.of(7, 8, 5), List.of(7, 8, 5)), keyFrames());
    }

    @Test
    void delimiter_staysFirst() {
        AccessUnit unit = unit(LARGE, 0, new byte[] {0, 0, 0, 2, 9, 0x10, 0, 0, 0, 1, 0x65});

        MemorySegment written = InBandParameterSets.write(unit).payload();

        assertEquals(List.of(9, 7, 8, 5), types(written));
        assertArrayEquals(
                HexFormat.of().parseHex("0000000209100000001a67"),
                written.asSlice(0, 11).toArray(ValueLayout.JAVA_BYTE));
    }

    /** Types 35, 32, 33, 34 and 19: delimiter, VPS, SPS, PPS, IDR (Rec. ITU-T H.265, 7.4.2.2). */
    @Test
    void hevc_hasItsThreeSetsBehindTheDelimiter() {
        Track hevc = new Track(Track.VIDEO_ID, TestMedia.VIDEO.timescale(), CodecRecords.hevc());
        byte[] frame = {0, 0, 0, 3, 0x46, 1, 0x10, 0, 0, 0, 2, 0x26, 1};
        AccessUnit unit = new AccessUnit(hevc, 0, 0, true, MemorySegment.ofArray(frame));

        MemorySegment written = InBandParameterSets.write(unit).payload();

        assertEquals(
                List.of(35, 32, 33, 34, 19),
                NalUnits.ofLengthPrefixed(written, 4).stream()
                        .map(each -> (each.get(ValueLayout.JAVA_BYTE, 0) & 0x7E) >> 1)
                        .toList());
    }

    @Test
    void av1_staysAsItIs() {
        Track av1 = new Track(Track.VIDEO_ID, TestMedia.VIDEO.timescale(), CodecRecords.av1());
        AccessUnit unit =
                new AccessUnit(av1, 0, 0, true, MemorySegment.ofArray(new byte[] {0x32, 1, 0}));

        assertSame(unit, InBandParameterSets.write(unit));
    }

    @Test
    void payloadWithoutAnUnit_getsTheSets() {
        AccessUnit unit =
                new AccessUnit(LARGE, 0, 0, true, MemorySegment.ofArray(new byte[] {0, 0, 0, 0}));

        MemorySegment written = InBandParameterSets.write(unit).payload();

        assertEquals(List.of(7, 8), types(written.asSlice(0, written.byteSize() - 4)));
    }

    private static Interruption gone() {
        return Interruption.PUBLISHER_GONE;
    }

    /** NAL unit types of the first sample of each segment. */
    private List<List<Integer>> keyFrames() {
        List<List<Integer>> types = new ArrayList<>();
        for (byte[] part : rig.sink.partBytes) {
            BoxReader.Box moof = BoxReader.walk(MemorySegment.ofArray(part)).getFirst();
            BoxReader.Box traf = moof.child("traf").orElseThrow();
            long size = traf.child("trun").orElseThrow().u32(16);
            long at = traf.child("trun").orElseThrow().i32(8);
            types.add(types(MemorySegment.ofArray(part).asSlice(at, size)));
        }
        return types;
    }

    private static List<Integer> types(MemorySegment payload) {
        return NalUnits.ofLengthPrefixed(payload, 4).stream().map(NalUnits::avcType).toList();
    }

    private static Track track(String avcC) {
        MemorySegment bytes = MemorySegment.ofArray(HexFormat.of().parseHex(avcC));
        return new Track(
                Track.VIDEO_ID,
                TestMedia.VIDEO.timescale(),
                new CodecConfig.Avc(AvcConfig.parse(bytes)));
    }

    /** One part of half a second. */
    private static List<AccessUnit> video(Track track, long startMs) {
        List<AccessUnit> units = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            byte[] frame = {0, 0, 0, 3, (byte) (i == 0 ? 0x65 : 0x41), 1, 2};
            units.add(unit(track, startMs + i * 50L, frame));
        }
        return units;
    }

    private static AccessUnit unit(Track track, long dtsMs, byte[] payload) {
        boolean key = payload[4] == 0x65 || payload[4] == 9;
        return new AccessUnit(track, dtsMs * 90, 0, key, MemorySegment.ofArray(payload));
    }
}
