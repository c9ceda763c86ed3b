package touchline.api.home;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import touchline.packager.record.IndexExcerpt.MediaFile;
import touchline.packager.record.SegmentTail;

/**
 * Which segments of a running recording are in S3 on their own, and which of them wait. Any thread.
 */
final class GrowingTails {
    /** Names of tails that are in S3, by the names of the files that they belong to. */
    @GuardedBy("this")
    private final Map<String, Set<String>> stored = new HashMap<>();

    /** Complete segments that are not in S3, and have no full file yet. */
    @GuardedBy("this")
    private Waiting waiting = Waiting.NONE;

    synchronized void add(String file, String name) {
        stored.computeIfAbsent(file, _ -> new HashSet<>()).add(name);
    }

    synchronized boolean has(String file) {
        return stored.containsKey(file);
    }

    synchronized Set<String> of(String file) {
        return Set.copyOf(stored.getOrDefault(file, Set.of()));
    }

    synchronized void remove(String file, Set<String> names) {
        Set<String> left = stored.get(file);
        if (left != null && left.removeAll(names) && left.isEmpty()) {
            stored.remove(file);
        }
    }

    synchronized List<SegmentTail> missing(MediaFile file) {
        Set<String> there = stored.getOrDefault(file.name(), Set.of());
        return file.segments().stream()
                .map(SegmentTail::new)
                .filter(tail -> !there.contains(tail.name()))
                .toList();
    }

    /**
     * Counts what waits.
     *
     * @param left files that are not in S3
     * @param nowMs milliseconds since 1970
     */
    synchronized void count(List<MediaFile> left, long nowMs) {
        long bytes =
                left.stream()
                        .filter(file -> !file.full())
                        .flatMap(file -> missing(file).stream())
                        .mapToLong(tail -> tail.segment().place().sizeBytes())
                        .sum();
        waiting =
                bytes == 0 ? Waiting.NONE : new Waiting(bytes, Math.min(waiting.sinceMs(), nowMs));
    }

    synchronized Waiting waiting() {
        return waiting;
    }
}
