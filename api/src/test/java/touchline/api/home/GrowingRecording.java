package touchline.api.home;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import touchline.media.Interruption;
import touchline.packager.hls.LatencyProfile;
import touchline.packager.hls.PackagerRig;
import touchline.packager.hls.TestMedia;
import touchline.packager.record.Recording;
import touchline.packager.record.RigRecording;

/**
 * What a recorder has written, laid into a folder segment by segment: bytes of files, lines of the
 * index, and half of the next segment, as they are at the moment when a segment is reported.
 */
final class GrowingRecording {
    private static final long GOP_MS = 2_000;

    private final Path whole;
    private final Path folder;
    private final Recording recording;
    private final List<String> index;

    /**
     * @param whole of a recorder that has ended
     * @param folder empty, or not there
     */
    GrowingRecording(Path whole, Path folder) throws IOException {
        this.whole = whole;
        this.folder = folder;
        this.recording = Recording.load(whole);
        this.index = Files.readAllLines(whole.resolve(Recording.INDEX));
    }

    /**
     * Records two timelines with a recorder. The first one fills a file of 256 segments, and
     * another one in part.
     */
    static void record(Path to) throws IOException {
        PackagerRig rig =
                new PackagerRig(PackagerRig.settings(LatencyProfile.standard(), 100, true));
        long firstMs = 280 * 2 * GOP_MS;
        rig.feed(TestMedia.timeline(0, 0, TestMedia.videoAt(5)))
                .feed(TestMedia.video(new TestMedia.Video(5, 10, 0, firstMs)))
                .feed(Interruption.PUBLISHER_GONE)
                .feed(TestMedia.timeline(1, firstMs + 5_000, TestMedia.videoAt(5)))
                .feed(TestMedia.video(new TestMedia.Video(5, 10, firstMs + 5_000, 20_000)));
        RigRecording.record(rig, to);
    }

    /** All of it. */
    Recording recording() {
        return recording;
    }

    /** How many segments its first file has. */
    int firstFile() {
        String first = recording.segments().getFirst().fileName();
        return (int)
                recording.segments().stream()
                        .filter(segment -> segment.fileName().equals(first))
                        .count();
    }

    /** What is there when so many segments are reported. */
    Recording upTo(int segments) {
        List<Recording.Segment> some = recording.segments().subList(0, segments);
        int last = some.getLast().init();
        return new Recording(
                recording.inits().stream().filter(init -> init.number() <= last).toList(),
                some,
                /* ended= */ true);
    }

    /** Lets it grow until so many segments are complete. */
    void grow(int segments) {
        try {
            Files.createDirectories(folder);
            Recording some = upTo(segments);
            for (Recording.Init init : some.inits()) {
                copy(init.fileName());
            }
            for (Recording.Segment segment : some.segments()) {
                Path file = folder.resolve(segment.fileName());
                long endBytes = end(segment);
                if (!Files.exists(file) || Files.size(file) < endBytes) {
                    write(segment.fileName(), endBytes);
                }
            }
            if (segments < recording.segments().size()) {
                Recording.Segment next = recording.segments().get(segments);
                if (next.init() == some.segments().getLast().init()) {
                    write(next.fileName(), end(next) - next.place().sizeBytes() / 2);
                }
            }
            index(segments);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The recorder has come to its end. */
    void end() throws IOException {
        grow(recording.segments().size());
        copy(Recording.INDEX);
    }

    private static long end(Recording.Segment segment) {
        return segment.place().offsetBytes() + segment.place().sizeBytes();
    }

    private void write(String name, long bytes) throws IOException {
        byte[] all = Files.readAllBytes(whole.resolve(name));
        Files.write(folder.resolve(name), Arrays.copyOf(all, (int) bytes));
    }

    private void copy(String name) throws IOException {
        Files.copy(whole.resolve(name), folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }

    /** Whole lines, and a torn one. */
    private void index(int segments) throws IOException {
        List<String> lines = new ArrayList<>();
        int seen = 0;
        for (String line : index) {
            seen += line.startsWith("segment ") ? 1 : 0;
            if (seen > segments) {
                break;
            }
            if (!line.equals("end")) {
                lines.add(line);
            }
        }
        String text = String.join("\n", lines) + "\n" + "segm";
        Path temporary = folder.resolve("index.growing");
        Files.write(temporary, text.getBytes(StandardCharsets.UTF_8));
        Files.move(
                temporary,
                folder.resolve(Recording.INDEX),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }
}
