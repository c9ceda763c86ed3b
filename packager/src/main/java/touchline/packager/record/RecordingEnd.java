package touchline.packager.record;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The last segments of a recording, as one of its own. Stateless. */
public final class RecordingEnd {
    private RecordingEnd() {}

    /**
     * Makes a recording of the segments behind one. Whole files are hard links, or copies where the
     * file system has no links. Blocks.
     *
     * @param whole of the folder
     * @param lastLeftOut number of the segment before
     * @param to an empty folder
     */
    public static Recording keep(Recording whole, Path folder, long lastLeftOut, Path to)
            throws IOException {
        Map<String, List<Recording.Segment>> byFile = new LinkedHashMap<>();
        for (Recording.Segment segment : whole.segments()) {
            if (segment.mediaSequence() > lastLeftOut) {
                byFile.computeIfAbsent(segment.fileName(), _ -> new ArrayList<>()).add(segment);
            }
        }
        for (Recording.Init init : whole.inits()) {
            link(folder.resolve(init.fileName()), to.resolve(init.fileName()));
        }
        for (Map.Entry<String, List<Recording.Segment>> each : byFile.entrySet()) {
            Recording.Segment first = each.getValue().getFirst();
            Path file = folder.resolve(each.getKey());
            if (first.mediaSequence() == first.place().file()) {
                link(file, to.resolve(each.getKey()));
            } else {
                Recording.Place renamed = new Recording.Place(first.mediaSequence(), 0, 0);
                String name =
                        new Recording.Segment(first.mediaSequence(), first.init(), renamed, 0, 0, 0)
                                .fileName();
                copy(file, new SegmentTail(first).offsetBytes(), to.resolve(name));
            }
        }
        return Recording.recover(to);
    }

    private static void link(Path existing, Path link) throws IOException {
        try {
            Files.createLink(link, existing);
        } catch (IOException | UnsupportedOperationException _) {
            Files.copy(existing, link);
        }
    }

    private static void copy(Path from, long offsetBytes, Path to) throws IOException {
        try (FileChannel in = FileChannel.open(from, StandardOpenOption.READ);
                FileChannel out =
                        FileChannel.open(
                                to, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            long at = offsetBytes;
            while (at < in.size()) {
                at += in.transferTo(at, in.size() - at, out);
            }
            out.force(/* metaData= */ false);
        }
    }
}
