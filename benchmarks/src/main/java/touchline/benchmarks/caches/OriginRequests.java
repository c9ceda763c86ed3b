package touchline.benchmarks.caches;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import touchline.benchmarks.load.TouchlineServer;

/**
 * Requests that the playback port of the server has counted since its start, by kind. Immutable.
 *
 * @param byKind the label of the metric and its value
 */
record OriginRequests(Map<String, Long> byKind) {
    static final String MEDIA_PLAYLIST = "media_playlist";
    static final String SEGMENT = "segment";
    static final String PART = "part";
    static final String INIT = "init";
    static final String MP4 = "mp4";

    private static final String LINE = "touchline_playback_requests_total{kind=\"";

    OriginRequests {
        byKind = Map.copyOf(byKind);
    }

    static OriginRequests of(TouchlineServer server) throws IOException, InterruptedException {
        OriginRequests now = parse(server.text("/observe/metrics"));
        if (now.byKind.isEmpty()) {
            throw new IOException("no metric touchline_playback_requests_total");
        }
        return now;
    }

    /**
     * @param metrics in the text format of Prometheus
     */
    static OriginRequests parse(String metrics) {
        Map<String, Long> byKind = new HashMap<>();
        metrics.lines()
                .filter(line -> line.startsWith(LINE))
                .forEach(
                        line -> {
                            int end = line.indexOf('"', LINE.length());
                            String value = line.substring(line.lastIndexOf(' ') + 1);
                            byKind.put(
                                    line.substring(LINE.length(), end),
                                    Math.round(Double.parseDouble(value)));
                        });
        return new OriginRequests(byKind);
    }

    /** 0 for a kind that was never requested. */
    long of(String kind) {
        return byKind.getOrDefault(kind, 0L);
    }

    /** Requests of a kind since an earlier moment. */
    long since(OriginRequests earlier, String kind) {
        return of(kind) - earlier.of(kind);
    }
}
