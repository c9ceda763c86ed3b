package touchline.packager.hls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.Timeline;
import touchline.media.hub.Feed;
import touchline.packager.hls.LivePlayback.PlaylistKind;

/** Really encoded renditions, read by the ffmpeg command line. */
final class RenditionIT {
    @TempDir private Path folder;

    @BeforeEach
    void needsFfmpeg() throws InterruptedException {
        boolean there;
        try {
            there = new ProcessBuilder("ffmpeg", "-version").start().waitFor() == 0;
        } catch (IOException _) {
            there = false;
        }
        if (!there) {
            System.out.println("SKIPPED RenditionIT: no ffmpeg command line on PATH");
        }
        Assumptions.assumeTrue(there, "no ffmpeg command line on PATH");
    }

    @Test
    void fullAndHalfFrameRate_decodeWithoutAWarning_andHaveTheSourcesAudio()
            throws IOException, InterruptedException {
        FlvFile source = encode("320x180", "-bf 2");
        PackagerRig rig = new PackagerRig(LatencyProfile.low(Duration.ofMillis(250)));
        LiveRenditions renditions = new LiveRenditions(rig.window, rig.memory);
        FlvFile small = encode("160x90", "-bf 0");
        start(renditions, "90p", rendition(source, small, 1));
        start(renditions, "45p", rendition(source, encode("80x44", "-bf 0 -r 15 -g 30"), 2));
        rig.feed(new Timeline(0, source.tracks, 0, TestMedia.START)).feed(source.units).run();
        assertTrue(renditions.awaitIdle(Duration.ofSeconds(20)));

        Path whole = write(rig.window, "source");
        String audio =
                run(
                        "ffmpeg",
                        "-v",
                        "error",
                        "-i",
                        whole + "",
                        "-map",
                        "0:a",
                        "-c",
                        "copy",
                        "-f",
                        "md5",
                        "-");
        for (String name : List.of("90p", "45p")) {
            Path playlist = write(rig.window.rendition(name).orElseThrow(), name);
            assertEquals(
                    "", run("ffmpeg", "-v", "warning", "-i", playlist + "", "-f", "null", "-"));
            assertEquals(
                    audio,
                    run(
                            "ffmpeg",
                            "-v",
                            "error",
                            "-i",
                            playlist + "",
                            "-map",
                            "0:a",
                            "-c",
                            "copy",
                            "-f",
                            "md5",
                            "-"));
            assertEquals(times(whole, name.equals("90p") ? 1 : 2), times(playlist, 1), name);
        }
        rig.window.close();
        assertTrue(renditions.awaitIdle(Duration.ofSeconds(20)));
        assertEquals(0, rig.memory.liveBlocks());
    }

    /** Presentation times of every nth frame, in milliseconds. */
    private static List<Long> times(Path playlist, int nth)
            throws IOException, InterruptedException {
        String out =
                run(
                        "ffprobe",
                        "-v",
                        "error",
                        "-select_streams",
                        "v",
                        "-show_entries",
                        "packet=pts_time",
                        "-of",
                        "csv=p=0",
                        playlist + "");
        List<Long> times =
                out.lines()
                        .filter(line -> !line.isBlank())
                        .map(line -> Math.round(Double.parseDouble(line.replace(",", "")) * 1_000))
                        .sorted()
                        .toList();
        List<Long> some = new ArrayList<>();
        for (int i = 0; i < times.size(); i += nth) {
            some.add(times.get(i));
        }
        return some;
    }

    private static void start(LiveRenditions renditions, String name, List<FeedItem> items) {
        Feed feed = new Feed();
        renditions.start(name, feed.subscribe(name, 64 << 20));
        items.forEach(feed::offer);
        feed.flush();
        feed.end();
    }

    /** The frames of a file with the times that a ladder gives them. */
    private static List<FeedItem> rendition(FlvFile source, FlvFile encoded, int everyNth) {
        List<AccessUnit> decoded =
                source.units.stream().filter(unit -> unit.track().isVideo()).toList();
        List<AccessUnit> shown = new ArrayList<>(decoded);
        shown.sort(Comparator.comparingLong(AccessUnit::ptsTicks));
        List<AccessUnit> units =
                encoded.units.stream().filter(unit -> unit.track().isVideo()).toList();
        List<FeedItem> items = new ArrayList<>();
        items.add(new Timeline(0, encoded.tracks.subList(0, 1), 0, TestMedia.START));
        for (int i = 0; i < units.size() && i * everyNth < decoded.size(); i++) {
            long dts = decoded.get(i * everyNth).dtsTicks();
            long pts = shown.get(i * everyNth).ptsTicks();
            items.add(units.get(i).at(units.get(i).track(), dts, (int) (pts - dts)));
        }
        return items;
    }

    private FlvFile encode(String size, String options) throws IOException, InterruptedException {
        Path file = folder.resolve(size + ".flv");
        List<String> command = new ArrayList<>();
        command.addAll(List.of("ffmpeg -v error -y -f lavfi -i".split(" ")));
        command.add("testsrc2=s=" + size + ":r=30");
        command.addAll(List.of("-f lavfi -i sine=r=48000 -t 8".split(" ")));
        command.addAll(List.of("-c:v libx264 -preset ultrafast -sc_threshold 0 -g 60".split(" ")));
        command.addAll(List.of(options.split(" ")));
        command.addAll(List.of("-c:a", "aac", file.toString()));
        assertEquals("", run(command.toArray(String[]::new)));
        return FlvFile.read(file);
    }

    /** What a viewer would fetch, as files side by side. */
    private Path write(LivePlayback playback, String name) throws IOException {
        Path own = Files.createDirectories(folder.resolve(name));
        String text = RenditionRig.text(playback, PlaylistKind.WINDOW);
        Path playlist = Files.writeString(own.resolve("media.m3u8"), text);
        for (String line : text.lines().toList()) {
            if (line.startsWith("#EXT-X-MAP")) {
                String init = line.substring(line.indexOf('"') + 1, line.length() - 1);
                String[] numbers = init.split("[a-z.]+", -1);
                int number = Integer.parseInt(numbers[1]);
                write(own.resolve(init), playback.initSegment(number).orElseThrow());
            } else if (line.endsWith(".m4s")) {
                long msn = Long.parseLong(line.substring(1, line.indexOf('.')));
                write(own.resolve(line), playback.segment(msn).orElseThrow());
            }
        }
        assertTrue(playback.whenAvailable(100, OptionalInt.empty()).toCompletableFuture().join());
        return playlist;
    }

    private static void write(Path file, MediaBody body) throws IOException {
        try (body;
                var out = Files.newOutputStream(file)) {
            for (MediaBlock block : ((MediaBody.Blocks) body).blocks()) {
                byte[] bytes = new byte[block.sizeBytes()];
                block.bytes().get(bytes);
                out.write(bytes);
            }
        }
    }

    /** What the command prints; it must succeed. */
    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), out);
        return out;
    }
}
