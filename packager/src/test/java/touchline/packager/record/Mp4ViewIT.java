package touchline.packager.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.media.AccessUnit;
import touchline.media.Timeline;
import touchline.packager.hls.FlvFile;
import touchline.packager.hls.LatencyProfile;
import touchline.packager.hls.PackagerRig;
import touchline.packager.hls.TestMedia;
import touchline.packager.isobmff.BoxReader;

/** A really encoded stream, recorded and seen as MP4, judged by the ffmpeg command line. */
final class Mp4ViewIT {
    @TempDir private Path root;

    @Test
    void recording_asMp4_hasThePacketsThatWerePushed() throws IOException, InterruptedException {
        FlvFile flv = encode("libx264 -preset ultrafast -sc_threshold 0 -bf 2 -g 60", "aac");
        Path movie = movie(record(flv));

        assertEquals("", run("ffmpeg", "-v", "warning", "-i", movie + "", "-f", "null", "-"));
        assertEquals(fromFirstShown(pushed(flv, true)), packets(movie, "v"));
        assertAudio(beside(pushed(flv, false)), packets(movie, "a"));
        List<String> order = new ArrayList<>();
        BoxReader.walk(MemorySegment.ofArray(Files.readAllBytes(movie)))
                .forEach(box -> order.add(box.type()));
        assertEquals(List.of("ftyp", "moov", "mdat"), order, "moov first, one mdat");
    }

    /** A gibibyte of nothing between segments, in files that are mostly holes. */
    @Test
    void recordingAbove4GiB_asMp4_hasThePacketsThatWerePushed()
            throws IOException, InterruptedException {
        FlvFile flv = encode("libx264 -preset ultrafast -sc_threshold 0 -bf 2 -g 60", "aac");
        Mp4View _ = record(flv);
        Path folder = root.resolve("session-1");
        Recording far = spread(Recording.load(folder), folder);

        Mp4View view = Mp4View.of(far, folder);

        assertTrue(view.sizeBytes() > 1L << 32, "bytes: " + view.sizeBytes());
        Path movie = root.resolve("movie.mp4");
        Path media = view.files().getFirst().file();
        copy(new byte[][] {view.head().toArray(ValueLayout.JAVA_BYTE)}, movie, List.of(0L));
        List<Long> positions = new ArrayList<>();
        byte[][] segments = segments(far, media);
        for (Recording.Segment segment : far.segments()) {
            positions.add(view.head().byteSize() + segment.place().offsetBytes());
        }
        copy(segments, movie, positions);
        assertEquals(view.sizeBytes(), Files.size(movie));
        assertEquals(fromFirstShown(pushed(flv, true)), packets(movie, "v"));
        assertAudio(beside(pushed(flv, false)), packets(movie, "a"));
    }

    private static Recording spread(Recording recording, Path folder) throws IOException {
        Path file = folder.resolve(recording.segments().getFirst().fileName());
        byte[][] bytes = segments(recording, file);
        List<Recording.Segment> far = new ArrayList<>();
        List<Long> positions = new ArrayList<>();
        for (Recording.Segment segment : recording.segments()) {
            Recording.Place place = segment.place();
            long position = place.offsetBytes() + ((long) far.size() << 30);
            positions.add(position);
            far.add(
                    new Recording.Segment(
                            segment.mediaSequence(),
                            segment.init(),
                            new Recording.Place(place.file(), position, place.sizeBytes()),
                            segment.startUs(),
                            segment.durationUs(),
                            segment.parts()));
        }
        copy(bytes, file, positions);
        return new Recording(recording.inits(), far, /* ended= */ true);
    }

