package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RenditionFieldsTest {
    private static final String STREAMS = "/live/v1/live-streams";

    private ApiFixture api;

    @BeforeEach
    void open() {
        api = new ApiFixture();
    }

    @AfterEach
    void close() {
        api.close();
    }

    @Test
    void create_echoesThem_andPatchChangesThem() {
        assertEquals("[]", api.create("{}").get("renditions").toString());
        JsonNode stream =
                api.create(
                        """
                        {"renditions": [{"height": 720, "video_bitrate": 2500000},
                         {"height": 360, "frame_rate": 12.5}, {"height": 480, "frame_rate": 25}]}
                        """);
        assertEquals(
                "[{\"height\":720,\"video_bitrate\":2500000},"
                        + "{\"height\":360,\"frame_rate\":12.5},"
                        + "{\"height\":480,\"frame_rate\":25}]",
                stream.get("renditions").toString());
        String path = STREAMS + "/" + stream.get("id").textValue();
        assertEquals(stream.get("renditions"), api.get(path).data().get("renditions"));

        JsonNode changed = api.patch(path, "{\"renditions\": \"auto\"}").data();

        assertEquals("auto", changed.get("renditions").textValue());
        assertEquals(
                "auto", api.patch(path, "{\"title\": \"x\"}").data().get("renditions").textValue());
        assertTrue(api.patch(path, "{\"renditions\": []}").data().get("renditions").isEmpty());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'best' | renditions | unknown value",
                "true | renditions | true or false",
                "[1] | renditions[0] | a number",
                "[{}] | renditions[0].height | missing",
                "[{'height': 481}] | renditions[0].height | even",
                "[{'height': 142}] | renditions[0].height | 144 to 2160",
                "[{'height': 2162}] | renditions[0].height | 144 to 2160",
                "[{'height': 360}, {'height': 360}] | renditions[1].height | twice",
                "[{'height': 360, 'video_bitrate': 99999}] | renditions[0].video_bitrate | 100000",
                "[{'height': 360, 'frame_rate': 0.5}] | renditions[0].frame_rate | 1.0 to 120.0",
                "[{'height': 360, 'frame_rate': '25'}] | renditions[0].frame_rate | a string",
            })
    void invalid_isRefusedWithItsField(String given, String field, String reason) {
        TestReply reply = api.post(STREAMS, "{\"renditions\": " + given.replace('\'', '"') + "}");

        assertEquals(400, reply.status());
        assertEquals(reason.equals("missing") ? 40003 : 40002, reply.code());
        JsonNode error = reply.json().at("/errors/0");
        assertEquals(field, error.get("field").textValue());
        assertTrue(error.get("reason").textValue().contains(reason), error::toString);
    }

    @Test
    void moreThanFive_areRefused() {
        String six =
                "{\"renditions\": [{\"height\":144},{\"height\":240},{\"height\":360},"
                        + "{\"height\":480},{\"height\":540},{\"height\":720}]}";

        assertEquals("renditions", api.post(STREAMS, six).json().at("/errors/0/field").textValue());
    }
}
