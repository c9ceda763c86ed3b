package touchline.overlay.page;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * {@code window.touchline}: what a page is told about the frame it lies on. Its times count on by
 * themselves from what they were last set to.
 */
final class PageScript {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final String DEFINITION =
            """
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

    /** Answers {@code [status, host]} of the main document; its own status, so it may lie. */
    static final String STATUS =
            "[performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0,"
                    + " location.hostname]";

    /** Resolves when a frame that was begun after now is done. */
    static final String PAINTED =
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))";

    /** Answers at once in every page that still runs. */
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
