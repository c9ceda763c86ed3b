package touchline.media.hub;

import java.util.Optional;
import java.util.function.LongSupplier;
import touchline.media.AccessUnit;
import touchline.media.SessionId;

/**
 * Port: compares the audio of the two publications of a session. Each publisher stamps by a clock
 * of its own; the lag between both says which unit of one carries what a unit of the other one
 * carries. Any thread; no call blocks.
 */
public interface SourceAlignment extends AutoCloseable {
    /** Measures nothing: switches go by arrival. */
    Opener NONE =
            (_, _) ->
                    new SourceAlignment() {
                        @Override
                        public void audio(PublishSource from, AccessUnit unit) {}

                        @Override
                        public void restart(PublishSource source) {}

                        @Override
                        public Optional<Lag> newest() {
                            return Optional.empty();
                        }

                        @Override
                        public void close() {}
                    };

    /**
     * A measured lag.
     *
     * @param us time of the backup's publisher less that of the primary's, for the same audio
     * @param confidence 0 to 1: how much better it fits than any other lag
     * @param driftPpm by how much the backup's clock is faster; 0 until it is known
     */
    record Lag(long us, double confidence, double driftPpm) {
        /** From this confidence on a switch is made by the measured lag. */
        public static final double ENOUGH = 0.5;

        public boolean isReliable() {
            return confidence >= ENOUGH;
        }
    }

    /** Opens an alignment for a session with two publications. */
    @FunctionalInterface
    interface Opener {
        /**
         * @param byArrivalUs the same lag, for units that arrive at the same time
         * @return to be closed by the caller
         */
        SourceAlignment open(SessionId session, LongSupplier byArrivalUs);
    }

    /** Audio with the publisher's timestamps. Dropped if the comparison does not keep up. */
    void audio(PublishSource from, AccessUnit unit);

    /** What this source sends from now on has another clock. */
    void restart(PublishSource source);

    /** The newest measurement; empty until there is one. */
    Optional<Lag> newest();

    /** Returns at once; the comparison ends soon. */
    @Override
    void close();
}
