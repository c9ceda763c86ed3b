package touchline.overlay;

import java.time.Duration;

/** What is put over a live stream, and where. Immutable, any thread. */
public sealed interface OverlaySpec {
    /** Where it stands. */
    Placement placement();

    /**
     * A web page with a transparent ground.
     *
     * @param url http or https
     * @param loadTimeout from the start of a load to its end
     */
    record Html(String url, Duration loadTimeout, Placement placement) implements OverlaySpec {
        /** The address without what may be secret in it: its query and fragment. */
        @Override
        public String toString() {
            return "Html[" + url.replaceFirst("[?#].*", "") + ", " + placement + "]";
        }
    }

    /** A second push, with its audio. */
    record Stream(AudioMix audioMix, Placement placement) implements OverlaySpec {}

    /**
     * What is heard of a stream and its scoreboard push.
     *
     * @param volumeMain linear gain, 0 to 1
     * @param volumeSecondary linear gain, 0 to 1
     */
    record AudioMix(Mode mode, double volumeMain, double volumeSecondary) {
        /** Which of the two audio. */
        public enum Mode {
            MAIN,
            SECONDARY,
            MIX
        }

        public AudioMix {
            requireGain("volumeMain", volumeMain);
            requireGain("volumeSecondary", volumeSecondary);
        }

        private static void requireGain(String field, double gain) {
            if (!(gain >= 0 && gain <= 1)) {
                throw new IllegalArgumentException(field + ": " + gain + " (0..1)");
            }
        }
    }
}
