package touchline.packager.isobmff;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import touchline.media.CodecConfig;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.codec.AudioSpecificConfig;
import touchline.media.codec.MalformedMediaException;
import touchline.media.codec.OpusConfig;
import touchline.packager.hls.TestMedia;
import touchline.testing.CodecRecords;
import touchline.testing.SyntheticStream;

/** What {@link InitSegment} writes is read back; the records were written by real encoders. */
final class InitReaderTest {
    private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

    static Stream<CodecConfig> codecs() {
        return Stream.of(
                new CodecConfig.Avc(SyntheticStream.AVC),
                CodecRecords.hevc(),
                CodecRecords.av1(),
                new CodecConfig.Aac(AudioSpecificConfig.of(44_100, 1)),
                new CodecConfig.Opus(
                        OpusConfig.parse(
                                hex("4f707573486561640106380180bb00000000010402000401020305"))),
                new CodecConfig.Mp3(44_100, 2));
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void read_ofEachCodec_isWhatWasWritten(CodecConfig codec) {
        Track track = new Track(3, new Timescale(48_000), codec);

        InitReader read = InitReader.read(init(List.of(track)));

        assertEquals(START, read.startedAt());
        InitReader.TrackHead head = read.track(3).orElseThrow();
        assertEquals(track.timescale(), head.timescale());
        assertEquals(codec.isVideo(), head.video());
        assertEquals(List.of(codec), SampleEntryReader.codecs(read));
        VideoFormat format = VideoFormat.of(codec).orElse(new VideoFormat(0, 0, 0));
        assertEquals(format.width(), head.width());
        assertEquals(format.height(), head.height());
    }

    @Test
    void read_cutAtEveryByte_isMalformed() {
        byte[] whole = InitSegment.write(List.of(TestMedia.VIDEO, TestMedia.AUDIO), START);

        for (int length = 0; length < whole.length; length++) {
            MemorySegment cut = MemorySegment.ofArray(Arrays.copyOf(whole, length));
            assertThrows(MalformedMediaException.class, () -> InitReader.read(cut));
        }
    }

    /** As the fuzz target {@code mp4} has found them. */
    @ParameterizedTest
    @CsvSource({
        "mvhd, 8, 7fffffffffffffff, mvhd creation_time: 9223372036854775807",
        "mvhd, 8, ffffffffffffffff, mvhd creation_time: 18446744073709551615",
        "tkhd, 16, 00000000, tkhd track_ID: 0",
        "tkhd, 16, ffffffff, tkhd track_ID: 4294967295",
        "mdhd, 16, 00000001, mdhd timescale: 1"
    })
    void track_withAnImpossibleField_isMalformed(
            String box, int behindType, String field, String message) {
        byte[] bytes = InitSegment.write(List.of(TestMedia.AUDIO), START);
        patch(bytes, box, behindType, field);

        var thrown = assertThrows(MalformedMediaException.class, () -> tracks(bytes));
        assertTrue(String.valueOf(thrown.getMessage()).startsWith(message + " "), thrown::toString);
    }

    @Test
    void mp3Track_withoutARate_isMalformed() {
        byte[] bytes =
                InitSegment.write(
                        List.of(
                                new Track(
                                        2, new Timescale(44_100), new CodecConfig.Mp3(44_100, 2))),
                        START);
        patch(bytes, "mp4a", 4 + 24, "00000000");

        assertThrows(MalformedMediaException.class, () -> tracks(bytes));
    }

    private static List<Track> tracks(byte[] bytes) {
        return InitReader.read(MemorySegment.ofArray(bytes)).tracks().stream()
                .map(InitReader.TrackHead::track)
                .toList();
    }

    private static void patch(byte[] bytes, String box, int behindType, String field) {
        int type = new String(bytes, StandardCharsets.ISO_8859_1).indexOf(box);
        byte[] value = HexFormat.of().parseHex(field);
        System.arraycopy(value, 0, bytes, type + behindType, value.length);
    }

    private static MemorySegment init(List<Track> tracks) {
        return MemorySegment.ofArray(InitSegment.write(tracks, START));
    }

    private static MemorySegment hex(String text) {
        return MemorySegment.ofArray(HexFormat.of().parseHex(text)).asReadOnly();
    }
}
