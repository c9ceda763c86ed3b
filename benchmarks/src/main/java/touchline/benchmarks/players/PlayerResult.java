package touchline.benchmarks.players;

import java.util.List;
import java.util.OptionalDouble;
import touchline.benchmarks.load.Samples;

/**
 * What a player has shown.
 *
 * @param player its name and version
 * @param startS from the start to the first frame; empty if it showed none
 * @param behind seconds between the push of a frame and its display, or the start of play
 * @param stalls times without a new frame for longer than 0.6 s, since the start or the return
 * @param frozenS sum of these times
 * @param stillS since the last new frame
 * @param rewindS from the seek to the first frame of the new position; empty without one
 * @param returnS from the return of the encoder to its first frames; empty without any
 * @param errors messages; for programs, lines of the log
 */
record PlayerResult(
        String player,
        OptionalDouble startS,
        Samples behind,
        int stalls,
        double frozenS,
        double stillS,
        OptionalDouble rewindS,
        OptionalDouble returnS,
        List<String> errors) {
    PlayerResult {
        errors = List.copyOf(errors);
    }
}
