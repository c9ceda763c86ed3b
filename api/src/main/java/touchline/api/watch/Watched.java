package touchline.api.watch;

import java.util.OptionalLong;
import touchline.api.domain.PlaybackPolicy;

/**
 * What a playback id shows, for its page. Immutable.
 *
 * @param title of the stream or asset; may be empty
 * @param now what is on the air
 */
record Watched(String title, PlaybackPolicy policy, Now now) {
    /** What is on the air, or stored. */
    sealed interface Now {
        /** The wire name of this state. */
        String state();
    }

    /** A stream without a session. */
    record Idle() implements Now {
        @Override
        public String state() {
            return "idle";
        }
    }

    /** A stream that is disabled. */
    record Disabled() implements Now {
        @Override
        public String state() {
            return "disabled";
        }
    }

    /**
     * A running session.
     *
     * @param session its id
     * @param connected an encoder is sending
     * @param positionUs time since its first frame, in microseconds; empty before it
     * @param mediaStartUs media time of that frame in the segments; empty before it
     * @param dvr it is recorded from its start, so viewers can go back
     */
    record Live(
            String session,
            boolean connected,
            OptionalLong positionUs,
            OptionalLong mediaStartUs,
            boolean dvr)
            implements Now {
        @Override
        public String state() {
            return connected ? "live" : "interrupted";
        }
    }

    /**
     * An asset.
     *
     * @param growing it is still recorded
     * @param durationUs so far
     */
    record Stored(boolean growing, long durationUs) implements Now {
        @Override
        public String state() {
            return growing ? "recording" : "ready";
        }
    }
}
