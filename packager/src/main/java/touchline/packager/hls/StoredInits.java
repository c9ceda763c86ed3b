package touchline.packager.hls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import touchline.media.Track;
import touchline.packager.isobmff.InitReader;

/**
 * The init segments of a stored window, in memory again.
 *
 * @param blocks by number; the caller takes over their references
 * @param tracks of the newest one, frames first
 */
record StoredInits(Map<Integer, MediaBlock> blocks, List<Track> tracks) {
    /** Each lies beside the first segment that it decodes. Blocks. */
    static StoredInits read(StoredWindow stored, MediaMemory memory) throws IOException {
        Map<Integer, Path> files = new HashMap<>();
        for (StoredWindow.Entry entry : stored.entries()) {
            int number = entry.segment().initNumber();
            files.putIfAbsent(number, file(entry));
        }
        Map<Integer, byte[]> bytes = new HashMap<>();
        List<Track> tracks = new ArrayList<>();
        for (Map.Entry<Integer, Path> file : files.entrySet()) {
            bytes.put(file.getKey(), Files.readAllBytes(file.getValue()));
        }
        if (!stored.isEmpty()) {
            Path newest = file(stored.entries().getLast());
            for (InitReader.TrackHead head : InitReader.read(newest).tracks()) {
                tracks.add(head.track());
            }
        }
        Map<Integer, MediaBlock> blocks = new HashMap<>();
        bytes.forEach((number, content) -> blocks.put(number, memory.copy(content)));
        return new StoredInits(blocks, List.copyOf(tracks));
    }

    private static Path file(StoredWindow.Entry entry) {
        return entry.file().resolveSibling("init" + entry.segment().initNumber() + ".mp4");
    }
}
