package touchline.benchmarks.caches;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class OriginRequestsTest {
    @Test
    void requests_ofTwoMoments_areSubtractedByKind() {
        OriginRequests before = OriginRequests.parse(metrics("12", "3"));
        OriginRequests after = OriginRequests.parse(metrics("1.5E1", "3"));

        assertEquals(3, after.since(before, OriginRequests.MEDIA_PLAYLIST));
        assertEquals(0, after.since(before, OriginRequests.PART));
        assertEquals(0, after.of(OriginRequests.MP4));
    }

    private static String metrics(String playlists, String parts) {
        return """
        # TYPE touchline_playback_requests_total counter
        touchline_playback_requests_total{kind="media_playlist"} %s
        touchline_playback_requests_total{kind="part"} %s
        touchline_playback_rendition_requests_total{rendition="source"} 99
        """
                .formatted(playlists, parts);
    }
}
