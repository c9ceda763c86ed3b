package touchline.overlay.page;

import java.time.Duration;

/**
 * A page to show. Immutable, any thread.
 *
 * @param streamId value of {@code window.touchline.streamId}; not interpreted here
 * @param url http or https; any other scheme is reported as a failed load
 * @param widthPixels of the window, which is the frame's width; 1 to 8192
 * @param heightPixels likewise
 * @param loadTimeout from the start to the page's load event
 */
public record PageRequest(
        String streamId, String url, int widthPixels, int heightPixels, Duration loadTimeout) {
    private static final int MAX_PIXELS = 8192;

    public PageRequest {
        requireSide("widthPixels", widthPixels);
        requireSide("heightPixels", heightPixels);
        if (loadTimeout.isNegative() || loadTimeout.isZero()) {
            throw new IllegalArgumentException("loadTimeout: " + loadTimeout + " (> 0)");
        }
    }

    /** The address without query and fragment, which may hold secrets. */
    @Override
    public String toString() {
        return "%s %dx%d".formatted(url.replaceFirst("[?#].*", ""), widthPixels, heightPixels);
    }

    private static void requireSide(String name, int pixels) {
        if (pixels < 1 || pixels > MAX_PIXELS) {
            throw new IllegalArgumentException(name + ": " + pixels + " (1 to " + MAX_PIXELS + ")");
        }
    }
}
