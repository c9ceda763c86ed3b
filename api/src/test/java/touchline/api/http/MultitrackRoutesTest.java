package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.api.db.Epoch;
import touchline.api.db.SessionRepository;
import touchline.api.domain.AudioDelivery;
import touchline.api.domain.Session;
import touchline.api.domain.SessionReport;
import touchline.media.SessionId;
import touchline.media.StreamId;

final class MultitrackRoutesTest {
    private ApiFixture api;

    @BeforeEach
    void open() {
        api = new ApiFixture();
    }

    @AfterEach
    void close() {
        api.close();
    }

    private static String path(JsonNode stream) {
        return "/live/v1/live-streams/" + stream.get("id").textValue() + "/multitrack-config";
    }

    @Test
    void config_isWhatObsReads_inDataAndBesideIt() {
        JsonNode stream = api.create("{}");
        JsonNode reply = api.get(path(stream)).json();

        JsonNode config = reply.get("data");
        config.fieldNames()
                .forEachRemaining(name -> assertEquals(config.get(name), reply.get(name)));
        assertEquals(0, reply.get("code").intValue());
        assertEquals("2025-01-25", reply.at("/meta/schema_version").textValue());
        assertTrue(reply.at("/meta/service").isTextual());
        assertTrue(reply.at("/meta/config_id").isTextual());
        assertEquals("success", reply.at("/status/result").textValue());
        JsonNode endpoint = reply.at("/ingest_endpoints/0");
        assertEquals("RTMP", endpoint.get("protocol").textValue());
        assertEquals(
                stream.get("stream_url").textValue() + "/{stream_key}",
                endpoint.get("url_template").textValue());
        assertEquals(stream.get("stream_key"), endpoint.get("authentication"));
        assertEquals(List.of("1920x1080 6000", "854x480 1500", "640x360 900"), tracks(reply));
        for (JsonNode track : reply.get("encoder_configurations")) {
            assertEquals("obs_x264", track.get("type").textValue());
            assertEquals(30, track.at("/framerate/numerator").intValue());
            assertEquals(1, track.at("/framerate/denominator").intValue());
            assertEquals(2, track.at("/settings/keyint_sec").intValue());
            assertEquals(0, track.at("/settings/bf").intValue());
        }
        assertEquals("aac", reply.at("/audio_configurations/live/0/codec").textValue());
        assertEquals(0, reply.at("/audio_configurations/live/0/track_id").intValue());
        assertEquals(1, reply.at("/audio_configurations/vod/0/track_id").intValue());
        assertEquals(160, reply.at("/audio_configurations/live/0/settings/bitrate").intValue());
    }

    private static List<String> tracks(JsonNode reply) {
        List<String> tracks = new java.util.ArrayList<>();
        for (JsonNode track : reply.get("encoder_configurations")) {
            tracks.add(
                    track.get("width")
                            + "x"
                            + track.get("height")
                            + " "
                            + track.at("/settings/bitrate"));
        }
        return tracks;
    }

    @Test
    void ladder_isTheStreamsOwn_belowWhatWasSentLast() {
        JsonNode stream =
                api.create("{\"renditions\": [{\"height\": 360, \"video_bitrate\": 700000}]}");
        SessionId id = new SessionId("ses_1");
        api.store(Session.started(id, new StreamId(stream.get("id").textValue()), api.now));
        new SessionRepository(api.database)
                .report(
                        id,
                        new SessionReport(
                                List.of("avc1.64001f"),
                                AudioDelivery.NONE,
                                1280,
                                720,
                                59.94,
                                4_000_000,
                                0,
                                List.of()),
                        api.now,
                        Epoch.ALONE);

        JsonNode reply = api.get(path(stream) + "?encoder=nvenc").json();
        assertEquals(List.of("1280x720 4500", "640x360 700"), tracks(reply));
        JsonNode first = reply.at("/encoder_configurations/0");
        assertEquals("obs_nvenc_h264_tex", first.get("type").textValue());
        assertEquals(60_000, first.at("/framerate/numerator").intValue());
        assertEquals(1_001, first.at("/framerate/denominator").intValue());

        reply = api.get(path(stream) + "?height=1080&frame_rate=25").json();
        assertEquals("1920x1080 6000", tracks(reply).getFirst());
        assertEquals(25, reply.at("/encoder_configurations/0/framerate/numerator").intValue());
    }

    @Test
    void wrongParameters_andOtherStreams_areRefused() {
        JsonNode stream = api.create("{}");
        for (String query : List.of("height=10", "frame_rate=0", "encoder=vp9", "height=x")) {
            JsonNode reply = api.get(path(stream) + "?" + query).json();
            assertEquals(40002, reply.get("code").intValue(), query);
            assertEquals(
                    query.substring(0, query.indexOf('=')),
                    reply.at("/errors/0/field").textValue());
        }
        assertEquals(
                40401,
                api.get("/live/v1/live-streams/str_x/multitrack-config")
                        .json()
                        .get("code")
                        .intValue());
    }
}