    private static byte[][] segments(Recording recording, Path file) throws IOException {
        byte[][] segments = new byte[recording.segments().size()][];
        try (FileChannel channel = FileChannel.open(file)) {
            for (int i = 0; i < segments.length; i++) {
                Recording.Place place = recording.segments().get(i).place();
                ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(place.sizeBytes()));
                assertEquals(place.sizeBytes(), channel.read(bytes, place.offsetBytes()));
                segments[i] = bytes.array();
            }
        }
        return segments;
    }

    private static void copy(byte[][] pieces, Path file, List<Long> positions) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            for (int i = 0; i < pieces.length; i++) {
                assertEquals(
                        pieces[i].length,
                        channel.write(ByteBuffer.wrap(pieces[i]), positions.get(i)));
            }
        }
    }

    private FlvFile encode(String video, String audio) throws IOException, InterruptedException {
        Path file = root.resolve("in.flv");
        List<String> command = new ArrayList<>();
        command.addAll(
                List.of("ffmpeg -v error -y -f lavfi -i testsrc2=s=320x180:r=30".split(" ")));
        command.addAll(List.of("-f lavfi -i sine=r=48000 -t 21 -c:v".split(" ")));
        command.addAll(List.of(video.split(" ")));
        command.addAll(List.of("-c:a", audio, file.toString()));
        assertEquals("", run(command.toArray(String[]::new)));
        return FlvFile.read(file);
    }

    private Mp4View record(FlvFile flv) throws IOException {
        PackagerRig rig = new PackagerRig(PackagerRig.settings(LatencyProfile.standard(), 7, true));
        rig.feed(new Timeline(0, flv.tracks, 0, TestMedia.START)).feed(flv.units);
        Path folder = root.resolve("session-1");
        Recording recording = RigRecording.record(rig, folder);
        assertEquals(0, rig.memory.liveBlocks());
        assertTrue(recording.segments().size() > 3, "several segments");
        return Mp4View.of(recording, folder);
    }

    private Path movie(Mp4View view) throws IOException {
        Path movie = root.resolve("movie.mp4");
        try (OutputStream out = Files.newOutputStream(movie)) {
            out.write(view.head().toArray(ValueLayout.JAVA_BYTE));
            for (Mp4View.FileSlice slice : view.files()) {
                byte[] bytes = Files.readAllBytes(slice.file());
                out.write(Arrays.copyOf(bytes, Math.toIntExact(slice.sizeBytes())));
            }
        }
        assertEquals(view.sizeBytes(), Files.size(movie));
        return movie;
    }

    /** Presentation and decode times in milliseconds from the first frame on, and sizes. */
    private static List<String> pushed(FlvFile flv, boolean video) {
        long startUs = Long.MAX_VALUE;
        for (AccessUnit unit : flv.units) {
            startUs = unit.track().isVideo() ? Math.min(startUs, unit.ptsUs()) : startUs;
        }
        List<String> packets = new ArrayList<>();
        for (AccessUnit unit : flv.units) {
            if (unit.track().isVideo() == video) {
                packets.add(
                        "%d %d %d"
                                .formatted(
                                        ms((unit.ptsUs() - startUs) / 1e6),
                                        ms((unit.dtsUs() - startUs) / 1e6),
                                        unit.payload().byteSize()));
            }
        }
        return packets;
    }

    /** The first frame is decoded when it is shown, those behind it a millisecond later each. */
    private static List<String> fromFirstShown(List<String> pushed) {
        List<String> times = new ArrayList<>();
        for (String each : pushed) {
            String[] values = each.split(" ", -1);
            long decodedMs = Math.max(times.size(), Long.parseLong(values[1]));
            times.add(values[0] + " " + decodedMs + " " + values[2]);
        }
        return times;
    }

    /** Decode times are predicted where a part ends: at most a millisecond too early. */
    private static void assertAudio(List<String> pushed, List<String> read) {
        assertEquals(pushed.size(), read.size());
        for (int i = 0; i < read.size(); i++) {
            String[] expected = pushed.get(i).split(" ", -1);
            String[] found = read.get(i).split(" ", -1);
            assertEquals(expected[0] + " " + expected[2], found[0] + " " + found[2]);
            long aheadMs = Long.parseLong(expected[1]) - Long.parseLong(found[1]);
            assertTrue(aheadMs >= 0 && aheadMs <= 1, pushed.get(i) + ": " + read.get(i));
        }
    }

    /** Audio that starts while frames are shown: for 21 s. */
    private static List<String> beside(List<String> audio) {
        return audio.stream()
                .filter(each -> Long.parseLong(each.split(" ", -1)[0]) >= 0)
                .filter(each -> Long.parseLong(each.split(" ", -1)[0]) < 21_000)
                .toList();
    }

    private static List<String> packets(Path file, String kind)
            throws IOException, InterruptedException {
        String out =
                run(
                        "ffprobe",
                        "-v",
                        "warning",
                        "-select_streams",
                        kind,
                        "-show_entries",
                        "packet=pts_time,dts_time,size",
                        "-of",
                        "csv=p=0",
                        file.toString());
        List<String> packets = new ArrayList<>();
        for (String line : out.lines().filter(each -> !each.isBlank()).toList()) {
            String[] values = line.split(",", -1);
            packets.add(
                    "%d %d %s"
                            .formatted(
                                    ms(Double.parseDouble(values[0])),
                                    ms(Double.parseDouble(values[1])),
                                    values[2]));
        }
        return packets;
    }

    private static long ms(double seconds) {
        return Math.round(seconds * 1_000);
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
