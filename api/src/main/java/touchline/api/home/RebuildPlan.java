package touchline.api.home;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import touchline.packager.record.Recording;
import touchline.packager.record.Recording.Segment;
import touchline.packager.record.SegmentTail;

/**
 * What a recording consists of, by its objects and the index among them. Immutable.
 *
 * @param index as it is in S3, maybe without the end; empty if there is none
 * @param files with their segments, in order; those to merge have no object of their own
 * @param toScan names of files that hold more than index and tails say: only a scan finds it
 */
record RebuildPlan(Recording index, List<PlannedFile> files, List<String> toScan) {
    RebuildPlan {
        files = List.copyOf(files);
        toScan = List.copyOf(toScan);
    }

    /**
     * A file of segments.
     *
     * @param tails of which it is merged, in order, without a hole from its start on; none: it is
     *     an object
     */
    record PlannedFile(String name, List<Segment> segments, List<SegmentTail> tails) {
        PlannedFile {
            segments = List.copyOf(segments);
            tails = List.copyOf(tails);
        }
    }

    /**
     * Each segment is where the index or a tail says, if the object of its file is long enough.
     * Otherwise it comes from its tail, up to the first one that is missing in its file.
     */
    static RebuildPlan of(Recording index, StoredObjects there) {
        Map<Long, SegmentTail> tails = new TreeMap<>();
        there.tails().values().forEach(tail -> tails.put(tail.segment().mediaSequence(), tail));
        Map<Long, Segment> known = new TreeMap<>();
        tails.forEach((number, tail) -> known.put(number, tail.segment()));
        index.segments().forEach(segment -> known.put(segment.mediaSequence(), segment));
        Map<String, List<Segment>> byFile = new LinkedHashMap<>();
        known.values()
                .forEach(
                        segment ->
                                byFile.computeIfAbsent(segment.fileName(), _ -> new ArrayList<>())
                                        .add(segment));
        List<PlannedFile> files = new ArrayList<>();
        TreeSet<String> toScan = new TreeSet<>(unknown(there, byFile));
        byFile.forEach(
                (name, segments) -> {
                    PlannedFile file = planned(name, segments, there.bytes(name), tails);
                    if (file.tails().isEmpty() && there.bytes(name) > endOf(segments)) {
                        toScan.add(name);
                    } else if (!file.segments().isEmpty()) {
                        files.add(file);
                    }
                });
        return new RebuildPlan(index, files, List.copyOf(toScan));
    }

    private static List<String> unknown(StoredObjects there, Map<String, List<Segment>> byFile) {
        return there.files().keySet().stream()
                .filter(name -> name.indexOf('/') < 0 && FolderContent.isMedia(name))
                .filter(name -> !byFile.containsKey(name))
                .toList();
    }

    private static PlannedFile planned(
            String name, List<Segment> segments, long objectBytes, Map<Long, SegmentTail> tails) {
        List<Segment> stored =
                segments.stream().filter(each -> endOf(List.of(each)) <= objectBytes).toList();
        List<SegmentTail> merged = new ArrayList<>();
        long bytes = 0;
        for (Segment segment : segments) {
            SegmentTail tail = tails.get(segment.mediaSequence());
            if (tail == null || tail.offsetBytes() != bytes) {
                break;
            }
            merged.add(tail);
            bytes += tail.sizeBytes();
        }
        return stored.size() >= merged.size()
                ? new PlannedFile(name, stored, List.of())
                : new PlannedFile(name, merged.stream().map(SegmentTail::segment).toList(), merged);
    }

    private static long endOf(List<Segment> segments) {
        Recording.Place last = segments.getLast().place();
        return last.offsetBytes() + last.sizeBytes();
    }

    boolean isEmpty() {
        return files.isEmpty() && toScan.isEmpty();
    }

    /** Whether all segments of a recording are among those that index and tails name. */
    boolean hasAll(Recording recording) {
        Set<Long> known = new HashSet<>();
        files.forEach(file -> file.segments().forEach(each -> known.add(each.mediaSequence())));
        return recording.segments().stream()
                .allMatch(segment -> known.contains(segment.mediaSequence()));
    }

    /** At least so much media, without what only a scan finds. */
    long durationUs() {
        return files.stream()
                .flatMap(file -> file.segments().stream())
                .mapToLong(Segment::durationUs)
                .sum();
    }
}
