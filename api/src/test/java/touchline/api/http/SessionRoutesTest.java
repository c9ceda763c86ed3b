package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.api.db.AssetRepository;
import touchline.api.db.AuditRunRepository;
import touchline.api.db.Epoch;
import touchline.api.db.SessionRepository;
import touchline.api.domain.Asset;
import touchline.api.domain.AudioDelivery;
import touchline.api.domain.Scope;
import touchline.api.domain.Session;
import touchline.api.domain.SessionEnd;
import touchline.api.domain.SessionReport;
import touchline.api.domain.StreamDefinition;
import touchline.api.view.AssetView;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.hub.IngestReport;
import touchline.media.hub.LiveStream;
import touchline.moderation.AlertType;

final class SessionRoutesTest {
    private ApiFixture api;
    private SessionRepository sessions;
    private StreamId stream;

    @BeforeEach
    void open() {
        api = new ApiFixture();
        sessions = new SessionRepository(api.database);
        stream = new StreamId(api.create("{}").get("id").textValue());
    }

    @AfterEach
    void close() {
        api.close();
    }

    @Test
    void find_ofEndedSession_showsWhatWasStored() {
        SessionId id = new SessionId("ses_1");
        api.store(Session.started(id, stream, api.now));
        sessions.report(
                id,
                new SessionReport(
                        List.of("avc1.64001f", "mp4a.40.34"),
                        AudioDelivery.TRANSCODED,
                        1280,
                        720,
                        29.97,
                        2_500_000,
                        128_000,
                        List.of(
                                new IngestReport.Warning(
                                        "key_frame_interval", "set it to 2 s", api.now))),
                api.now,
                Epoch.ALONE);
        sessions.end(id, api.now.plusSeconds(90), SessionEnd.PUBLISHER_GONE, Epoch.ALONE);

        JsonNode session = api.get("/live/v1/sessions/ses_1").data();

        long start = ApiFixture.START.getEpochSecond();
        assertEquals(stream.value(), session.get("live_stream_id").textValue());
        assertEquals("ended", session.get("status").textValue());
        assertEquals(start, session.get("started_at").longValue());
        assertEquals(start + 90, session.get("ended_at").longValue());
        assertEquals("publisher_gone", session.get("end_reason").textValue());
        assertEquals("avc1.64001f", session.at("/codecs/0").textValue());
        assertEquals("transcoded", session.get("audio").textValue());
        assertEquals(1280, session.get("width").intValue());
        assertEquals(29.97, session.get("frame_rate").doubleValue());
        assertEquals(2_500_000, session.get("video_bitrate").intValue());
        assertEquals("key_frame_interval", session.at("/warnings/0/code").textValue());
    }

    @Test
    void find_ofRunningSession_showsWhatIsMeasuredNow() {
        LiveStream running = api.live.start(stream);
        api.store(Session.started(running.session(), stream, api.now));
        sessions.report(
                running.session(),
                new SessionReport(List.of("stale"), AudioDelivery.NONE, 1, 1, 1, 1, 1, List.of()),
                api.now,
                Epoch.ALONE);

        JsonNode session = api.get("/live/v1/sessions/" + running.session()).data();

        assertEquals("active", session.get("status").textValue());
        assertTrue(session.get("ended_at").isNull());
        assertTrue(session.get("end_reason").isNull());
        assertEquals(running.report().tracks().size(), session.get("codecs").size());
        assertEquals(running.report().width(), session.get("width").intValue());
    }

    @Test
    void moderation_ofASessionWithoutVideo_isUnavailableWithTheReason() {
        SessionId id = new SessionId("ses_audio");
        api.store(Session.started(id, stream, api.now));
        AuditRunRepository runs = new AuditRunRepository(api.database);
        runs.start(stream, id, api.now);
        assertEquals(
                "on", api.get("/live/v1/sessions/ses_audio").data().get("moderation").asText());

        sessions.report(
                id,
                new SessionReport(
                        List.of("mp4a.40.2"),
                        AudioDelivery.UNCHANGED,
                        0,
                        0,
                        0,
                        0,
                        128_000,
                        List.of()),
                api.now,
                Epoch.ALONE);

        JsonNode session = api.get("/live/v1/sessions/ses_audio").data();
        assertEquals("unavailable", session.get("moderation").textValue());
        assertEquals("the session has no video", session.get("moderation_reason").textValue());
    }

