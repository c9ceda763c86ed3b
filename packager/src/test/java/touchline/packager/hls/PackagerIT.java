package touchline.packager.hls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import touchline.media.AccessUnit;
import touchline.media.Timeline;
import touchline.packager.hls.LivePlayback.PlaylistKind;
import touchline.packager.hls.PartSink.SealedSegment;
import touchline.packager.isobmff.BoxReader;
import touchline.packager.isobmff.BoxReader.Box;
import touchline.packager.isobmff.FragmentRun;

/** A really encoded stream through the packager, judged by the ffmpeg command line. */
final class PackagerIT {
    @TempDir private Path folder;

    @BeforeEach
    void needsFfmpeg() throws IOException, InterruptedException {
        boolean there;
        try {
            there = new ProcessBuilder("ffmpeg", "-version").start().waitFor() == 0;
        } catch (IOException _) {
            there = false;
        }
        if (!there) {
            System.out.println("SKIPPED PackagerIT: no ffmpeg command line on PATH");
        }
        Assumptions.assumeTrue(there, "no ffmpeg command line on PATH");
    }

    @Test
    void standard_streamWithBFrames_isReadAsItWasPushed() throws IOException, InterruptedException {
        FlvFile flv = encode("-bf 2 -g 60");
        PackagerRig rig = packaged(flv, LatencyProfile.standard());
        Path playlist = write(rig);

        assertEquals("", run("ffmpeg", "-v", "warning", "-i", playlist + "", "-f", "null", "-"));
        assertEquals(fromFirstShown(pushed(flv, true)), packets(playlist, "v"));
        assertShownAsPushed(beside(flv), packets(playlist, "a"));
        for (SealedSegment segment : rig.sink.segments) {
            assertDuration(segment);
        }
        rig.window.close();
        assertEquals(0, rig.memory.liveBlocks());
    }

    @Test
    void low_parts_decodeAsTheirSegmentsDo() throws IOException, InterruptedException {
        FlvFile flv = encode("-bf 0 -g 60");
        PackagerRig rig = packaged(flv, LatencyProfile.low(Duration.ofMillis(250)));
        Path all = folder.resolve("all.mp4");
        try (MediaBody init = rig.window.initSegment(0).orElseThrow()) {
            Files.write(all, bytes(init));
        }
        for (PartSink.FinishedPart part : rig.sink.parts) {
            try (MediaBody body =
                    rig.window.part(part.mediaSequence(), part.index()).orElseThrow()) {
                Files.write(all, bytes(body), StandardOpenOption.APPEND);
            }
        }

        assertEquals("", run("ffmpeg", "-v", "warning", "-i", all + "", "-f", "null", "-"));
        assertShownAsPushed(pushed(flv, true), packets(all, "v"));
        assertShownAsPushed(beside(flv), packets(all, "a"));
        rig.window.close();
        assertEquals(0, rig.memory.liveBlocks());
    }

    /** The first frame is decoded when it is shown, those behind it a millisecond later each. */
    private static List<String> fromFirstShown(List<String> pushed) {
        List<String> times = new ArrayList<>();
        long firstMs = Long.parseLong(pushed.getFirst().split(" ", -1)[0]);
        for (String each : pushed) {
            String[] ms = each.split(" ", -1);
            long decodedMs = Math.max(firstMs + times.size(), Long.parseLong(ms[1]));
            boolean isLate = Long.parseLong(ms[1]) < decodedMs;
            times.add(ms[0] + " " + (isLate ? decodedMs : ms[1]));
        }
        return times;
    }

    /** Pushed audio that starts while frames are shown. */
    private static List<String> beside(FlvFile flv) {
        List<Long> shownMs = new ArrayList<>();
        pushed(flv, true).forEach(each -> shownMs.add(Long.parseLong(each.split(" ", -1)[0])));
        long firstMs = shownMs.getFirst();
        long endMs = Collections.max(shownMs) + 33;
        return pushed(flv, false).stream()
                .filter(each -> Long.parseLong(each.split(" ", -1)[0]) >= firstMs)
                .filter(each -> Long.parseLong(each.split(" ", -1)[0]) < endMs)
                .toList();
    }

    /** An encoder's file without the video tags of five seconds. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void videoTagsTakenOut_allAudioAndAllFramesAreRead(boolean low)
            throws IOException, InterruptedException {
        FlvFile flv = encode("-bf 2 -g 30");
        flv.units.removeIf(
                unit ->
                        unit.track().isVideo()
                                && unit.dtsUs() >= 3_500_000
                                && unit.dtsUs() < 7_900_000);
        PackagerRig rig =
                packaged(
                        flv,
                        low
                                ? LatencyProfile.low(Duration.ofMillis(250))
                                : LatencyProfile.standard());
        Path playlist = write(rig);

        assertEquals(beside(flv).size(), packets(playlist, "a").size());
        long expected =
                flv.units.stream()
                        .filter(unit -> unit.track().isVideo())
                        .filter(u -> u.dtsUs() < 3_500_000 || u.dtsUs() >= firstKeyFrame(flv))
                        .count();
        // From 3.5 s to 8 s a key frame stands for the missing ones: in each part.
        assertEquals(expected + (low ? 20 : 5), packets(playlist, "v").size());
        assertEquals("", run("ffmpeg", "-v", "error", "-i", playlist + "", "-f", "null", "-"));
        rig.window.close();
    }

    /** Behind the gap. */
    private static long firstKeyFrame(FlvFile flv) {
        return flv.units.stream()
                .filter(unit -> unit.isKeyFrame() && unit.dtsUs() > 4_000_000)
                .findFirst()
                .orElseThrow()
                .dtsUs();
    }

