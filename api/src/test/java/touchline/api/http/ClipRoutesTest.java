package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import touchline.api.db.AssetRepository;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetOrigin;
import touchline.api.domain.AssetState;
import touchline.api.view.AssetView;
import touchline.media.StreamId;

/** The checks of a clip, and its row. */
final class ClipRoutesTest {
    private ApiFixture api;

    @BeforeEach
    void open() {
        api = new ApiFixture();
    }

    @AfterEach
    void close() {
        api.close();
    }

    private ApiFixture.Reply post(String body) {
        return api.post(ClipRoutes.CLIP, body);
    }

    private static String body(Asset source, String start, String end) {
        return "{\"asset_id\": \"%s\", \"start_time\": %s, \"end_time\": %s}"
                .formatted(source.id(), start, end);
    }

    @Test
    void create_partOfAnAsset_answersAndSubmitsAPreparingClip() {
        Asset source = api.asset();

        ApiFixture.Reply reply = post(body(source, "1.5", "4"));

        Asset clip = api.clips.getFirst();
        assertEquals(200, reply.status(), reply::text);
        assertEquals(
                """
                {"asset_id":"%s","source_asset_id":"%s","status":"preparing","duration":3,\
                "live_stream_id":"str_deleted","playback_ids":[{"policy":"signed","id":"%s"},\
                {"policy":"public","id":"%s"}],"user_metadata":"{\\"match\\": 7}"}"""
                        .formatted(
                                clip.id(),
                                source.id(),
                                clip.playbackIds().get(0).id(),
                                clip.playbackIds().get(1).id()),
                reply.data().toString());
        assertEquals(new AssetOrigin.Cut(source.id(), 1_500_000, 4_000_000), clip.origin());
        assertTrue(clip.playbackIds().stream().noneMatch(source.playbackIds()::contains));
        JsonNode listed = api.get("/video-streams/v1/assets").data().get(0);
        assertEquals(clip.id().value(), listed.get("asset_id").textValue());
        assertEquals(source.id().value(), listed.get("source_asset_id").textValue());
        assertEquals(2.5, listed.get("duration").doubleValue());
        assertEquals(0, listed.get("progress").doubleValue());
    }

    @Test
    void create_toTheShownEnd_isAccepted() {
        Asset source = api.asset();
        String shown =
                api.get("/video-streams/v1/assets/" + source.id()).data().get("duration").asText();

        assertEquals(200, post(body(source, "0", shown)).status());
        assertEquals(200, post(body(source, "12.344", "1.2345e1")).status());
    }

    /** Clients round a duration up, and a player's last time may lie behind it. */
    @ParameterizedTest
    @ValueSource(strings = {"12.346", "13", "13.345"})
    void create_upToASecondBehindTheEnd_isCutToTheEnd(String end) {
        Asset source = api.asset();

        ApiFixture.Reply reply = post(body(source, "2", end));

        assertEquals(200, reply.status(), reply::text);
        long sourceUs = source.state().durationUs();
        assertEquals(
                new AssetOrigin.Cut(source.id(), 2_000_000, sourceUs),
                api.clips.getFirst().origin());
        assertEquals(sourceUs - 2_000_000, api.clips.getFirst().state().durationUs());
    }

    @Test
    void create_fromTheEndOn_namesTheStart() {
        ApiFixture.Reply reply = post(body(api.asset(), "12.5", "13"));

        assertEquals(40002, reply.code());
        assertEquals(List.of("start_time"), reply.badFields());
        assertTrue(reply.json().get("message").textValue().contains("less than 12.345"));
    }

    @Test
    void create_sameKeyTwice_makesOneClip() {
        Asset source = api.asset();
        Map<String, String> headers =
                Map.of("Authorization", ApiFixture.ADMIN, "Idempotency-Key", "once");

        String first =
                api.call("POST", ClipRoutes.CLIP, body(source, "0", "1"), headers)
                        .data()
                        .toString();
        String second =
                api.call("POST", ClipRoutes.CLIP, body(source, "0", "1"), headers)
                        .data()
                        .toString();

        assertEquals(first, second);
        assertEquals(1, api.clips.size());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}|40003|asset_id,start_time,end_time",
                "{\"asset_id\": \"ast_1\", \"start_time\": 0}|40003|end_time",
                "{\"asset_id\": 7, \"start_time\": \"0\", \"end_time\": true}|40002|asset_id,start_time,end_time",
                "{\"asset_id\": \"ast_1\", \"start_time\": null, \"end_time\": 1}|40002|start_time",
                "{\"asset_id\": \"ast_1\", \"start_time\": -1, \"end_time\": 1}|40002|start_time",
                "{\"asset_id\": \"ast_1\", \"start_time\": -0.001, \"end_time\": 1}|40002|start_time",
                "{\"asset_id\": \"ast_1\", \"start_time\": 0, \"end_time\": 1.0005}|40002|end_time",
                "{\"asset_id\": \"ast_1\", \"start_time\": 0, \"end_time\": 1e300}|40002|end_time",
                "{\"asset_id\": \"ast_1\", \"start_time\": NaN, \"end_time\": 1}|40002|start_time",
                "{\"asset_id\": \"ast_1\", \"start_time\": 0, \"end_time\": Infinity}|40002|end_time",
                "{\"asset_id\": \"ast_1\", \"start_time\": 2, \"end_time\": 2}|40002|end_time",
                "{\"asset_id\": \"ast_1\", \"start_time\": 3, \"end_time\": 2}|40002|end_time",
            })
    void create_badInput_namesTheFields(String body, int code, String fields) {
        ApiFixture.Reply reply = post(body);

        assertEquals(code, reply.code(), reply::text);
        assertEquals(List.of(fields.split(",", -1)), reply.badFields());
        assertTrue(api.clips.isEmpty());
    }

    @Test
    void create_beyondTheEnd_saysWhatThereIs() {
        ApiFixture.Reply reply = post(body(api.asset(), "0", "13.346"));

        assertEquals(40002, reply.code());
        assertEquals(List.of("end_time"), reply.badFields());
        assertTrue(reply.json().get("message").textValue().contains("at most 12.345"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ast_none", "", "../ast", "a b"})
    void create_unknownSource_isNotFound(String id) {
        assertEquals(
                40401,
                post("{\"asset_id\": \"%s\", \"start_time\": 0, \"end_time\": 1}".formatted(id))
                        .code());
    }

    @Test
    void create_sourceThatIsNotReady_isRefused() {
        StreamId stream = new StreamId("str_1");
        Asset preparing = api.asset(stream, AssetState.RECORDING);
        Asset errored = api.asset(stream, AssetState.failed(List.of(), api.now));

        assertEquals(40901, post(body(preparing, "0", "1")).code());
        assertEquals(40901, post(body(errored, "0", "1")).code());
        assertTrue(api.clips.isEmpty());
    }

    @Test
    void create_fromAClip_isACutOfThatClip() {
        Asset source = api.asset();
        post(body(source, "0", "10"));
        Asset clip = api.clips.getFirst();
        new AssetRepository(api.database, AssetView::of)
                .update(clip.id(), AssetState.finished(10_000_000, 1, List.of(), api.now));

        assertEquals(200, post(body(clip, "2", "3")).status());

        assertEquals(
                new AssetOrigin.Cut(clip.id(), 2_000_000, 3_000_000), api.clips.getLast().origin());
    }
}
