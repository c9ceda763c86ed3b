package touchline.overlay.page;

import java.time.Duration;

/**
 * A page to show. Immutable, any thread.
 *
 * @param streamId what the page finds as {@code window.touchline.streamId}; not looked into here
 * @param url http or https; anything else fails, with a reason, as a page that cannot be loaded
 * @param widthPixels of the window, which is the frame's width; 1 to 8192
 * @param heightPixels likewise
 * @param loadTimeout from the start to the page's load event
 */
public record PageRequest(
        String streamId, String url, int widthPixels, int heightPixels, Duration loadTimeout) {
    private static final int MOST_PIXELS = 8192;

    public PageRequest {
        requireSide("widthPixels", widthPixels);
        requireSide("heightPixels", heightPixels);
        if (loadTimeout.isNegative() || loadTimeout.isZero()) {
            throw new IllegalArgumentException("loadTimeout: " + loadTimeout + " (> 0)");
        }
    }

    /** The address without what may be secret in it: its query and fragment. */
    @Override
    public String toString() {
        return "%s %dx%d".formatted(url.replaceFirst("[?#].*", ""), widthPixels, heightPixels);
    }

    private static void requireSide(String name, int pixels) {
        if (pixels < 1 || pixels > MOST_PIXELS) {
            throw new IllegalArgumentException(
                    name + ": " + pixels + " (1 to " + MOST_PIXELS + ")");
        }
    }
}
