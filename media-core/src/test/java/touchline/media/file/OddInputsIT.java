package touchline.media.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import touchline.media.codec.MalformedMediaException;
import touchline.media.ffmpeg.MediaTool;
import touchline.media.ffmpeg.TestMedia;
import touchline.media.ffmpeg.VideoSettings;
import touchline.media.transcode.FileEncoding;
import touchline.media.transcode.FileFormat;
import touchline.media.transcode.FileTranscoder;
import touchline.media.transcode.TranscodeRequest;
import touchline.media.transcode.TranscodeResult;

/** Files from cameras, phones and archives, and malicious files. */
final class OddInputsIT {
    private static final List<String> X264 =
            List.of("-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p");

    @TempDir Path folder;

    private Path make(String name, List<String> first, List<String> second, String... more)
            throws Exception {
        List<String> arguments = new ArrayList<>(first);
        arguments.addAll(second);
        arguments.addAll(List.of(more));
        return MediaTool.make(folder.resolve(name), arguments.toArray(String[]::new));
    }

    private TranscodeResult transcode(Path input, TranscodeRequest request) throws Exception {
        Path out = Files.createDirectories(folder.resolve("out"));
        try (SeekableBytes bytes = SeekableBytes.open(input)) {
            return FileTranscoder.transcode(
                    bytes,
                    out,
                    request,
                    new FileEncoding(TestMedia.encoder(), VideoSettings.Speed.ULTRAFAST, 2),
                    _ -> {});
        }
    }

    private TranscodeResult toMp4(Path input) throws Exception {
        return transcode(input, TranscodeRequest.of(FileFormat.MP4));
    }

    private Path mp4() {
        return folder.resolve("out").resolve("output.mp4");
    }

    private List<String> size() throws Exception {
        return MediaTool.probe(mp4(), "v", "stream=width,height").subList(0, 2);
    }

    @Test
    void rotatedFrames_arePutUpright() throws Exception {
        Path upright = make("up.mp4", MediaTool.frames("320x180", 25, 1), X264);
        Path turned =
                MediaTool.make(
                        folder.resolve("turned.mp4"),
                        "-i",
                        upright.toString(),
                        "-c",
                        "copy",
                        "-metadata:s:v",
                        "rotate=90");

        TranscodeResult result = toMp4(turned);

        assertTrue(result.notes().getFirst().startsWith("the rotation of"), result::toString);
        assertEquals(List.of("180", "320"), size());
        assertEquals(0, MediaTool.difference(turned, mp4()), 8.0, "as ffmpeg shows the input");
    }

    @ParameterizedTest
    @ValueSource(strings = {"smpte2084", "arib-std-b67"})
    void highDynamicRange_isToneMapped(String transfer) throws Exception {
        Path input =
                make(
                        "hdr.mkv",
                        MediaTool.frames("320x180", 25, 1),
                        List.of("-c:v", "libx265", "-x265-params", "log-level=none"),
                        "-pix_fmt",
                        "yuv420p10le",
                        "-color_trc",
                        transfer,
                        "-color_primaries",
                        "bt2020",
                        "-colorspace",
                        "bt2020nc");

        TranscodeResult result = toMp4(input);

        assertTrue(result.notes().getFirst().startsWith("HDR"), result::toString);
        assertEquals(
                List.of("yuv420p", "bt709"),
                MediaTool.probe(mp4(), "v", "stream=pix_fmt,color_transfer"));
        assertEquals("", MediaTool.decode(mp4()));
    }

    @Test
    void variableFrameRate_keepsItsTimes() throws Exception {
        Path input =
                make(
                        "vfr.mkv",
                        MediaTool.frames("320x180", 50, 2),
                        X264,
                        "-vf",
                        "select='not(mod(n\\,3))+lt(n\\,20)'",
                        "-vsync",
                        "vfr");
        List<String> before = MediaTool.probe(input, "v", "frame=best_effort_timestamp_time");

        transcode(input, TranscodeRequest.of(FileFormat.MP4).withHeights(90));

        List<String> after = MediaTool.probe(mp4(), "v", "frame=best_effort_timestamp_time");
        assertEquals(before.size(), after.size());
        for (int i = 0; i < before.size(); i++) {
            assertEquals(
                    Double.parseDouble(before.get(i)), Double.parseDouble(after.get(i)), 0.002);
        }
    }

    @ParameterizedTest
    @CsvSource({"5.1,48000,2", "7.1,44100,2", "3.0,22050,2", "mono,11025,1"})
    void oddAudio_becomesStereoOrMono(String layout, int rateHz, int channels) throws Exception {
        Path input =
                make(
                        "odd.mkv",
                        List.of("-f", "lavfi", "-i", "anoisesrc=a=0.2:d=1:r=" + rateHz),
                        List.of("-c:a", "flac"),
                        "-af",
                        "aformat=channel_layouts=" + layout);

        toMp4(input);

        assertEquals(
                List.of("aac", Integer.toString(channels)),
                MediaTool.probe(mp4(), "a", "stream=codec_name,channels"));
        assertEquals(1.0, MediaTool.durationSeconds(mp4()), 0.05);
    }

