package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.db.StoppablePostgres;

/** Two nodes whose PostgreSQL is stopped for a while. */
@Timeout(480)
final class ClusterOutageIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final String STREAMS = "/live/v1/live-streams";
    private static final String UNCONFIRMED = "touchline_cluster_unconfirmed_total";
    private static final String ACTIVE = "touchline_cluster_active_streams";

    @TempDir private Path folder;

    private StartedServer node(String name, StoppablePostgres postgres) throws Exception {
        Map<String, String> environment = StartedServer.node(name, postgres.config());
        // A busy host may pause a node, which would be taken for a dead one.
        environment.put("TOUCHLINE_CLUSTER_LEASE", "60s");
        environment.put("TOUCHLINE_CLUSTER_HEARTBEAT", "1s");
        return StartedServer.inThisJvm(folder.resolve(name), environment);
    }

    /** No encoder has ever pushed at node b before PostgreSQL is stopped. */
    @Test
    void encoderOfARunningSession_atANodeThatNeverSawIt_isRelayed_andAReplacedKeyIsRefused()
            throws Exception {
        try (StoppablePostgres postgres = new StoppablePostgres(folder.resolve("postgres"));
                StartedServer a = node("node-a", postgres);
                StartedServer b = node("node-b", postgres)) {
            Stream kept = Stream.create(a);
            Stream reset = Stream.create(a);
            Encoder before = Encoder.live(a.push(kept.key()));
            try (Encoder cut = Encoder.live(a.push(reset.key()))) {
                for (Stream each : List.of(kept, reset)) {
                    TestServer.await("active", SOON, () -> a.status(each.id()).equals("active"));
                }
                String newKey = resetKey(a, reset);
                TestServer.await("cut", SOON, () -> !cut.isRunning());
                TestServer.await("known at b", SOON, () -> b.metric(ACTIVE) == 2);
                String session = session(a, kept);
                TestServer.await("shown", SOON, () -> a.view(kept.address()).statusCode() == 200);
                // Its path names the session.
                String media = a.mediaPlaylist(kept.address());
                postgres.stop();
                before.kill();

                try (Encoder atB = sending(b, kept.key());
                        Encoder old = Encoder.live(b.push(reset.key()));
                        Encoder _ = sending(b, newKey)) {
                    assertTrue(old.await(SOON) != 0, old::output);
                    assertGoesOnAt(a, media);
                    assertTrue(atB.isRunning(), atB::output);
                    postgres.restart();
                    TestServer.await(
                            "answers", SOON, () -> b.health().contains("\"database\":\"up\""));
                    TestServer.await("again", SOON, () -> session.equals(session(b, kept)));
                    assertTrue(b.get("/live/v1/sessions/" + session).path("end_reason").isNull());
                    assertTrue(
                            b.output().contains("stream=" + kept.id() + " is relayed to node"),
                            b::output);
                }
            } finally {
                before.close();
            }
        }
    }

    /** Again if node b did not confirm it: then it may not have read it yet. */
    private static String resetKey(StartedServer node, Stream stream) {
        while (true) {
            double unconfirmed = node.metric(UNCONFIRMED);
            JsonNode changed =
                    node.call("POST", STREAMS + "/" + stream.id() + "/reset-stream-key", "");
            if (node.metric(UNCONFIRMED) == unconfirmed) {
                return changed.path("stream_key").asText();
            }
        }
    }

    /** Tries again while the owner of the stream is too busy to answer in time, as encoders do. */
    private static Encoder sending(StartedServer node, String key) throws Exception {
        return Encoder.untilLetIn(
                SOON,
                () -> Encoder.live(node.push(key)),
                refused -> assertTrue(refused.contains("does not answer, try again"), refused));
    }

    /** The playlist of the same session gets new media. */
    private static void assertGoesOnAt(StartedServer node, String media) throws Exception {
        String playlist = node.view(media).body();
        TestServer.await("new media", SOON, () -> !node.view(media).body().equals(playlist));
        assertEquals(200, node.view(media).statusCode());
        assertTrue(node.view(media).body().contains("#EXT-X-DISCONTINUITY"));
    }

    private static String session(StartedServer node, Stream stream) {
        return node.get(STREAMS + "/" + stream.id()).path("active_session_id").asText();
    }

    /**
     * A live stream.
     *
     * @param address of its multivariant playlist
     */
    private record Stream(String id, String key, String address) {
        static Stream create(StartedServer node) {
            JsonNode made =
                    node.call("POST", STREAMS, "{\"record\":false,\"reconnect_window\":300}");
            return new Stream(
                    made.path("id").asText(),
                    made.path("stream_key").asText(),
                    "/" + made.at("/playback_ids/0/id").asText() + ".m3u8");
        }
    }
}
