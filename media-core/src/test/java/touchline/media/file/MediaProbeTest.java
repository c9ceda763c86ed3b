package touchline.media.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import touchline.media.AccessUnit;
import touchline.media.codec.MalformedMediaException;
import touchline.media.ffmpeg.AudioSettings;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.FrameRate;
import touchline.media.ffmpeg.TestMedia;
import touchline.media.ffmpeg.VideoSettings;

final class MediaProbeTest {
    private static final VideoSettings VIDEO =
            VideoSettings.live(
                    new FrameFormat(320, 240, Colour.BT709), FrameRate.of(25), TestMedia.encoder());
    private static final AudioSettings AUDIO = new AudioSettings(44_100, 2, 96_000);

    @TempDir Path folder;

    private static final List<AccessUnit> units = new ArrayList<>();

    @BeforeAll
    static void encodeTwoSeconds() {
        units.addAll(TestMedia.video(VIDEO, 50));
        units.addAll(TestMedia.audio(AUDIO, TestMedia.tones(44_100, 88_200, 440, 660)));
    }

    @Test
    void probe_mp4_returnsContainerStreamsAndDuration() throws IOException {
        Path file = folder.resolve("two seconds.mp4");
        TestMedia.writeMp4(file, units, /* rotationDegrees= */ 0);

        MediaInfo info = MediaProbe.probe(file, MediaProbe.Limits.DEFAULT);

        assertTrue(info.container().contains("mp4"), info.container());
        assertEquals(2.0, info.durationUs().orElseThrow() / 1e6, 0.05);
        assertEquals(Files.size(file), info.sizeBytes());
        MediaInfo.Video video = info.video().orElseThrow();
        assertEquals("h264", video.codec());
        assertEquals(320, video.width());
        assertEquals(240, video.height());
        assertEquals("yuv420p", video.pixelFormat());
        assertEquals(25.0, video.framesPerSecond(), 0.01);
        assertEquals(0, video.rotationDegrees());
        MediaInfo.Audio audio = info.audio().orElseThrow();
        assertEquals("aac", audio.codec());
        assertEquals(44_100, audio.sampleRateHz());
        assertEquals(2, audio.channels());
    }

    @ParameterizedTest
    @ValueSource(ints = {90, 180, 270})
    void probe_rotatedMp4_returnsTheRotation(int degrees) {
        Path file = folder.resolve("rotated.mp4");
        TestMedia.writeMp4(file, units, degrees);

        MediaInfo info = MediaProbe.probe(file, MediaProbe.Limits.DEFAULT);

        assertEquals(degrees, info.video().orElseThrow().rotationDegrees());
    }

    @Test
    void probe_garbage_isMalformed() throws IOException {
        byte[] bytes = new byte[100_000];
        new Random(7).nextBytes(bytes);
        Path file = Files.write(folder.resolve("garbage.mp4"), bytes);

        assertMalformed(file, MediaProbe.Limits.DEFAULT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "<html><body>404</body></html>", "ftyp"})
    void probe_text_isMalformed(String content) throws IOException {
        Path file = Files.writeString(folder.resolve("page.mp4"), content);

        assertMalformed(file, MediaProbe.Limits.DEFAULT);
    }

    @Test
    void probe_playlistOfOtherFiles_isNotFollowed() throws IOException {
        Path target = folder.resolve("secret.mp4");
        TestMedia.writeMp4(target, units, 0);
        String playlist =
                "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n" + target + "\n#EXT-X-ENDLIST\n";
        String list = "ffconcat version 1.0\nfile '" + target.getFileName() + "'\n";

        assertMalformed(
                Files.writeString(folder.resolve("a.m3u8"), playlist), MediaProbe.Limits.DEFAULT);
        assertMalformed(
                Files.writeString(folder.resolve("a.mp4"), list), MediaProbe.Limits.DEFAULT);
    }

    @Test
    void probe_truncatedMp4_isMalformed() throws IOException {
        Path whole = folder.resolve("whole.mp4");
        TestMedia.writeMp4(whole, units, 0);
        byte[] bytes = Files.readAllBytes(whole);
        // A plain MP4 has its index at the end.
        Path file =
                Files.write(
                        folder.resolve("half.mp4"),
                        java.util.Arrays.copyOf(bytes, bytes.length / 2));

        assertMalformed(file, MediaProbe.Limits.DEFAULT);
    }

    @Test
    void probe_tooManyStreams_isMalformed() {
        Path file = folder.resolve("two.mp4");
        TestMedia.writeMp4(file, units, 0);
        MediaProbe.Limits one = new MediaProbe.Limits(1 << 20, 1_000_000, 1, Duration.ofSeconds(5));

        assertMalformed(file, one);
    }

    @Test
    void probe_timeIsUp_saysSo() {
        Path file = folder.resolve("late.mp4");
        TestMedia.writeMp4(file, units, 0);
        MediaProbe.Limits none = new MediaProbe.Limits(1 << 20, 1_000_000, 8, Duration.ofNanos(1));

        MalformedMediaException e =
                assertThrows(MalformedMediaException.class, () -> MediaProbe.probe(file, none));
        assertTrue(String.valueOf(e.getMessage()).contains("longer"), e.getMessage());
    }

    @Test
    void probe_missingFile_isAnInputError() {
        assertThrows(
                UncheckedIOException.class,
                () -> MediaProbe.probe(folder.resolve("absent.mp4"), MediaProbe.Limits.DEFAULT));
        assertThrows(
                UncheckedIOException.class,
                () -> MediaProbe.probe(folder, MediaProbe.Limits.DEFAULT));
    }

    @Test
    void limits_thatCannotWork_areRefused() {
        Duration time = Duration.ofSeconds(1);

        var tooFew =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> new MediaProbe.Limits(1_000, 1, 1, time));
        assertEquals("readBytes: 1000 (64 KiB..1 GiB)", tooFew.getMessage());
        assertThrows(
                IllegalArgumentException.class, () -> new MediaProbe.Limits(1 << 20, 0, 1, time));
        assertThrows(
                IllegalArgumentException.class, () -> new MediaProbe.Limits(1 << 20, 1, 0, time));
        assertThrows(
                IllegalArgumentException.class,
                () -> new MediaProbe.Limits(1 << 20, 1, 1, Duration.ZERO));
    }

    private static void assertMalformed(Path file, MediaProbe.Limits limits) {
        assertThrows(MalformedMediaException.class, () -> MediaProbe.probe(file, limits));
    }
}
