package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.api.asset.RecordingAsset;
import touchline.api.db.StreamRepository;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetError;
import touchline.api.domain.AssetState;
import touchline.api.domain.StreamDefinition;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.packager.record.Recorder;
import touchline.packager.record.Recording;

final class AssetRoutesTest {
    private static final String ASSETS = "/video-streams/v1/assets";

    private ApiFixture api;

    @BeforeEach
    void open() {
        api = new ApiFixture();
    }

    @AfterEach
    void close() {
        api.close();
    }

    private StreamDefinition stream() {
        JsonNode created = api.create("{\"policy\": [\"signed\", \"public\"], \"record\": true}");
        StreamRepository streams = api.streams;
        return streams.find(new StreamId(created.get("id").textValue())).orElseThrow();
    }

    private JsonNode shown(Asset asset) {
        return api.get(ASSETS + "/" + asset.id()).data();
    }

    private static Recording.Segment segment(int number, long durationUs) {
        return new Recording.Segment(number, 0, new Recording.Place(1, 0, 1_000), 0, durationUs, 4);
    }

    @Test
    void find_finishedRecording_showsEveryField() {
        Asset asset = api.asset();

        JsonNode json = shown(asset);

        assertEquals(
                """
                {"asset_id":"%s","status":"ready","is_live":false,"duration":12.345,\
                "live_stream_id":"str_deleted","playback_ids":[{"policy":"signed","id":"%s"},\
                {"policy":"public","id":"%s"}],"title":"Cup final",\
                "user_metadata":"{\\"match\\": 7}","mp4_support":"capped-1080p","errors":[],\
                "created_at":%d}"""
                        .formatted(
                                asset.id(),
                                asset.playbackIds().get(0).id(),
                                asset.playbackIds().get(1).id(),
                                ApiFixture.START.getEpochSecond()),
                json.toString());
    }

    @Test
    void find_errored_saysWhy() {
        List<AssetError> errors =
                List.of(new AssetError(AssetError.NOTHING_RECORDED, "nothing was stored"));
        Asset asset = api.asset(new StreamId("str_1"), AssetState.failed(errors, api.now));

        JsonNode json = shown(asset);

        assertEquals("errored", json.get("status").textValue());
        assertEquals(
                "[{\"type\":\"nothing_recorded\",\"message\":\"nothing was stored\"}]",
                json.get("errors").toString());
    }

    @Test
    void find_whileItIsRecorded_growsAtOnce() {
        StreamDefinition stream = stream();
        try (RecordingAsset recorded = api.assets.begin(stream, new SessionId("ses_1"))) {
            Asset asset = recorded.asset();
            assertEquals("preparing", shown(asset).get("status").textValue());
            assertTrue(shown(asset).get("is_live").booleanValue());

            recorded.segmentStored(segment(1, 4_000_900));
            assertEquals("ready", shown(asset).get("status").textValue());
            recorded.segmentStored(segment(2, 4_000_900));

            assertEquals(8.001, shown(asset).get("duration").doubleValue());
            assertEquals(8.001, api.get(ASSETS).data().get(0).get("duration").doubleValue());
            recorded.failed(Recorder.Failure.DISK, "the end of this test");
        }
    }

    @Test
    void list_byStream_alsoOfADeletedOne_newestFirst() {
        StreamDefinition stream = stream();
        Asset first = api.asset(stream.id(), AssetState.finished(1, 1, List.of(), api.now));
        api.asset();
        Asset second = api.asset(stream.id(), AssetState.finished(1, 1, List.of(), api.now));
        assertEquals(200, api.delete("/live/v1/live-streams/" + stream.id()).status());

        TestReply reply = api.get(ASSETS + "?live_stream_id=" + stream.id() + "&limit=1");

        assertEquals(second.id().value(), reply.data().at("/0/asset_id").textValue());
        assertEquals(1, reply.data().size());
        assertEquals(2, reply.json().get("total").intValue());
        assertTrue(reply.json().get("has_more").booleanValue());
        TestReply next = api.get(ASSETS + "?live_stream_id=" + stream.id() + "&limit=1&page=2");
        assertEquals(first.id().value(), next.data().at("/0/asset_id").textValue());
        assertFalse(next.json().get("has_more").booleanValue());
        assertEquals(3, api.get(ASSETS).json().get("total").intValue());
        assertEquals(0, api.get(ASSETS + "?live_stream_id=str_none").data().size());
    }

    @Test
    void list_badParameters_areAllNamed() {
        TestReply reply = api.get(ASSETS + "?live_stream_id=a%20b&kind=both&page=0&limit=101");

        assertEquals(40002, reply.code());
        assertEquals(List.of("live_stream_id", "kind", "page", "limit"), reply.badFields());
    }

    @Test
    void delete_finished_isGoneForClientsAndViewers() throws Exception {
        Asset asset = api.asset();
        Files.createDirectories(api.assets.folders().of(asset.id()));
        api.assets.start();
        String id = asset.playbackIds().getFirst().id();
        assertTrue(api.assets.playbackIds().find(id).isPresent());

        assertEquals(200, api.delete(ASSETS + "/" + asset.id()).status());

        assertTrue(api.assets.playbackIds().find(id).isEmpty());
        assertEquals(40401, api.get(ASSETS + "/" + asset.id()).code());
        assertEquals(40401, api.delete(ASSETS + "/" + asset.id()).code());
    }

    @Test
    void delete_whileItIsRecorded_isRefused() {
        try (RecordingAsset recorded = api.assets.begin(stream(), new SessionId("ses_1"))) {
            TestReply reply = api.delete(ASSETS + "/" + recorded.asset().id());

            assertEquals(40901, reply.code());
            assertEquals(
                    "the asset is being recorded: complete its live stream first",
                    reply.json().get("message").textValue());
            recorded.failed(Recorder.Failure.DISK, "the end of this test");
        }
    }

    @Test
    void recentAssetIds_ofAStream_areItsNewestTen() {
        StreamDefinition stream = stream();
        List<String> newestFirst = new ArrayList<>();
        for (int i = 0; i < 11; i++) {
            Asset asset = api.asset(stream.id(), AssetState.finished(1, 1, List.of(), api.now));
            newestFirst.addFirst(asset.id().value());
        }

        JsonNode alone = api.get("/live/v1/live-streams/" + stream.id()).data();
        JsonNode listed = api.get("/live/v1/live-streams").data().get(0);

        List<String> shown = new ArrayList<>();
        alone.get("recent_asset_ids").forEach(id -> shown.add(id.textValue()));
        assertEquals(newestFirst.subList(0, 10), shown);
        assertEquals(alone.get("recent_asset_ids"), listed.get("recent_asset_ids"));
    }
}
