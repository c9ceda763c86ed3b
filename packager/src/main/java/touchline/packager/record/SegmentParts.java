package touchline.packager.record;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import touchline.packager.hls.MediaBody;
import touchline.packager.isobmff.BoxReader;
import touchline.packager.isobmff.BoxReader.Box;

/** Where the parts of a stored segment lie: from each {@code moof} to the next. Stateless. */
final class SegmentParts {
    private SegmentParts() {}

    /** Reads the segment's boxes, but not its media. Blocks. */
    static List<MediaBody.FileRange> of(MediaBody.FileRange segment) throws IOException {
        List<Long> starts = new ArrayList<>();
        try (Arena arena = Arena.ofConfined();
                FileChannel file = FileChannel.open(segment.file(), StandardOpenOption.READ)) {
            for (Box box :
                    BoxReader.walk(
                            file.map(
                                    FileChannel.MapMode.READ_ONLY,
                                    segment.offsetBytes(),
                                    segment.sizeBytes(),
                                    arena))) {
                if (box.type().equals("moof")) {
                    starts.add(box.offset());
                }
            }
        }
        List<MediaBody.FileRange> parts = new ArrayList<>(starts.size());
        for (int i = 0; i < starts.size(); i++) {
            long end = i + 1 < starts.size() ? starts.get(i + 1) : segment.sizeBytes();
            parts.add(
                    new MediaBody.FileRange(
                            segment.file(),
                            segment.offsetBytes() + starts.get(i),
                            end - starts.get(i)));
        }
        return List.copyOf(parts);
    }
}
