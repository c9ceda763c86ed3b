package touchline.media.hub;

import java.util.List;
import touchline.media.AccessUnit;
import touchline.media.Track;

/**
 * Media that repeats without end: frames made once, and silence. Immutable, any thread.
 *
 * @param loops one for each track, video first; at least one
 */
public record StandbyMedia(List<Loop> loops) {
    public StandbyMedia {
        loops = List.copyOf(loops);
        if (loops.isEmpty()) {
            throw new IllegalArgumentException("standby media without a track");
        }
    }

    /** The tracks, video first. */
    public List<Track> tracks() {
        return loops.stream().map(Loop::track).toList();
    }

    /**
     * Units of one track that repeat.
     *
     * @param units in decode order, times from 0 on; video begins with its only key frame
     * @param lengthTicks from the first unit to its next repetition
     */
    public record Loop(Track track, List<AccessUnit> units, long lengthTicks) {
        public Loop {
            units = List.copyOf(units);
            if (units.isEmpty() || units.getLast().dtsTicks() >= lengthTicks) {
                throw new IllegalArgumentException(
                        units.size() + " units in " + lengthTicks + " ticks");
            }
        }

        /** The unit of this number, counted over all repetitions, behind a start in ticks. */
        AccessUnit unit(long number, long startTicks) {
            AccessUnit unit = units.get((int) (number % units.size()));
            long repetition = number / units.size();
            return unit.at(
                    track,
                    startTicks + repetition * lengthTicks + unit.dtsTicks(),
                    unit.compositionTimeOffsetTicks());
        }
    }
}
