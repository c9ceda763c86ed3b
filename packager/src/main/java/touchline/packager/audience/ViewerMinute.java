package touchline.packager.audience;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import touchline.media.StreamId;

/**
 * Viewers of a minute, or of a longer time. Immutable, any thread.
 *
 * @param stream empty: all streams together
 * @param start the minute's start
 * @param viewers the most at one time
 * @param playedMs time between requests of players that report (CMCD), together
 * @param stalledMs the part of it in which their buffers ran empty
 * @param startupMs median of the players that began to play; empty where none reported
 * @param bitrateKbps median of the players that report; empty where none does
 */
public record ViewerMinute(
        Optional<StreamId> stream,
        Instant start,
        int viewers,
        long playedMs,
        long stalledMs,
        OptionalInt startupMs,
        OptionalInt bitrateKbps) {
    /** The same as a part of a longer time that begins there. */
    public ViewerMinute at(Instant begin) {
        return new ViewerMinute(
                stream, begin, viewers, playedMs, stalledMs, startupMs, bitrateKbps);
    }

    /** Both together; the medians are these where there are any. */
    public ViewerMinute and(ViewerMinute other) {
        return new ViewerMinute(
                stream,
                start,
                Math.max(viewers, other.viewers),
                playedMs + other.playedMs,
                stalledMs + other.stalledMs,
                startupMs.isPresent() ? startupMs : other.startupMs,
                bitrateKbps.isPresent() ? bitrateKbps : other.bitrateKbps);
    }

    /** Share of the played time without media, 0 to 1; empty where no player reported. */
    public OptionalDouble rebufferingRatio() {
        return playedMs > 0
                ? OptionalDouble.of((double) stalledMs / playedMs)
                : OptionalDouble.empty();
    }
}
