package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import touchline.api.asset.AssetMarkers;
import touchline.api.db.AssetRepository;
import touchline.api.db.Epoch;
import touchline.api.db.MarkerRepository;
import touchline.api.db.MarkerRepository.Owner;
import touchline.api.db.SessionRepository;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetOrigin;
import touchline.api.domain.AssetState;
import touchline.api.domain.Marker;
import touchline.api.domain.Session;
import touchline.api.domain.SessionEnd;
import touchline.api.view.AssetView;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.hub.LiveStream;
import touchline.packager.clip.ClipCutter;

/** Markers of a session, by people and by the score, and those of its recording and its clips. */
final class MarkerRoutesTest {
    private ApiFixture api;
    private StreamId stream;
    private SessionId session;
    private String path;

    @BeforeEach
    void open() {
        api = new ApiFixture();
        stream = new StreamId(api.create("{}").get("id").textValue());
        LiveStream running = api.live.start(stream);
        session = running.session();
        api.store(Session.started(session, stream, api.now));
        path = "/live/v1/sessions/" + session + "/markers";
    }

    @AfterEach
    void close() {
        api.close();
    }

    private List<String> labels(String of) {
        TestReply reply = api.get(of);
        assertEquals(200, reply.status(), reply.text());
        return reply.data().findValuesAsText("label");
    }

    private Asset recording() {
        Asset ready =
                Asset.recording(api.streams.find(stream).orElseThrow(), session, api.now)
                        .with(AssetState.finished(60_000_000, 1_000, List.of(), api.now));
        new AssetRepository(api.database, AssetView::of).create(ready);
        return ready;
    }

    @Test
    void create_withoutTime_marksThisMoment() {
        api.live.positionsUs.put(session, 12_345_678L);

        TestReply reply = api.post(path, "{\"label\": \"Kick-off\"}");

        assertEquals(200, reply.status(), reply.text());
        JsonNode marker = reply.data();
        assertEquals("Kick-off", marker.get("label").textValue());
        assertEquals("", marker.get("kind").textValue());
        assertEquals(12.345, marker.get("time").doubleValue());
        assertEquals(ApiFixture.START.getEpochSecond(), marker.get("created_at").longValue());
        assertEquals(marker, api.get(path).data().get(0));
    }

    @Test
    void list_isInTheOrderOfTheTimes() {
        api.live.positionsUs.put(session, 60_000_000L);
        api.post(path, "{\"label\": \"late\", \"time\": 50, \"kind\": \"foul\"}");
        api.post(path, "{\"label\": \"early\", \"time\": 0.5}");

        assertEquals(List.of("early", "late"), labels(path));
        assertEquals(List.of("late"), labels(path + "?page=2&limit=1"));
        assertEquals("foul", api.get(path).data().at("/1/kind").textValue());
    }

