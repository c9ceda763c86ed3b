package touchline.benchmarks.recordings;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Compares what was published of one stream with what its finished assets have, by dates. Sender
 * and nodes share one clock, and the encoder sends in real time: what was sent before a fault has
 * dates before it. Immutable.
 */
public final class LostMedia {
    /** A date is written in milliseconds, and a frame may last a little longer than it says. */
    private static final long ROUNDING_US = 50_000;

    private final List<ListedMedia.Listed> listed;
    private final List<Recorded> recorded;
    private final List<Span> spans;

    /**
     * A segment of a finished asset.
     *
     * @param asset its id
     */
    public record Recorded(String asset, Span span) {}

    /**
     * What assets lack around a takeover.
     *
     * @param before asset with the media before it; empty without one
     * @param after asset with the media behind it; the same one if that goes on
     * @param sentUs from the end of what is recorded to the fault
     * @param listedUs of it, what was listed to viewers
     * @param listedSegments of it, how many were listed, whole or in part
     */
    public record Loss(
            Takeover takeover,
            Optional<String> before,
            Optional<String> after,
            long sentUs,
            long listedUs,
            int listedSegments) {
        public boolean isOneAsset() {
            return before.isPresent() && before.equals(after);
        }
    }

    public LostMedia(List<ListedMedia.Listed> listed, List<Recorded> recorded) {
        this.listed = List.copyOf(listed);
        this.recorded =
                recorded.stream()
                        .sorted(Comparator.comparingLong(each -> each.span().beginUs()))
                        .toList();
        spans = this.recorded.stream().map(Recorded::span).toList();
    }

    /**
     * One for each takeover.
     *
     * @param takeovers of the stream, in the order of time
     */
    public List<Loss> losses(List<Takeover> takeovers) {
        List<Loss> losses = new ArrayList<>();
        long sinceUs = Long.MIN_VALUE;
        for (Takeover takeover : takeovers) {
            losses.add(loss(takeover, sinceUs));
            sinceUs = takeover.atUs();
        }
        return losses;
    }

    private Loss loss(Takeover takeover, long sinceUs) {
        long atUs = takeover.atUs();
        List<Recorded> earlier =
                recorded.stream().filter(each -> each.span().beginUs() < atUs).toList();
        Optional<Recorded> last =
                earlier.stream().max(Comparator.comparingLong(each -> each.span().endUs()));
        Optional<String> after =
                recorded.stream()
                        .filter(each -> each.span().beginUs() >= atUs)
                        .findFirst()
                        .map(Recorded::asset);
        boolean goesOn = earlier.stream().anyMatch(each -> after.equals(Optional.of(each.asset())));
        List<Span> missing = missing(sinceUs, atUs);
        return new Loss(
                takeover,
                goesOn ? after : last.map(Recorded::asset),
                after,
                last.map(each -> Math.max(0, atUs - each.span().endUs())).orElse(0L),
                missing.stream().mapToLong(Span::lengthUs).sum(),
                missing.size());
    }

    /** What was listed behind a time, such as the last takeover, and is in no asset. */
    public long missingBehindUs(long sinceUs) {
        return missing(sinceUs, Long.MAX_VALUE).stream().mapToLong(Span::lengthUs).sum();
    }

    /** One span for each listed segment that began in a time and is not recorded completely. */
    private List<Span> missing(long sinceUs, long untilUs) {
        List<Span> missing = new ArrayList<>();
        for (ListedMedia.Listed each : listed) {
            if (each.span().beginUs() > sinceUs && each.span().beginUs() <= untilUs) {
                long lostUs =
                        each.span().without(spans).stream()
                                .mapToLong(Span::lengthUs)
                                .filter(us -> us > ROUNDING_US)
                                .sum();
                if (lostUs > 0) {
                    missing.add(new Span(each.span().beginUs(), each.span().beginUs() + lostUs));
                }
            }
        }
        return missing;
    }

    /** Where media goes on behind a takeover, in the time of its asset. */
    public long assetTimeUs(Loss loss) {
        return recorded.stream()
                .filter(each -> loss.after().equals(Optional.of(each.asset())))
                .filter(each -> each.span().beginUs() < loss.takeover().atUs())
                .mapToLong(each -> each.span().lengthUs())
                .sum();
    }

    /** Half of all recorded segments last at most as long as this. */
    public long medianSegmentUs() {
        List<Long> lengths = spans.stream().map(Span::lengthUs).sorted().toList();
        return lengths.isEmpty() ? 0 : lengths.get(lengths.size() / 2);
    }
}