    @Test
    void moderation_withoutAModel_namesTheType() {
        SessionId id = new SessionId("ses_unserved");
        api.store(Session.started(id, stream, api.now));
        AuditRunRepository runs = new AuditRunRepository(api.database);
        runs.unserved(runs.start(stream, id, api.now).taskId(), Set.of(AlertType.WEAPON));

        JsonNode session = api.get("/live/v1/sessions/ses_unserved").data();

        assertEquals("unavailable", session.get("moderation").textValue());
        assertEquals(
                "no model serves the alert type weapon (see docs/models.md)",
                session.get("moderation_reason").textValue());
    }

    @Test
    void list_ofStream_isNewestFirstAndItsOwn() {
        StreamId other = new StreamId(api.create("{}").get("id").textValue());
        for (int i = 0; i < 3; i++) {
            api.store(Session.started(new SessionId("ses_" + i), stream, api.now));
        }
        api.store(Session.started(new SessionId("ses_other"), other, api.now));

        JsonNode reply = api.get("/live/v1/live-streams/" + stream + "/sessions?limit=2").json();

        assertEquals(3, reply.get("total").intValue());
        assertEquals("ses_2", reply.at("/data/0/id").textValue());
        assertEquals("ses_1", reply.at("/data/1/id").textValue());
        assertTrue(reply.get("has_more").booleanValue());
    }

    @Test
    void list_ofAllStreams_isSearchedAndShowsTitlesAndRecordings() {
        JsonNode made = api.create("{\"title\": \"Cup final\", \"user_metadata\": \"court 7\"}");
        StreamId titled = new StreamId(made.get("id").textValue());
        api.store(Session.started(new SessionId("ses_old"), stream, api.now));
        api.store(Session.started(new SessionId("ses_cup"), titled, api.now));
        sessions.end(
                new SessionId("ses_cup"),
                api.now.plusSeconds(9),
                SessionEnd.COMPLETED,
                Epoch.ALONE);
        Asset recording = Asset.recording(titledStream(titled), new SessionId("ses_cup"), api.now);
        new AssetRepository(api.database, AssetView::of).create(recording);

        assertEquals(List.of("ses_cup", "ses_old"), ids("?limit=5"));
        assertEquals(List.of("ses_old"), ids("?limit=1&page=2"));
        assertEquals(List.of("ses_cup"), ids("?search=FINAL"));
        assertEquals(List.of("ses_cup"), ids("?search=court%207&status=ended"));
        assertEquals(List.of("ses_old"), ids("?status=active"));
        assertEquals(List.of("ses_old"), ids("?search=" + stream.value()));
        JsonNode cup = api.get("/live/v1/sessions?search=ses_cup").data().get(0);
        assertEquals("Cup final", cup.get("live_stream_title").textValue());
        assertEquals(
                recording.id().value(), cup.at("/recording/asset_id").textValue(), cup::toString);
        assertEquals(
                recording.playbackIds().getFirst().id(),
                cup.at("/recording/playback_ids/0/id").textValue());
        TestReply few =
                api.call(
                        "GET",
                        "/live/v1/sessions?search=ses_cup",
                        null,
                        Map.of("Authorization", api.bearer(Scope.LIVE_READ)));
        assertTrue(few.data().at("/0/recording").isNull(), few.toString());
        assertEquals(
                List.of("status", "limit"),
                api.get("/live/v1/sessions?status=idle&limit=0").badFields());
    }

    private StreamDefinition titledStream(StreamId id) {
        return api.streams.find(id).orElseThrow();
    }

    private List<String> ids(String query) {
        List<String> ids = new ArrayList<>();
        api.get("/live/v1/sessions" + query)
                .data()
                .forEach(each -> ids.add(each.get("id").textValue()));
        return ids;
    }
}
