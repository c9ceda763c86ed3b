package touchline.media.transcode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import touchline.media.ffmpeg.MediaTool;
import touchline.media.ffmpeg.TestMedia;
import touchline.media.ffmpeg.VideoSettings;
import touchline.media.file.SeekableBytes;

/** Transcodes files and checks the output with the ffmpeg and ffprobe programs. */
final class FileTranscoderIT {
    private static final double FRAME_SECONDS = 1.0 / 25;

    @TempDir Path folder;

    private FileEncoding encoding() {
        return new FileEncoding(
                TestMedia.encoder(), VideoSettings.Speed.ULTRAFAST, /* threads= */ 2);
    }

    /** H.264 with B-frames and AAC. */
    private Path match(double seconds) throws Exception {
        List<String> arguments = new ArrayList<>(MediaTool.frames("320x180", 25, seconds));
        arguments.addAll(MediaTool.audio(seconds));
        arguments.addAll(
                List.of("-c:v", "libx264", "-preset", "veryfast", "-g", "50", "-c:a", "aac"));
        return MediaTool.make(folder.resolve("match.mp4"), arguments.toArray(String[]::new));
    }

    private TranscodeResult transcode(Path input, TranscodeRequest request) throws Exception {
        Path out = out(request.format());
        try (SeekableBytes bytes = SeekableBytes.open(input)) {
            return FileTranscoder.transcode(bytes, out, request, encoding(), _ -> {});
        }
    }

    private Path out(FileFormat format) throws Exception {
        return Files.createDirectories(folder.resolve("out-" + format.wireName()));
    }

    private Path entry(FileFormat format) throws Exception {
        return out(format).resolve(format.entryName());
    }

    @ParameterizedTest
    @EnumSource(FileFormat.class)
    void transcode_smallerHeight_playsToTheEndInEveryFormat(FileFormat format) throws Exception {
        TranscodeResult result = transcode(match(3), TranscodeRequest.of(format).withHeights(90));

        assertFalse(result.copied());
        assertEquals(3.0, result.durationUs() / 1e6, FRAME_SECONDS);
        Path entry = entry(format);
        assertEquals("", MediaTool.decode(entry));
        assertEquals(3.0, MediaTool.durationSeconds(entry), FRAME_SECONDS);
        assertEquals(
                List.of("h264", "160", "90"),
                MediaTool.probe(entry, "v", "stream=codec_name,width,height").subList(0, 3));
        assertEquals("aac", MediaTool.probe(entry, "a", "stream=codec_name").getFirst());
        assertStartsTogether(entry);
    }

    @ParameterizedTest
    @EnumSource(FileFormat.class)
    void transcode_nothingToChange_isCopied(FileFormat format) throws Exception {
        TranscodeResult result = transcode(match(3), TranscodeRequest.of(format));

        assertTrue(result.copied());
        Path entry = entry(format);
        assertEquals("", MediaTool.decode(entry));
        assertEquals(
                3.0,
                MediaTool.durationSeconds(entry) - startSeconds(entry, "v"),
                FRAME_SECONDS + 0.001);
        assertStartsTogether(entry);
    }

    /** Video and audio begin within the priming of one AAC frame. */
    private void assertStartsTogether(Path entry) throws Exception {
        double frames = startSeconds(entry, "v");
        double audio = startSeconds(entry, "a");
        assertEquals(frames, audio, 0.025, "A/V offset of " + entry.getFileName());
    }

    private static double startSeconds(Path entry, String stream) throws Exception {
        return Double.parseDouble(MediaTool.probe(entry, stream, "stream=start_time").getFirst());
    }

    @Test
    void hls_renditions_eachStartAtZero() throws Exception {
        transcode(match(3), TranscodeRequest.of(FileFormat.HLS));

        Path out = out(FileFormat.HLS);
        assertEquals(0.0, startSeconds(out.resolve("v180/index.m3u8"), "v"), 0.001);
        assertEquals(0.0, startSeconds(out.resolve("audio/index.m3u8"), "a"), 0.001);
    }

    @Test
    void hls_severalHeights_areALadderCutAtTheSameTimes() throws Exception {
        transcode(match(8), TranscodeRequest.of(FileFormat.HLS).withHeights(180, 90));

        Path out = out(FileFormat.HLS);
        String master = Files.readString(out.resolve("index.m3u8"));
        assertTrue(master.contains("RESOLUTION=320x180"), master);
        assertTrue(master.contains("RESOLUTION=160x90"), master);
        assertTrue(master.contains("CODECS=\"avc1."), master);
        List<String> large = lengths(out.resolve("v180/index.m3u8"));
        assertEquals(2, large.size());
        assertEquals(large, lengths(out.resolve("v90/index.m3u8")));
        assertEquals("", MediaTool.decode(out.resolve("index.m3u8")));
    }

    @Test
    void hls_renditions_areCutWhereTheCopiedSourceIs() throws Exception {
        Path input = large("-g 60 -bf 2");

        TranscodeResult result =
                transcode(input, TranscodeRequest.of(FileFormat.HLS).withRenditions());

        assertFalse(result.copied());
        Path out = out(FileFormat.HLS);
        assertEquals(
                packets(input, "packet=size"),
                packets(out.resolve("v480/index.m3u8"), "packet=size"));
        // 2.4 s between key frames: segments begin at 7.2 s.
        assertEquals(
                List.of("#EXTINF:7.200000,", "#EXTINF:1.800000,"),
                lengths(out.resolve("v480/index.m3u8")));
        assertSameSegments(out, List.of("v480", "v360"));
        assertEquals("", MediaTool.decode(out.resolve("index.m3u8")));
    }

