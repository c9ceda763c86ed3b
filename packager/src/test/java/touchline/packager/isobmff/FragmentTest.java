package touchline.packager.isobmff;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import touchline.media.AccessUnit;
import touchline.media.codec.MalformedMediaException;
import touchline.packager.hls.TestMedia;
import touchline.packager.isobmff.Fragment.Run;
import touchline.packager.isobmff.Fragment.Sample;

final class FragmentTest {
    private static final AccessUnit KEY = TestMedia.frame(1_000, 67, true);
    private static final AccessUnit NEXT = TestMedia.frame(1_033, -33, false);
    private static final AccessUnit AUDIO_TRACK = TestMedia.audio(1_000, 20).getFirst();

    @Test
    void writeTo_frameAndAudio_dump() {
        assertEquals(
                """
                moof
                  mfhd sequence=7
                  traf
                    tfhd flags=020000 id=1
                    tfdt version=1 time=90000
                    trun version=1 flags=000f01 samples=2 offset=200
                      duration=2970 size=300 flags=02000000 cts=6030
                      duration=3060 size=100 flags=01010000 cts=-2970
                  traf
                    tfhd flags=020000 id=2
                    tfdt version=1 time=48000
                    trun version=1 flags=000301 samples=1 offset=600
                      duration=1024 size=20
                mdat 420 bytes
                """,
                BoxDump.of(bytes()));
    }

    @Test
    void writeTo_dataOffsets_pointToTheSamples() {
        byte[] bytes = bytes();
        MemorySegment all = MemorySegment.ofArray(bytes);

        assertEquals(-1, all.asSlice(200, 300).mismatch(KEY.payload()));
        assertEquals(-1, all.asSlice(500, 100).mismatch(NEXT.payload()));
        assertEquals(-1, all.asSlice(600, 20).mismatch(AUDIO_TRACK.payload()));
    }

    /** If the end of the sample before was predicted. */
    @Test
    void writeTo_decodedBesideItsTime_isShownAtItsTime() {
        Sample frame = new Sample(NEXT, NEXT.dtsTicks() - 90, 3_000);
        Sample audioPart = new Sample(AUDIO_TRACK, AUDIO_TRACK.dtsTicks() - 48, 1_072);
        Fragment fragment =
                new Fragment(
                        8,
                        List.of(
                                new Run(TestMedia.VIDEO, List.of(frame)),
                                new Run(TestMedia.AUDIO, List.of(audioPart))));

        assertEquals(
                """
                moof
                  mfhd sequence=8
                  traf
                    tfhd flags=020000 id=1
                    tfdt version=1 time=92880
                    trun version=1 flags=000f01 samples=1 offset=188
                      duration=3000 size=100 flags=01010000 cts=-2880
                  traf
                    tfhd flags=020000 id=2
                    tfdt version=1 time=47952
                    trun version=1 flags=000b01 samples=1 offset=288
                      duration=1072 size=20 cts=48
                mdat 120 bytes
                """,
                BoxDump.of(bytes(fragment)));
        assertEquals(TestMedia.VIDEO.timescale().toUs(92_880), frame.startUs());
        assertEquals(TestMedia.VIDEO.timescale().toUs(95_880), frame.endUs());
    }

    /** As the fuzz target {@code mp4} has found it. */
    @Test
    void run_withATimeBeyondAllSessions_isMalformed() {
        byte[] bytes = bytes();
        int type = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("tfdt");
        bytes[type + 8] = 0x40;
        BoxReader.Box moof = BoxReader.walk(MemorySegment.ofArray(bytes)).getFirst();

        var thrown = assertThrows(MalformedMediaException.class, () -> FragmentRun.of(moof));
        assertEquals(
                "tfdt baseMediaDecodeTime: 4611686018427477904 (expected: <= 1125899906842624)",
                thrown.getMessage());
    }

    private static byte[] bytes() {
        Run video =
                new Run(
                        TestMedia.VIDEO,
                        List.of(new Sample(KEY, 33 * 90), new Sample(NEXT, 34 * 90)));
        Run audio = new Run(TestMedia.AUDIO, List.of(new Sample(AUDIO_TRACK, 1024)));
        return bytes(new Fragment(7, List.of(video, audio)));
    }

    private static byte[] bytes(Fragment fragment) {
        ByteBuffer target = ByteBuffer.allocateDirect(fragment.sizeBytes());
        fragment.writeTo(target);
        assertEquals(0, target.remaining());
        byte[] bytes = new byte[fragment.sizeBytes()];
        target.flip().get(bytes);
        return bytes;
    }
}
