package touchline.packager.record;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import touchline.media.codec.MalformedMediaException;
import touchline.packager.hls.EarlierSegments;
import touchline.packager.record.Recording.Init;
import touchline.packager.record.Recording.Segment;

/**
 * A recording that another server has begun. Its index and its init segments are all here, but
 * files with segments of before may lie elsewhere. Stateless; blocks.
 */
public final class ContinuedRecording {
    private ContinuedRecording() {}

    /**
     * Finishes one that a crash has cut off. Of files that are here all whole parts count; of the
     * others, what the index says. The index is saved as ended.
     *
     * @throws MalformedMediaException if the index is damaged: only it knows what lies elsewhere
     */
    public static Recording recover(Path folder) throws IOException {
        Recording index = Recording.load(folder);
        Recording here = Recording.rebuild(folder);
        TreeMap<Long, Segment> segments = new TreeMap<>();
        here.segments().forEach(segment -> segments.put(segment.mediaSequence(), segment));
        long lastHere = segments.isEmpty() ? -1 : segments.lastKey();
        for (Segment segment : index.segments()) {
            // Only a scan knows when the last frame of all was presented.
            if (segment.mediaSequence() != lastHere) {
                segments.put(segment.mediaSequence(), segment);
            }
        }
        Map<Integer, Init> inits = new TreeMap<>();
        here.inits().forEach(init -> inits.put(init.number(), init));
        index.inits().forEach(init -> inits.put(init.number(), init));
        segments.values().removeIf(segment -> !inits.containsKey(segment.init()));
        Set<Integer> used = new HashSet<>();
        segments.values().forEach(segment -> used.add(segment.init()));
        Recording recovered =
                new Recording(
                        inits.values().stream()
                                .filter(init -> used.contains(init.number()))
                                .toList(),
                        List.copyOf(segments.values()),
                        index.dates(),
                        index.listed(),
                        /* ended= */ true);
        recovered.save(folder);
        return recovered;
    }

    /**
     * Its segments so far, as the beginning of the session's playlists.
     *
     * @param source brings back files that lie elsewhere
     * @throws MalformedMediaException if the index is damaged
     */
    public static EarlierSegments earlier(Path folder, EarlierSegments.Source source)
            throws IOException {
        Recording index = Recording.load(folder);
        List<Instant> dates = index.wallClocks();
        Map<Long, Long> listedUs = new HashMap<>();
        index.listed().forEach(each -> listedUs.put(each.mediaSequence(), each.durationUs()));
        List<EarlierSegments.Stored> stored = new ArrayList<>(dates.size());
        for (Segment segment : index.segments()) {
            stored.add(
                    new EarlierSegments.Stored(
                            StoredPlayback.entry(
                                    segment,
                                    dates.get(stored.size()),
                                    listedUs.getOrDefault(
                                            segment.mediaSequence(), segment.durationUs())),
                            StoredPlayback.place(segment, folder)));
        }
        Map<Integer, Path> inits = new HashMap<>();
        index.inits().forEach(init -> inits.put(init.number(), folder.resolve(init.fileName())));
        return new EarlierSegments(stored, inits, source);
    }

    /** Of its segments and init segments, wherever they lie. */
    public static long sizeBytes(Recording recording, Path folder) throws IOException {
        Map<String, Long> files = new HashMap<>();
        for (Segment segment : recording.segments()) {
            files.merge(
                    segment.fileName(),
                    segment.place().offsetBytes() + segment.place().sizeBytes(),
                    Math::max);
        }
        long bytes = files.values().stream().mapToLong(Long::longValue).sum();
        for (Init init : recording.inits()) {
            bytes += Files.size(folder.resolve(init.fileName()));
        }
        return bytes;
    }
}
