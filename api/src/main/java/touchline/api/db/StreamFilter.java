package touchline.api.db;

import java.util.Set;
import touchline.media.StreamId;

/** Selects live streams of a list. Activity is not stored, so the caller names active streams. */
public sealed interface StreamFilter {
    /** Every stream. */
    record All() implements StreamFilter {}

    /** {@code status=disable}. */
    record Disabled() implements StreamFilter {}

    /** {@code status=active}: enabled and one of these. */
    record Active(Set<StreamId> active) implements StreamFilter {
        public Active {
            active = Set.copyOf(active);
        }
    }

    /** {@code status=idle}: enabled and none of these. */
    record Idle(Set<StreamId> active) implements StreamFilter {
        public Idle {
            active = Set.copyOf(active);
        }
    }
}