    @Test
    void hls_renditions_ofKeyFramesAtUnevenTimes_areCutThere() throws Exception {
        transcode(
                large("-g 500 -bf 0 -force_key_frames 2.0,7.4"),
                TranscodeRequest.of(FileFormat.HLS).withRenditions());

        Path out = out(FileFormat.HLS);
        assertEquals("#EXTINF:7.400000,", lengths(out.resolve("v480/index.m3u8")).getFirst());
        assertSameSegments(out, List.of("v480", "v360"));
    }

    /** Nine seconds of 480 lines. */
    private Path large(String options) throws Exception {
        List<String> arguments = new ArrayList<>(MediaTool.frames("854x480", 25, 9));
        arguments.addAll(MediaTool.audio(9));
        arguments.addAll(
                List.of(
                        ("-c:v libx264 -preset ultrafast -sc_threshold 0 -c:a aac " + options)
                                .split(" ", -1)));
        return MediaTool.make(folder.resolve("large.mp4"), arguments.toArray(String[]::new));
    }

    /** Durations, key frames at the starts, and the times of all frames. */
    private static void assertSameSegments(Path out, List<String> sizes) throws Exception {
        Path source = out.resolve(sizes.getFirst()).resolve("index.m3u8");
        for (String size : sizes) {
            Path playlist = out.resolve(size).resolve("index.m3u8");
            assertEquals(lengths(source), lengths(playlist), size);
            assertEquals(
                    packets(source, "packet=pts_time"), packets(playlist, "packet=pts_time"), size);
            List<String> keys = keyFrames(playlist);
            assertTrue(keys.containsAll(keyFrames(source)), () -> size + " " + keys);
        }
    }

    /** Presentation times. */
    private static List<String> keyFrames(Path media) throws Exception {
        List<String> pairs = MediaTool.probe(media, "v", "packet=pts_time,flags");
        List<String> times = new ArrayList<>();
        for (int i = 0; i < pairs.size(); i += 2) {
            if (pairs.get(i + 1).startsWith("K")) {
                times.add(pairs.get(i));
            }
        }
        return times;
    }

    private static List<String> packets(Path media, String entries) throws Exception {
        return MediaTool.probe(media, "v", entries).stream().sorted().toList();
    }

    private static List<String> lengths(Path playlist) throws Exception {
        return Files.readAllLines(playlist).stream()
                .filter(line -> line.startsWith("#EXTINF"))
                .toList();
    }

    @Test
    void dash_severalHeights_areRepresentations() throws Exception {
        transcode(match(3), TranscodeRequest.of(FileFormat.DASH).withHeights(180, 90));

        Path manifest = entry(FileFormat.DASH);
        String text = Files.readString(manifest);
        assertTrue(text.contains("height=\"180\"") && text.contains("height=\"90\""), text);
        assertEquals(3, text.split("<AdaptationSet", -1).length, "one for frames, one for audio");
        assertEquals("", MediaTool.decode(manifest));
    }

    @Test
    void mp4_output_hasItsHeadFirst() throws Exception {
        transcode(match(2), TranscodeRequest.of(FileFormat.MP4));

        String bytes =
                Files.readString(
                        entry(FileFormat.MP4), java.nio.charset.StandardCharsets.ISO_8859_1);
        assertTrue(bytes.indexOf("moov") < bytes.indexOf("mdat"));
    }

    @Test
    void bitrates_requested_areMet() throws Exception {
        List<String> noise =
                List.of("-f", "lavfi", "-i", "testsrc2=s=640x360:r=25:d=4,noise=alls=40:allf=t");
        List<String> arguments = new ArrayList<>(noise);
        arguments.addAll(List.of("-c:v", "libx264", "-preset", "ultrafast", "-crf", "18"));
        Path input = MediaTool.make(folder.resolve("noise.mp4"), arguments.toArray(String[]::new));

        transcode(
                input,
                new TranscodeRequest(
                        FileFormat.MP4, List.of(), OptionalInt.of(800_000), OptionalInt.empty()));

        double bps = Files.size(entry(FileFormat.MP4)) * 8 / 4.0;
        assertTrue(bps > 500_000 && bps < 1_100_000, "bits per second: " + bps);
    }

    @Test
    void progress_isReported_upToOne() throws Exception {
        List<Double> reported = new ArrayList<>();
        try (SeekableBytes bytes = SeekableBytes.open(match(3))) {
            FileTranscoder.transcode(
                    bytes,
                    out(FileFormat.MP4),
                    TranscodeRequest.of(FileFormat.MP4).withHeights(90),
                    encoding(),
                    reported::add);
        }

        assertTrue(reported.size() > 2, reported.toString());
        assertEquals(reported.stream().sorted().toList(), reported);
        assertEquals(1.0, reported.getLast());
    }

    @Test
    void transcode_interrupted_ends() throws Exception {
        try (SeekableBytes bytes = SeekableBytes.open(match(3))) {
            assertThrows(
                    InterruptedException.class,
                    () ->
                            FileTranscoder.transcode(
                                    bytes,
                                    out(FileFormat.MP4),
                                    TranscodeRequest.of(FileFormat.MP4).withHeights(90),
                                    encoding(),
                                    _ -> Thread.currentThread().interrupt()));
        }
    }
}
