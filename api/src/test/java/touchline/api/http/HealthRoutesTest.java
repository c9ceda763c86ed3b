package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.api.domain.Scope;
import touchline.media.StreamId;
import touchline.media.hub.IngestReport;
import touchline.media.hub.LiveStream;

final class HealthRoutesTest {
    private static final String STREAMS = "/live/v1/live-streams/";

    private ApiFixture api;
    private StreamId stream;

    @BeforeEach
    void open() {
        api = new ApiFixture();
        stream = new StreamId(api.create("{}").get("id").textValue());
    }

    @AfterEach
    void close() {
        api.close();
    }

    private String path() {
        return STREAMS + stream + "/health";
    }

    @Test
    void health_withoutASession_isEmpty() {
        JsonNode health = api.get(path()).data();

        assertTrue(health.get("session_id").isNull());
        assertEquals(5, health.get("step_s").intValue());
        assertEquals(0, health.get("samples").size());
        assertEquals(0, health.get("warnings").size());
    }

    @Test
    void health_ofARunningSession_hasItsSamples_andTheAdviceWithItsTime() {
        LiveStream running = api.live.start(stream);
        running.fault(new IngestReport.Warning("audio_silent", "check the mixer", api.now));
        api.now = api.now.plusSeconds(6);

        JsonNode health = api.get(path()).data();

        assertEquals(running.session().value(), health.get("session_id").textValue());
        assertEquals(1, health.get("samples").size());
        JsonNode sample = health.at("/samples/0");
        assertEquals(0, sample.get("at").longValue() % 5);
        assertTrue(sample.get("audio_bitrate").longValue() > 0, sample::toString);
        assertEquals(0, sample.get("video_bitrate").longValue());
        assertTrue(sample.get("key_frame_interval_s").isNull());
        assertTrue(sample.get("drift_ms").isNull());
        assertEquals(0, sample.get("missing_frames").intValue());
        JsonNode last = health.get("warnings").get(health.get("warnings").size() - 1);
        assertEquals("audio_silent", last.get("code").textValue());
        assertEquals(api.now.getEpochSecond() - 6, last.get("at").longValue());
    }

    @Test
    void samples_areThoseOfTheLastSeconds() {
        LiveStream _ = api.live.start(stream);
        api.now = api.now.plusSeconds(60);

        assertEquals(1, api.get(path() + "?seconds=100").data().get("samples").size());
        assertEquals(0, api.get(path() + "?seconds=10").data().get("samples").size());
        assertEquals(40002, api.get(path() + "?seconds=0").code());
        assertEquals(40002, api.get(path() + "?seconds=3601").code());
    }

    @Test
    void health_needsItsScope_andAStream() {
        assertEquals(40401, api.get(STREAMS + "str_none/health").code());
        Map<String, String> headers = Map.of("Authorization", api.bearer(Scope.LIVE_WRITE));
        assertEquals(40301, api.call("GET", path(), null, headers).code());
    }
}
