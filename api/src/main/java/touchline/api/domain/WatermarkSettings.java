package touchline.api.domain;

import java.util.Optional;

/** {@code generate_watermark}: the scoreboard of a live stream. Immutable. */
public sealed interface WatermarkSettings {
    /** Empty where the client has sent no {@code overlay_settings}: defaults throughout. */
    Optional<OverlaySettings> overlay();

    /** The wire name of the type. */
    String type();

    /**
     * A web page.
     *
     * @param url http or https
     * @param pageLoadTimeoutSeconds 1 to 60
     */
    record Html(String url, int pageLoadTimeoutSeconds, Optional<OverlaySettings> overlay)
            implements WatermarkSettings {
        public static final String TYPE = "html";
        public static final int DEFAULT_PAGE_LOAD_TIMEOUT_SECONDS = 10;
        public static final int MAX_PAGE_LOAD_TIMEOUT_SECONDS = 60;

        public Html {
            if (pageLoadTimeoutSeconds < 1
                    || pageLoadTimeoutSeconds > MAX_PAGE_LOAD_TIMEOUT_SECONDS) {
                throw new IllegalArgumentException(
                        "page_load_timeout: " + pageLoadTimeoutSeconds + " (expected: 1 to 60)");
            }
        }

        @Override
        public String type() {
            return TYPE;
        }
    }

    /**
     * A second push.
     *
     * @param streamKey its own push key: secret
     */
    record Stream(String streamKey, AudioMixSettings audioMix, Optional<OverlaySettings> overlay)
            implements WatermarkSettings {
        public static final String TYPE = "stream";

        public Stream {
            if (streamKey.isBlank()) {
                throw new IllegalArgumentException("stream key: blank");
            }
        }

        @Override
        public String type() {
            return TYPE;
        }

        @Override
        public String toString() {
            return "Stream[streamKey=masked, audioMix=" + audioMix + ", overlay=" + overlay + "]";
        }
    }
}
