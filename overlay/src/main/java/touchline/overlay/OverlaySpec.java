package touchline.overlay;

import java.time.Duration;

/** Kind and placement of a live stream's overlay. Immutable, any thread. */
public sealed interface OverlaySpec {
    /** Position, size and opacity. */
    Placement placement();

    /**
     * A web page with a transparent background.
     *
     * @param url http or https
     * @param loadTimeout maximum duration of a load
     */
    record Html(String url, Duration loadTimeout, Placement placement) implements OverlaySpec {
        /** The address without query and fragment, which may hold secrets. */
        @Override
        public String toString() {
            return "Html[" + url.replaceFirst("[?#].*", "") + ", " + placement + "]";
        }
    }

    /** An overlay stream, with its audio. */
    record Stream(AudioMix audioMix, Placement placement) implements OverlaySpec {}

    /**
     * Audio levels of the main stream and the overlay stream.
     *
     * @param volumeMain linear gain, 0 to 1
     * @param volumeSecondary linear gain, 0 to 1
     */
    record AudioMix(Mode mode, double volumeMain, double volumeSecondary) {
        /** Source of the audio. */
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
