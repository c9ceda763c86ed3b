package touchline.packager.isobmff;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import touchline.media.CodecConfig;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.codec.Av1Config;
import touchline.media.codec.HevcConfig;
import touchline.media.codec.OpusConfig;
import touchline.packager.hls.TestMedia;

final class InitSegmentTest {
    private static final Instant START = Instant.parse("2026-11-20T12:00:00.900Z");

    @Test
    void write_avcAndAac_dump() {
        byte[] init = InitSegment.write(List.of(TestMedia.VIDEO, TestMedia.AUDIO), START);

        assertEquals(
                """
                ftyp major=iso6 brands=iso6,cmfc,mp41
                moov
                  mvhd created=3878020800 timescale=1000 next=3
                  trak
                    tkhd flags=7 id=1 volume=0 size=1280x720
                    mdia
                      mdhd timescale=90000 language=55c4
                      hdlr vide
                      minf
                        vmhd 12 bytes
                        dinf
                          dref 20 bytes
                        stbl
                          stsd entries=1
                            avc1 size=1280x720
                              avcC 0164001f
                          stts 8 bytes
                          stsc 8 bytes
                          stsz 12 bytes
                          stco 8 bytes
                  trak
                    tkhd flags=7 id=2 volume=100 size=0x0
                    mdia
                      mdhd timescale=48000 language=55c4
                      hdlr soun
                      minf
                        smhd 8 bytes
                        dinf
                          dref 20 bytes
                        stbl
                          stsd entries=1
                            mp4a channels=2 rate=48000
                              esds 00000000031900000004114015000000000000000000000005021190060102
                          stts 8 bytes
                          stsc 8 bytes
                          stsz 12 bytes
                          stco 8 bytes
                  mvex
                    trex id=1 description=1 flags=01010000
                    trex id=2 description=1 flags=02000000
                """,
                BoxDump.of(init));
    }

    @Test
    void write_otherCodecs_nameTheirEntries() {
        MemorySegment bytes = MemorySegment.ofArray(new byte[] {1, 2, 3, 4});
        CodecConfig hevc =
                new CodecConfig.Hevc(new HevcConfig(bytes, 1920, 1080, 4, 50, "hvc1.1.6.L93.B0"));
        CodecConfig av1 = new CodecConfig.Av1(new Av1Config(bytes, 640, 360, 25, "av01.0.05M.08"));
        MemorySegment head =
                MemorySegment.ofArray(
                        HexFormat.of().parseHex("4f707573486561640102380180bb0000feff00"));
        CodecConfig opus = new CodecConfig.Opus(new OpusConfig(head, 2, 312, 48_000));
        CodecConfig mp3 = new CodecConfig.Mp3(44_100, 1);

        assertEntry(hevc, "hvc1 size=1920x1080", "hvcC 01020304");
        assertEntry(av1, "av01 size=640x360", "av1C 01020304");
        assertEntry(opus, "Opus channels=2 rate=48000", "dOps 000201380000bb80fffe00");
        assertEntry(
                mp3,
                "mp4a channels=1 rate=44100",
                "esds 000000000315000000040d6b150000000000000000000000060102");
    }

    private static void assertEntry(CodecConfig codec, String entry, String config) {
        Track track = new Track(1, new Timescale(48_000), codec);
        String dump = BoxDump.of(InitSegment.write(List.of(track), START));
        assertTrue(dump.contains(" " + entry + "\n"), dump);
        assertTrue(dump.contains(" " + config + "\n"), dump);
    }
}
