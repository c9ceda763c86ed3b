package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
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
import touchline.api.domain.PlaybackId;
import touchline.api.domain.PlaybackPolicy;
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

    private TestReply post(String body) {
        return api.post(ClipRoutes.CLIP, body);
    }

    private static String body(Asset source, String start, String end) {
        return "{\"asset_id\": \"%s\", \"start_time\": %s, \"end_time\": %s}"
                .formatted(source.id(), start, end);
    }

    @Test
    void create_partOfAnAsset_answersAndSubmitsAPreparingClip() {
        Asset source = api.asset();

        TestReply reply = post(body(source, "1.5", "4"));

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

        TestReply reply = post(body(source, "2", end));

        assertEquals(200, reply.status(), reply::text);
        long sourceUs = source.state().durationUs();
        assertEquals(
                new AssetOrigin.Cut(source.id(), 2_000_000, sourceUs),
                api.clips.getFirst().origin());
        assertEquals(sourceUs - 2_000_000, api.clips.getFirst().state().durationUs());
    }

    @Test
    void create_fromTheEndOn_namesTheStart() {
        TestReply reply = post(body(api.asset(), "12.5", "13"));

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
        TestReply reply = post(body);

        assertEquals(code, reply.code(), reply::text);
        assertEquals(List.of(fields.split(",", -1)), reply.badFields());
        assertTrue(api.clips.isEmpty());
    }

    @Test
    void create_beyondTheEnd_saysWhatThereIs() {
        TestReply reply = post(body(api.asset(), "0", "13.346"));

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

    private static String range(Asset source, String start, String end) {
        return body(source, start, end);
    }

    private static String ranges(String... ranges) {
        return "{\"ranges\": [" + String.join(",", ranges) + "]}";
    }

    @Test
    void create_severalRanges_answersAndSubmitsOneClip() {
        Asset first = api.asset();
        Asset second = api.asset();

        TestReply reply =
                post(
                        ranges(
                                range(second, "5", "8.25"),
                                range(first, "1.5", "13"),
                                range(second, "6", "7")));

        Asset clip = api.clips.getFirst();
        assertEquals(200, reply.status(), reply::text);
        assertEquals(
                """
                {"asset_id":"%s","source_asset_id":"%s","ranges":[\
                {"asset_id":"%s","start_time":5.0,"end_time":8.25},\
                {"asset_id":"%s","start_time":1.5,"end_time":12.345},\
                {"asset_id":"%s","start_time":6.0,"end_time":7.0}],"status":"preparing",\
                "duration":16,"live_stream_id":"str_deleted","playback_ids":[\
                {"policy":"signed","id":"%s"},{"policy":"public","id":"%s"}],\
                "user_metadata":"{\\"match\\": 7}"}"""
                        .formatted(
                                clip.id(),
                                second.id(),
                                second.id(),
                                first.id(),
                                second.id(),
                                clip.playbackIds().get(0).id(),
                                clip.playbackIds().get(1).id()),
                reply.data().toString());
        assertEquals(
                new AssetOrigin.Joined(
                        List.of(
                                new AssetOrigin.Cut(second.id(), 5_000_000, 8_250_000),
                                new AssetOrigin.Cut(first.id(), 1_500_000, 12_345_678),
                                new AssetOrigin.Cut(second.id(), 6_000_000, 7_000_000))),
                clip.origin());
        assertEquals(
                reply.data().get("ranges"),
                api.get("/video-streams/v1/assets/" + clip.id()).data().get("ranges"));
    }

    /** What needed a token before needs one in the clip. */
    @Test
    void create_withASignedSource_hasSignedIdsOnly() {
        Asset open = api.asset();
        Asset signed = api.asset(List.of(PlaybackId.create(PlaybackPolicy.SIGNED)));

        post(ranges(range(open, "0", "1"), range(signed, "0", "1")));

        assertEquals(
                List.of(PlaybackPolicy.SIGNED, PlaybackPolicy.SIGNED),
                api.clips.getFirst().playbackIds().stream().map(PlaybackId::policy).toList());
    }

    @Test
    void create_severalRangesTwiceWithOneKey_makesOneClip() {
        Asset source = api.asset();
        Map<String, String> headers =
                Map.of("Authorization", ApiFixture.ADMIN, "Idempotency-Key", "once");
        String body = ranges(range(source, "0", "1"), range(source, "2", "3"));

        String first = api.call("POST", ClipRoutes.CLIP, body, headers).data().toString();
        String second = api.call("POST", ClipRoutes.CLIP, body, headers).data().toString();

        assertEquals(first, second);
        assertEquals(1, api.clips.size());
        assertEquals(
                40902,
                api.call(
                                "POST",
                                ClipRoutes.CLIP,
                                ranges(range(source, "0", "1"), range(source, "2", "4")),
                                headers)
                        .code());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'ranges': []}|40002|ranges",
                "{'ranges': [{'asset_id': 'a', 'start_time': 0, 'end_time': 1}]}|40002|ranges",
                "{'ranges': null}|40002|ranges",
                "{'ranges': {'asset_id': 'a'}}|40002|ranges",
                "{'ranges': [{}, 7]}|40002|ranges[1],ranges[0].asset_id,ranges[0].start_time,ranges[0].end_time",
                "{'ranges': [{'asset_id': 'a', 'start_time': 0, 'end_time': 1}, {'asset_id': 'a'}]}|40003|ranges[1].start_time,ranges[1].end_time",
                "{'ranges': [{'asset_id': 'a', 'start_time': 0, 'end_time': 1}, {'asset_id': 'a', 'start_time': 3, 'end_time': 3}]}|40002|ranges[1].end_time",
                "{'asset_id': 'a', 'end_time': 1, 'ranges': [{'asset_id': 'a', 'start_time': 0, 'end_time': 1}, {'asset_id': 'a', 'start_time': 0, 'end_time': 1}]}|40002|asset_id,end_time",
                "{'ranges': [{'asset_id': 'a', 'start_time': 0, 'end_time': 1}, {'asset_id': '../b', 'start_time': 0, 'end_time': 1}]}|40401|ranges[0].asset_id,ranges[1].asset_id",
            })
    void create_badRanges_namesTheFields(String body, int code, String fields) {
        TestReply reply = post(body.replace('\'', '"'));

        assertEquals(code, reply.code(), reply::text);
        assertEquals(List.of(fields.split(",", -1)), reply.badFields());
        assertTrue(api.clips.isEmpty());
    }

    @Test
    void create_rangesBeyondTheirAssets_namesEach() {
        Asset source = api.asset();

        TestReply reply =
                post(
                        ranges(
                                range(source, "0", "1"),
                                range(source, "12.5", "13"),
                                range(source, "0", "14"),
                                range(source, "20", "21")));

        assertEquals(40002, reply.code());
        assertEquals(
                List.of(
                        "ranges[1].start_time",
                        "ranges[2].end_time",
                        "ranges[3].end_time",
                        "ranges[3].start_time"),
                reply.badFields());
        assertTrue(reply.text().contains("at most 12.345"), reply::text);
    }

    @Test
    void create_rangeOfAnAssetThatIsNotReady_namesIt() {
        Asset ready = api.asset();
        Asset errored = api.asset(new StreamId("str_1"), AssetState.failed(List.of(), api.now));

        TestReply reply = post(ranges(range(ready, "0", "1"), range(errored, "0", "1")));

        assertEquals(40901, reply.code());
        assertEquals(List.of("ranges[1].asset_id"), reply.badFields());
        assertTrue(reply.text().contains("errored"), reply::text);
    }

    @Test
    void create_asManyRangesAsAllowed_andOneMore() {
        Asset source = api.asset();
        String[] most = new String[50];
        Arrays.fill(most, range(source, "0", "1"));
        String[] tooMany = new String[51];
        Arrays.fill(tooMany, range(source, "0", "1"));

        assertEquals(200, post(ranges(most)).status());
        TestReply refused = post(ranges(tooMany));
        assertEquals(List.of("ranges"), refused.badFields());
        assertTrue(refused.text().contains("51 ranges (expected: 2 to 50)"), refused::text);
    }

    @Test
    void create_moreThanTwelveHoursTogether_isRefused() {
        Asset day =
                api.asset(
                        new StreamId("str_1"),
                        AssetState.finished(86_400_000_000L, 1, List.of(), api.now));
        String half = range(day, "0", "21600");

        assertEquals(200, post(ranges(half, half)).status());
        TestReply refused = post(ranges(half, range(day, "0", "21600.001")));
        assertEquals(40002, refused.code());
        assertEquals(List.of("ranges"), refused.badFields());
        assertTrue(refused.text().contains("at most 43200"), refused::text);
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
