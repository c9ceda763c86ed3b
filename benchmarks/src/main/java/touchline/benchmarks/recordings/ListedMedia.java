package touchline.benchmarks.recordings;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All media that was listed to viewers, by stream and media sequence number. Any thread. */
public final class ListedMedia {
    @GuardedBy("this")
    private final Map<String, TreeMap<Long, Span>> streams = new HashMap<>();

    @GuardedBy("this")
    private final Map<String, Integer> targetDurationsS = new HashMap<>();

    /**
     * A segment, or the parts so far of one that grows.
     *
     * @param number media sequence number
     */
    public record Listed(long number, Span span) {}

    /** A segment that was listed before is listed with at least as many parts. */
    public synchronized void add(String stream, int targetDurationS, List<Listed> listed) {
        targetDurationsS.put(stream, targetDurationS);
        TreeMap<Long, Span> known = streams.computeIfAbsent(stream, _ -> new TreeMap<>());
        for (Listed each : listed) {
            known.merge(
                    each.number(),
                    each.span(),
                    (one, other) -> one.endUs() >= other.endUs() ? one : other);
        }
    }

    /** Of one stream, in the order of numbers. */
    public synchronized List<Listed> of(String stream) {
        List<Listed> listed = new ArrayList<>();
        streams.getOrDefault(stream, new TreeMap<>())
                .forEach((number, span) -> listed.add(new Listed(number, span)));
        return listed;
    }

    /** Of the newest playlist; 0 before the first. */
    public synchronized int targetDurationS(String stream) {
        return targetDurationsS.getOrDefault(stream, 0);
    }

    /** The last number of a stream; -1 before the first. */
    public synchronized long newestNumber(String stream) {
        TreeMap<Long, Span> known = streams.get(stream);
        return known == null || known.isEmpty() ? -1 : known.lastKey();
    }

    /**
     * Numbers that were left out, and media without its successor, among what began in a time.
     *
     * @param time without a takeover
     * @param mostUs time between two segments that is no hole, for rounding
     */
    public List<String> holes(String stream, Span time, long mostUs) {
        List<Listed> within =
                of(stream).stream()
                        .filter(each -> each.span().beginUs() >= time.beginUs())
                        .filter(each -> each.span().beginUs() < time.endUs())
                        .toList();
        List<String> holes = new ArrayList<>();
        for (int i = 1; i < within.size(); i++) {
            Listed before = within.get(i - 1);
            Listed next = within.get(i);
            long offUs = next.span().beginUs() - before.span().endUs();
            if (next.number() != before.number() + 1 || Math.abs(offUs) > mostUs) {
                holes.add(
                        "segment %d follows %d after %.3f s"
                                .formatted(next.number(), before.number(), offUs / 1e6));
            }
        }
        return holes;
    }
}
