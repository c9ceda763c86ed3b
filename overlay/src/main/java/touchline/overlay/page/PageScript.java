package touchline.overlay.page;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * Defines {@code window.touchline}: stream id and times of the frame that the page covers. Times
 * continue from their last setting. {@code navigator.onLine} is true.
 */
final class PageScript {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final String DEFINITION =
            """
            // A browser in a network of its own sees no interface; its proxy is its network.
            Object.defineProperty(
                Navigator.prototype, 'onLine', { get: () => true, configurable: true });
            (() => {
              if (window !== window.top || window.touchline) return;
              let mediaMs = null, atMs = 0;
              const touchline = {
                streamId: %s,
                get mediaTimeMs() { return mediaMs === null ? null : mediaMs + Date.now() - atMs; },
                get wallClockMs() { return Date.now(); },
                sync(newMediaMs, wallMs) { mediaMs = newMediaMs; atMs = wallMs; }
              };
              Object.defineProperty(window, 'touchline', { value: Object.freeze(touchline) });
            })()
            """;

    /**
     * Returns {@code [status, host]} of the main document; the page itself reports the status and
     * could forge it.
     */
    static final String STATUS =
            "[performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0,"
                    + " location.hostname]";

    /** Resolves when a frame that starts after now is painted. */
    static final String PAINTED =
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))";

    /** Returns at once in every page that runs. */
    static final String ALIVE = "1";

    private PageScript() {}

    static String definition(String streamId) {
        try {
            return DEFINITION.formatted(JSON.writeValueAsString(streamId));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a text is always JSON", e);
        }
    }

    static String sync(long mediaTimeMs, long wallClockMs) {
        return "window.touchline?.sync(%d, %d)".formatted(mediaTimeMs, wallClockMs);
    }
}