    @Test
    void sixteenNamelessChannels_keepTheFirstTwo() throws Exception {
        Path input =
                make(
                        "sixteen.wav",
                        List.of("-f", "lavfi", "-i", "anoisesrc=a=0.2:d=1:r=48000"),
                        List.of("-af", "pan=16c|c0=c0|c1=c0|c15=c0"));

        toMp4(input);

        assertEquals("2", MediaTool.probe(mp4(), "a", "stream=channels").getFirst());
    }

    @Test
    void audioAlone_andFramesAlone_areEnough() throws Exception {
        Path audio = make("audio.mp3", MediaTool.audio(2), List.of("-c:a", "libmp3lame"));
        TranscodeResult hls = transcode(audio, TranscodeRequest.of(FileFormat.HLS));
        assertTrue(hls.notes().contains("the input has no video"));
        assertEquals("", MediaTool.decode(folder.resolve("out/index.m3u8")));

        Path frames = make("frames.mp4", MediaTool.frames("320x180", 25, 1), X264);
        TranscodeResult mp4 = toMp4(frames);
        assertTrue(mp4.notes().contains("the input has no audio"));
        assertEquals("", MediaTool.decode(mp4()));
    }

    @Test
    void oneFrame_isAVideo() throws Exception {
        Path input =
                make(
                        "one.mp4",
                        MediaTool.frames("321x181", 25, 1),
                        List.of("-c:v", "mpeg4"),
                        "-frames:v",
                        "1");

        toMp4(input);

        assertEquals(List.of("320", "180"), size());
        assertEquals(0.04, MediaTool.durationSeconds(mp4()), 0.01);
    }

    @Test
    void interlacedStreamOfABroadcaster_becomesProgressive() throws Exception {
        Path input =
                make(
                        "broadcast.ts",
                        MediaTool.frames("720x576", 25, 1),
                        List.of("-c:v", "mpeg2video", "-flags", "+ilme+ildct", "-top", "1"),
                        "-aspect",
                        "16:9");

        TranscodeResult result = toMp4(input);

        assertTrue(
                result.notes().contains("frames were brought to square pixels"), result::toString);
        assertEquals(List.of("1024", "576"), size());
        assertEquals("", MediaTool.decode(mp4()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"cut.mp4", "cut.mkv", "fast.mp4"})
    void fileThatWasCutOff_isRefused(String name) throws Exception {
        boolean fast = name.equals("fast.mp4");
        Path whole =
                make(
                        name,
                        MediaTool.frames("320x180", 25, 4),
                        X264,
                        fast
                                ? List.of("-movflags", "+faststart").toArray(String[]::new)
                                : new String[0]);
        byte[] bytes = Files.readAllBytes(whole);
        Files.write(whole, Arrays.copyOf(bytes, bytes.length * 6 / 10));

        assertThrows(MalformedMediaException.class, () -> toMp4(whole));
    }

    @Test
    void noMedia_isRefused() throws Exception {
        Path page = folder.resolve("page.mp4");
        Files.writeString(page, "<!DOCTYPE html><html><body>not found</body></html>");
        Path list = folder.resolve("list.m3u8");
        Files.writeString(list, "#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n");
        Path empty = Files.createFile(folder.resolve("empty.mp4"));

        for (Path each : List.of(page, list, empty)) {
            assertThrows(MalformedMediaException.class, () -> toMp4(each), each.toString());
        }
    }

    /** An MP4 of some hundred bytes that declares four thousand million samples. */
    @Test
    void hugeTables_areRefused() throws Exception {
        Path input = make("bomb.mp4", MediaTool.frames("320x180", 25, 1), X264);
        try (RandomAccessFile file = new RandomAccessFile(input.toFile(), "rw")) {
            byte[] bytes = Files.readAllBytes(input);
            String text = new String(bytes, StandardCharsets.ISO_8859_1);
            for (String box : List.of("stsz", "stts", "stco", "ctts")) {
                int at = text.indexOf(box);
                if (at > 0) {
                    // After version and flags; the sample sizes have one more field before them.
                    file.seek(at + (box.equals("stsz") ? 12 : 8));
                    file.writeInt(0xFFFF_FFF0);
                }
            }
        }

        assertThrows(MalformedMediaException.class, () -> toMp4(input));
    }

    @Test
    void damagedFrames_areRefused_whereTheyAreMany() throws Exception {
        Path input = make("damaged.mkv", MediaTool.frames("320x180", 25, 4), X264);
        byte[] bytes = Files.readAllBytes(input);
        for (int i = 3_000; i < bytes.length - 3_000; i += 97) {
            bytes[i] ^= 0x5A;
        }
        Files.write(input, bytes);

        assertThrows(
                MalformedMediaException.class,
                () -> transcode(input, TranscodeRequest.of(FileFormat.MP4).withHeights(90)));
    }
}
