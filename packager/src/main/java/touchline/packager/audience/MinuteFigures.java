package touchline.packager.audience;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import touchline.media.StreamId;

/** What players have reported in a minute. Immutable, any thread. */
final class MinuteFigures {
    private final long playedMs;
    private final long stalledMs;
    private final int[] startupsMs;
    private final int[] kbps;

    /**
     * @param startupsMs one for each player that began; taken over
     * @param kbps one for each player that reports it; taken over
     */
    MinuteFigures(long playedMs, long stalledMs, int[] startupsMs, int[] kbps) {
        this.playedMs = playedMs;
        this.stalledMs = stalledMs;
        this.startupsMs = startupsMs;
        this.kbps = kbps;
    }

    /** Of several streams together. */
    static MinuteFigures sum(List<MinuteFigures> all) {
        return new MinuteFigures(
                all.stream().mapToLong(each -> each.playedMs).sum(),
                all.stream().mapToLong(each -> each.stalledMs).sum(),
                all.stream().flatMapToInt(each -> IntStream.of(each.startupsMs)).toArray(),
                all.stream().flatMapToInt(each -> IntStream.of(each.kbps)).toArray());
    }

    ViewerMinute minute(Optional<StreamId> stream, Instant start, int viewers) {
        return new ViewerMinute(
                stream, start, viewers, playedMs, stalledMs, median(startupsMs), median(kbps));
    }

    /** The lower one of two in the middle; empty without values. */
    private static OptionalInt median(int[] values) {
        if (values.length == 0) {
            return OptionalInt.empty();
        }
        int[] sorted = values.clone();
        Arrays.sort(sorted);
        return OptionalInt.of(sorted[(sorted.length - 1) / 2]);
    }
}