    /** Where a part's end was predicted, the next decode time is not later and close by. */
    private static void assertShownAsPushed(List<String> pushed, List<String> read) {
        assertEquals(pushed.size(), read.size());
        for (int i = 0; i < read.size(); i++) {
            String[] expected = pushed.get(i).split(" ", -1);
            String[] found = read.get(i).split(" ", -1);
            assertEquals(expected[0], found[0], "shown");
            long aheadMs = Long.parseLong(expected[1]) - Long.parseLong(found[1]);
            assertTrue(aheadMs >= 0 && aheadMs <= 1, pushed.get(i) + ": " + read.get(i));
        }
    }

    private FlvFile encode(String options) throws IOException, InterruptedException {
        Path file = folder.resolve("in.flv");
        List<String> command = new ArrayList<>();
        command.addAll(
                List.of("ffmpeg -v error -y -f lavfi -i testsrc2=s=320x180:r=30".split(" ")));
        command.addAll(List.of("-f lavfi -i sine=r=48000 -t 11".split(" ")));
        command.addAll(List.of("-c:v libx264 -preset ultrafast -sc_threshold 0".split(" ")));
        command.addAll(List.of(options.split(" ")));
        command.addAll(List.of("-c:a", "aac", file.toString()));
        assertEquals("", run(command.toArray(String[]::new)));
        return FlvFile.read(file);
    }

    private static PackagerRig packaged(FlvFile flv, LatencyProfile profile) {
        PackagerRig rig = new PackagerRig(profile);
        rig.feed(new Timeline(0, flv.tracks, 0, TestMedia.START)).feed(flv.units);
        return rig.run();
    }

    /** What a viewer would fetch, as files side by side. */
    private Path write(PackagerRig rig) throws IOException {
        Path playlist = folder.resolve("media.m3u8");
        Files.writeString(playlist, rig.playlist(PlaylistKind.WINDOW));
        try (MediaBody init = rig.window.initSegment(0).orElseThrow()) {
            Files.write(folder.resolve("init0.mp4"), bytes(init));
        }
        for (SealedSegment segment : rig.sink.segments) {
            try (MediaBody body = rig.window.segment(segment.mediaSequence()).orElseThrow()) {
                Files.write(folder.resolve("s" + segment.mediaSequence() + ".m4s"), bytes(body));
            }
        }
        return playlist;
    }

    /** The sum of its frames' durations is what the playlist says, within a millisecond. */
    private void assertDuration(SealedSegment segment) throws IOException {
        byte[] media = Files.readAllBytes(folder.resolve("s" + segment.mediaSequence() + ".m4s"));
        long ticks = 0;
        for (Box box : BoxReader.walk(MemorySegment.ofArray(media))) {
            if (box.type().equals("moof")) {
                FragmentRun frames = FragmentRun.of(box).getFirst();
                ticks += frames.endTicks() - frames.decodeTicks();
            }
        }
        assertEquals(segment.durationUs() / 1e6, ticks / 90e3, 0.001);
    }

    /** Decode and presentation times in milliseconds. */
    private static List<String> packets(Path file, String kind)
            throws IOException, InterruptedException {
        List<String> packets = new ArrayList<>();
        for (String line : probe(file, kind, "pts_time,dts_time")) {
            String[] times = line.split(",", -1);
            packets.add(ms(Double.parseDouble(times[0])) + " " + ms(Double.parseDouble(times[1])));
        }
        return packets;
    }

    private static List<String> pushed(FlvFile flv, boolean video) {
        List<String> packets = new ArrayList<>();
        for (AccessUnit unit : flv.units) {
            if (unit.track().isVideo() == video) {
                packets.add(ms(unit.ptsUs() / 1e6) + " " + ms(unit.dtsUs() / 1e6));
            }
        }
        return packets;
    }

    private static long ms(double seconds) {
        return Math.round(seconds * 1_000);
    }

    private static List<String> probe(Path file, String kind, String fields)
            throws IOException, InterruptedException {
        String entries = "packet=" + fields;
        String out =
                run(
                        "ffprobe",
                        "-v",
                        "error",
                        "-select_streams",
                        kind,
                        "-show_entries",
                        entries,
                        "-of",
                        "csv=p=0",
                        file.toString());
        List<String> lines = new ArrayList<>();
        out.lines().filter(line -> !line.isBlank()).map(PackagerIT::bare).forEach(lines::add);
        return lines;
    }

    /** Some versions end a line of values with the separator. */
    private static String bare(String line) {
        return line.endsWith(",") ? line.substring(0, line.length() - 1) : line;
    }

    /** What the command prints; it must succeed. */
    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), out);
        return out;
    }

    private static byte[] bytes(MediaBody body) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        switch (body) {
            case MediaBody.Blocks(var blocks) -> {
                for (MediaBlock block : blocks) {
                    byte[] bytes = new byte[block.sizeBytes()];
                    block.bytes().get(bytes);
                    out.writeBytes(bytes);
                }
            }
            case MediaBody.FileRange _,
                    MediaBody.FileSequence _,
                    MediaBody.PartlyStored _,
                    MediaBody.Fetched _ ->
                    throw new AssertionError("stored: " + body);
        }
        return out.toByteArray();
    }
}
