package touchline.api.sport;

import java.util.Optional;

/**
 * Takes back one change, also where others have followed: the parts of the scoreboard that it
 * changed become what they were before it, if they still are what it made them.
 */
public final class ScoreboardUndo {
    private ScoreboardUndo() {}

    /**
     * @param before the change
     * @param after the change
     * @param current the scoreboard now
     * @return empty if a later change has changed the same part
     */
    public static Optional<Scoreboard> undone(
            Scoreboard before, Scoreboard after, Scoreboard current) {
        Scoreboard result = current;
        if (before.sport() != after.sport()) {
            return after.showsAs(current)
                    ? Optional.of(before.withRevision(current.revision()))
                    : Optional.empty();
        }
        if (before.sport() != current.sport()) {
            return Optional.empty();
        }
        if (!before.look().equals(after.look())) {
            if (!current.look().equals(after.look())) {
                return Optional.empty();
            }
            result = result.with(before.look());
        }
        if (!before.score().equals(after.score())) {
            if (!current.score().equals(after.score())) {
                return Optional.empty();
            }
            result = result.with(before.score());
        }
        if (!before.play().equals(after.play())) {
            if (!current.play().equals(after.play())) {
                return Optional.empty();
            }
            result = result.with(before.play());
        }
        if (!before.extras().equals(after.extras())) {
            if (!current.extras().equals(after.extras())) {
                return Optional.empty();
            }
            result = result.with(before.extras());
        }
        return Optional.of(result);
    }
}