    @Test
    void create_beforeTheFirstFrame_isRefused() {
        TestReply reply = api.post(path, "{\"label\": \"now\"}");

        assertEquals(40901, reply.code(), reply.text());
        assertTrue(reply.text().contains("has not shown a frame yet"), reply.text());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"label\": \" \"}|label",
                "{\"label\": 7}|label",
                "{\"label\": \"x\", \"time\": -1}|time",
                "{\"label\": \"x\", \"time\": 60.001}|time",
                "{\"label\": \"x\", \"kind\": 1}|kind"
            })
    void create_withABadField_namesIt(String body, String field) {
        api.live.positionsUs.put(session, 60_000_000L);

        TestReply reply = api.post(path, body);

        assertEquals(40002, reply.code(), reply.text());
        assertEquals(List.of(field), reply.badFields());
        assertEquals(List.of(), labels(path));
    }

    @Test
    void create_withoutLabel_isIncomplete() {
        TestReply reply = api.post(path, "{}");

        assertEquals(40003, reply.code(), reply.text());
        assertEquals(List.of("label"), reply.badFields());
    }

    @Test
    void create_inAnEndedSession_needsATimeWithinIt() {
        SessionId ended = new SessionId("ses_ended");
        api.store(Session.started(ended, stream, api.now));
        new SessionRepository(api.database)
                .end(ended, api.now.plusSeconds(90), SessionEnd.COMPLETED, Epoch.ALONE);
        String ofEnded = "/live/v1/sessions/ses_ended/markers";

        assertEquals(List.of("time"), api.post(ofEnded, "{\"label\": \"x\"}").badFields());
        assertEquals(
                List.of("time"), api.post(ofEnded, "{\"label\": \"x\", \"time\": 91}").badFields());
        assertEquals(200, api.post(ofEnded, "{\"label\": \"x\", \"time\": 90}").status());
    }

    @Test
    void create_aboveTheLimit_isRefused() {
        api.live.positionsUs.put(session, 1_000_000L);
        MarkerRepository markers = new MarkerRepository(api.database);
        for (int i = 0; i < MarkerRepository.MAX_MARKERS; i++) {
            markers.create(Owner.of(session), Marker.create("m" + i, "", i, api.now));
        }

        TestReply reply = api.post(path, "{\"label\": \"one more\"}");

        assertEquals(40901, reply.code(), reply.text());
        assertEquals(MarkerRepository.MAX_MARKERS, api.get(path).json().get("total").intValue());
    }

    @Test
    void delete_removesOneMarkerOfThisSession() {
        api.live.positionsUs.put(session, 1_000_000L);
        String id = api.post(path, "{\"label\": \"gone\"}").data().get("id").textValue();
        api.post(path, "{\"label\": \"stays\"}");
        api.store(Session.started(new SessionId("ses_other"), stream, api.now));

        assertEquals(404, api.delete("/live/v1/sessions/ses_other/markers/" + id).status());
        assertEquals(200, api.delete(path + "/" + id).status());
        assertEquals(404, api.delete(path + "/" + id).status());

        assertEquals(List.of("stays"), labels(path));
    }

    @Test
    void unknownSessionOrAsset_isNotFound() {
        assertEquals(404, api.get("/live/v1/sessions/ses_none/markers").status());
        assertEquals(
                404, api.post("/live/v1/sessions/ses_none/markers", "{\"label\": \"x\"}").status());
        assertEquals(404, api.get("/video-streams/v1/assets/ast_none/markers").status());
    }

    @Test
    void score_thatChanges_isMarked() {
        String scoreboard = "/live/v1/live-streams/" + stream + "/scoreboard";
        api.put(scoreboard, "{\"home\": {\"name\": \"Riverside\"}}");
        api.live.positionsUs.put(session, 5_000_000L);
        api.post(scoreboard + "/goals", "{\"team\": \"home\", \"scorer\": \"9 Keller\"}");
        api.live.positionsUs.put(session, 8_000_000L);
        api.put(scoreboard, "{\"period\": \"2nd half\"}");
        api.put(scoreboard, "{\"away\": {\"score\": 1}}");

        JsonNode markers = api.get(path).data();

        assertEquals(2, markers.size(), markers.toString());
        assertEquals("Riverside 1:0 Away, 9 Keller", markers.at("/0/label").textValue());
        assertEquals("score", markers.at("/0/kind").textValue());
        assertEquals(5.0, markers.at("/0/time").doubleValue());
        assertEquals("Riverside 1:1 Away", markers.at("/1/label").textValue());
        assertEquals(8.0, markers.at("/1/time").doubleValue());
    }

    @Test
    void score_ofAnIdleStream_isNotMarked() {
        String idle = api.create("{}").get("id").textValue();

        TestReply reply =
                api.post(
                        "/live/v1/live-streams/" + idle + "/scoreboard/goals",
                        "{\"team\": \"home\"}");

        assertEquals(200, reply.status(), reply.text());
        assertEquals(List.of(), labels(path));
    }

    @Test
    void asset_showsTheMarkersOfItsSession_alsoLaterOnes() {
        Asset recording = recording();
        String ofAsset = "/video-streams/v1/assets/" + recording.id() + "/markers";
        api.live.positionsUs.put(session, 60_000_000L);
        api.post(path, "{\"label\": \"first\", \"time\": 1}");
        assertEquals(List.of("first"), labels(ofAsset));

        api.post(path, "{\"label\": \"second\", \"time\": 2}");

        assertEquals(List.of("first", "second"), labels(ofAsset));
    }

    @Test
    void clip_keepsTheMarkersOfItsRange() {
        Asset recording = recording();
        api.live.positionsUs.put(session, 60_000_000L);
        for (int time : new int[] {4, 5, 9, 10}) {
            api.post(path, "{\"label\": \"at %d\", \"time\": %d}".formatted(time, time));
        }

        TestReply clip =
                api.post(
                        ClipRoutes.CLIP,
                        "{\"asset_id\": \"%s\", \"start_time\": 5, \"end_time\": 10}"
                                .formatted(recording.id()));

        JsonNode markers =
                api.get(
                                "/video-streams/v1/assets/"
                                        + clip.data().get("asset_id").textValue()
                                        + "/markers")
                        .data();
        assertEquals(List.of("at 5", "at 9"), markers.findValuesAsText("label"));
        assertEquals(0.0, markers.at("/0/time").doubleValue());
        assertEquals(4.0, markers.at("/1/time").doubleValue());
    }

    @Test
    void clipOfSeveralRanges_hasTheMarkersOfEach_whereTheRangeStands() {
        Asset recording = recording();
        api.live.positionsUs.put(session, 60_000_000L);
        for (int time : new int[] {4, 5, 9, 10, 21}) {
            api.post(path, "{\"label\": \"at %d\", \"time\": %d}".formatted(time, time));
        }
        String of = "{\"asset_id\": \"" + recording.id() + "\", \"start_time\": ";

        TestReply reply =
                api.post(
                        ClipRoutes.CLIP,
                        ("{\"ranges\": [%s20, \"end_time\": 22}, %s4.5, \"end_time\": 10},"
                                        + " %s9, \"end_time\": 11}]}")
                                .formatted(of, of, of));

        Asset clip = api.clips.getFirst();
        String markersOf = "/video-streams/v1/assets/" + clip.id() + "/markers";
        assertEquals(200, reply.status(), reply::text);
        assertEquals(List.of("at 21", "at 5", "at 9", "at 9", "at 10"), labels(markersOf));
        assertEquals(List.of(1.0, 2.5, 6.5, 7.5, 8.5), times(markersOf));

        // Ranges begin with a frame, so they are up to a frame shorter than requested.
        AssetMarkers.place(
                new MarkerRepository(api.database),
                clip,
                (AssetOrigin.Joined) clip.origin(),
                List.of(
                        new ClipCutter.Place(0, 20_000_000, 2_000_000),
                        new ClipCutter.Place(2_000_000, 4_533_000, 5_467_000),
                        new ClipCutter.Place(7_467_000, 9_033_000, 1_967_000)));
        assertEquals(List.of(1.0, 2.467, 6.467, 7.467, 8.434), times(markersOf));
    }

    private List<Double> times(String of) {
        return api.get(of).data().findValues("time").stream().map(JsonNode::doubleValue).toList();
    }
}
