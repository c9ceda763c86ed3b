package touchline.benchmarks.hostile;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import touchline.benchmarks.load.LiveAddress;
import touchline.benchmarks.load.TouchlineServer;

/**
 * The streams of a run.
 *
 * @param honest five that must go on, without moderation: three of mode low, two of mode standard
 * @param html moderated, with a gate and a page as scoreboard
 * @param withOverlay moderated, with a gate and an overlay stream as scoreboard
 * @param overlayPush where its overlay stream is pushed to
 * @param gated moderated, with a gate
 * @param av1 moderated
 * @param large moderated, as are largeToo and wide
 * @param jumps for jumping timestamps
 * @param flooded for data messages
 */
record HostileStreams(
        List<LiveAddress> honest,
        LiveAddress html,
        LiveAddress withOverlay,
        URI overlayPush,
        LiveAddress gated,
        LiveAddress av1,
        LiveAddress large,
        LiveAddress largeToo,
        LiveAddress wide,
        LiveAddress jumps,
        LiveAddress flooded) {
    private static final int LOW = 3;
    private static final int STANDARD = 2;

    /** Number of honest publishers. */
    static final int HONEST = LOW + STANDARD;

    HostileStreams {
        honest = List.copyOf(honest);
    }

    static HostileStreams create(TouchlineServer server) throws IOException, InterruptedException {
        List<LiveAddress> honest = new ArrayList<>(server.streams(LOW, "low"));
        honest.addAll(server.streams(STANDARD, "standard"));
        LiveAddress html =
                moderated(
                        server,
                        """
                        , "generate_watermark": {"type": "html", \
                        "url": "http://scoreboard.touchline.internal/", \
                        "overlay_settings": {"width": "50%", "height": "20.8%"}}\
                        """,
                        "true");
        LiveAddress overlay =
                moderated(
                        server,
                        """
                        , "generate_watermark": {"type": "stream", \
                        "audio_mix_settings": {"mode": "mix", "volume_main": 0.5, \
                        "volume_secondary": 0.25}, \
                        "overlay_settings": {"width": "50%", "height": "50%"}}\
                        """,
                        "true");
        String key =
                server.get("/live/v1/live-streams/" + overlay.id())
                        .at("/generate_watermark/stream_key")
                        .asText();
        return new HostileStreams(
                honest,
                html,
                overlay,
                overlay.push().resolve(key),
                moderated(server, "", "true"),
                moderated(server, "", "false"),
                moderated(server, "", "false"),
                moderated(server, "", "false"),
                moderated(server, "", "false"),
                server.stream(settings("")),
                server.stream(settings("")));
    }

    private static String settings(String more) {
        return "{\"title\": \"hostile\", \"latency_mode\": \"low\", \"reconnect_window\": 1%s}"
                .formatted(more);
    }

    private static LiveAddress moderated(TouchlineServer server, String more, String gate)
            throws IOException, InterruptedException {
        LiveAddress stream = server.stream(settings(more));
        server.call(
                "PUT",
                "/live/v1/live-streams/" + stream.id() + "/audit-settings",
                """
                {"frame_interval": 1, "samples": 2, "models": {"nude": 0.5, "weapon": 0.5}, \
                "gate": %s}\
                """
                        .formatted(gate));
        return stream;
    }
}
