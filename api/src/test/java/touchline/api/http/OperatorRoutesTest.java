package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import touchline.config.ConfigLoader;

final class OperatorRoutesTest {
    @Test
    void reload_namesWhatWasAppliedAndWhatNeedsARestart() {
        try (ApiFixture api = new ApiFixture()) {
            api.reload =
                    () ->
                            new Reload.Report(
                                    List.of(new Reload.Applied("log.level", "info", "debug")),
                                    List.of("api.port"));

            JsonNode data = api.post("/system/v1/reload", null).data();

            assertEquals(
                    "{\"applied\":[{\"key\":\"log.level\",\"from\":\"info\",\"to\":\"debug\"}],"
                            + "\"restart_required\":[\"api.port\"]}",
                    data.toString());
        }
    }

    @Test
    void reload_ofAMalformedFile_names40002AndEveryKey() {
        try (ApiFixture api = new ApiFixture()) {
            api.reload =
                    () -> {
                        ConfigLoader loader =
                                new ConfigLoader(
                                        Map.of(
                                                "TOUCHLINE_LOG_LEVEL", "loud",
                                                "TOUCHLINE_RTMP_PORT", "x"),
                                        Path.of("."));
                        loader.load();
                        throw new AssertionError("loaded");
                    };

            TestReply answer = api.post("/system/v1/reload", null);
            JsonNode reply = answer.json();
            assertEquals(400, answer.status());

            assertEquals(40_002, reply.path("code").asInt());
            assertEquals(2, reply.path("errors").size(), reply.toString());
            assertTrue(
                    reply.path("errors").findValuesAsText("field").contains("log.level"),
                    reply.toString());
            assertTrue(
                    reply.path("message").asText().contains("nothing has changed"),
                    reply.toString());
        }
    }
}
