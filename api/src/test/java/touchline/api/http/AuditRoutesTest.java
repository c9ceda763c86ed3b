package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.api.db.AuditRunRepository;
import touchline.api.db.EvidenceRepository;
import touchline.api.db.ModerationRepository;
import touchline.api.db.SampledFrames;
import touchline.api.db.SampledRun;
import touchline.api.domain.AuditRun;
import touchline.api.domain.DetectStatus;
import touchline.api.domain.FrameContent;
import touchline.api.domain.FrameName;
import touchline.api.domain.ModerationFinding;
import touchline.api.domain.ModerationRecord;
import touchline.api.domain.SampledFrame;
import touchline.api.domain.Scope;
import touchline.api.domain.Session;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.moderation.AlertType;
import touchline.moderation.Box;
import touchline.moderation.RiskLevel;

final class AuditRoutesTest {
    private static final String RECORDS = "/audit/v1/records/moderation-records";
    private static final String STOP = "/audit/v1/tasks/stop-audit-task";
    private static final SessionId SESSION = new SessionId("ses_1");

    private final SampledRun run = new SampledRun();
    private ApiFixture api;
    private int made;

    @BeforeEach
    void open() {
        api = new ApiFixture();
    }

    @AfterEach
    void close() {
        api.close();
    }

    private static ModerationFinding finding(AlertType type, double confidence, RiskLevel risk) {
        return new ModerationFinding(
                type, "demo-" + type.wireName(), confidence, risk, new Box(0.25, 0.5, 0.125, 0.1));
    }

    private long recorded(SessionId session, ModerationFinding... findings) {
        return recorded(new StreamId("str_1"), session, findings);
    }

    private long recordedOf(StreamId stream) {
        return recorded(stream, SESSION, finding(AlertType.NUDE, 0.9, RiskLevel.REJECT));
    }

    private long recorded(StreamId stream, SessionId session, ModerationFinding... findings) {
        made++;
        return new ModerationRepository(api.database)
                .create(
                        new ModerationRecord(
                                0,
                                /* taskId= */ 7,
                                "evt_" + made,
                                "default",
                                stream,
                                session,
                                List.of(findings),
                                Optional.of(new FrameName("frameNo" + made)),
                                ApiFixture.START.plusMillis(made),
                                ApiFixture.START.plusSeconds(1),
                                Optional.empty()),
                        new FrameContent(1_000, OptionalLong.empty()));
    }

    private long nude(SessionId session) {
        return recorded(
                session,
                finding(AlertType.NUDE, 0.93, RiskLevel.REJECT),
                finding(AlertType.WEAPON, 0.01, RiskLevel.PASS));
    }

    private JsonNode only(String query) {
        JsonNode data = api.get(RECORDS + query).data();
        assertEquals(1, data.size(), data.toString());
        return data.get(0);
    }

    @Test
    void list_record_showsEveryField() throws Exception {
        long id = nude(SESSION);

        JsonNode reply = api.get(RECORDS).json();
        JsonNode record = reply.at("/data/0");

        assertEquals("get audit records success", reply.get("message").textValue());
        assertEquals(id, record.get("id").longValue());
        assertEquals(7, record.get("task_id").intValue());
        assertEquals("evt_1", record.get("event_id").textValue());
        assertEquals("default", record.get("account_id").textValue());
        assertEquals("ses_1", record.get("channel_id").textValue());
        assertEquals(3, record.get("detect_status").intValue());
        assertEquals(1, record.get("audit_from").intValue());
        assertEquals(0, record.get("review_at").longValue());
        assertEquals(ApiFixture.START.getEpochSecond() + 1, record.get("created_at").longValue());
        long expiry = ApiFixture.START.plusSeconds(86_400).getEpochSecond();
        String url = record.get("url").textValue();
        assertTrue(
                url.matches(
                        "http://play\\.test:8081/frames/frameNo1\\.jpg\\?exp="
                                + expiry
                                + "&sig=[A-Za-z0-9_-]+"),
                url);
        assertTrue(record.get("detect_info").isTextual());
        JsonNode info = new ObjectMapper().readTree(record.get("detect_info").textValue());
        assertEquals(
                """
                [{"model":"nude","model_version":"demo-nude","confidence":0.93,\
                "risk_level":"reject","bounding_box":[0.25,0.5,0.125,0.1]},\
                {"model":"weapon","model_version":"demo-weapon","confidence":0.01,\
                "risk_level":"pass","bounding_box":[0.25,0.5,0.125,0.1]}]""",
                info.toString());
    }

    @Test
    void list_filteredAndPaged_countsWhatMatches() {
        SessionId other = new SessionId("ses_2");
        long first = nude(SESSION);
        long second = recorded(other, finding(AlertType.WEAPON, 0.6, RiskLevel.REVIEW));
        long third = nude(other);

        assertEquals(second, only("?alert_type=weapon").get("id").longValue());
        assertEquals(2, only("?alert_type=weapon").get("detect_status").intValue());
        assertEquals(first, only("?stream_session_id=ses_1").get("id").longValue());
        assertEquals(third, only("?stream_session_id=ses_2&alert_type=nude").get("id").longValue());
        JsonNode page = api.get(RECORDS + "?page=2&limit=2").json();
        assertEquals(first, page.at("/data/0/id").longValue());
        assertEquals(3, page.get("total").intValue());
        assertFalse(page.get("has_more").booleanValue());
        assertEquals(0, api.get(RECORDS + "?stream_session_id=ses_none").data().size());
    }

    @Test
    void list_badParameters_areAllNamed() {
        TestReply reply =
                api.get(
                        RECORDS
                                + "?stream_session_id=a%20b&live_stream_id=c%20d&alert_type=gore&review=no"
                                + "&from=-1&after=x&order=best&page=0&limit=101");

        assertEquals(40002, reply.code());
        assertEquals(
                List.of(
                        "stream_session_id",
                        "live_stream_id",
                        "alert_type",
                        "review",
                        "from",
                        "after",
                        "order",
                        "page",
                        "limit"),
                reply.badFields());
        assertEquals(
                40301,
                api.call("GET", RECORDS, null, Map.of("Authorization", api.bearer(Scope.LIVE_READ)))
                        .code());
    }

    @Test
    void list_frameGone_hasNoAddress() {
        long _ = nude(SESSION);
        EvidenceRepository evidence = new EvidenceRepository(api.database);
        assertTrue(evidence.delete(evidence.oldest(0, 1).getFirst(), false, api.now));

        assertEquals("", only("").get("url").textValue());
    }

    @Test
    void review_passThenReject_isWhatIsShown() {
        String review = "/audit/v1/records/" + nude(SESSION) + "/review";
        api.now = ApiFixture.START.plusMillis(90_500);

        JsonNode passed =
                api.put(review, "{\"decision\": \"pass\", \"note\": \"a statue\"}").data();
        JsonNode rejected = api.put(review, "{\"decision\": \"reject\"}").data();

        assertEquals(1, passed.get("detect_status").intValue());
        assertEquals(2, passed.get("audit_from").intValue());
        assertEquals(ApiFixture.START.toEpochMilli() + 90_500, passed.get("review_at").longValue());
        assertEquals("a statue", passed.get("review_note").textValue());
        assertTrue(passed.get("detect_info").textValue().contains("\"reject\""));
        assertEquals(3, rejected.get("detect_status").intValue());
        assertEquals(rejected, only(""));
    }

    @Test
    void queue_ofOpenRecords_continuesBehindTheLastOneInItsOrder() {
        JsonNode stream = api.create("{\"title\": \"Cup final\"}");
        long first = nude(SESSION);
        long second = recorded(SESSION, finding(AlertType.WEAPON, 0.6, RiskLevel.REVIEW));
        long third = nude(SESSION);
        long fourth = recordedOf(new StreamId(stream.get("id").textValue()));

        assertEquals(List.of(first, second, third, fourth), ids("?review=open&order=oldest"));
        assertEquals(List.of(second, third), ids("?order=oldest&after=" + first + "&limit=2"));
        assertEquals(List.of(second, first), ids("?order=newest&after=" + third));
        api.put("/audit/v1/records/" + second + "/review", "{\"decision\": \"pass\"}");
        assertEquals(List.of(third, fourth), ids("?review=open&order=oldest&after=" + first));
        assertEquals(List.of(second), ids("?review=reviewed"));
        assertEquals(List.of(fourth), ids("?search=cup%20FINAL"));
        assertEquals(List.of(fourth), ids("?live_stream_id=" + stream.get("id").textValue()));
        assertEquals(List.of(), ids("?search=nothing"));
        long thirdAtMs = ApiFixture.START.plusMillis(3).toEpochMilli();
        assertEquals(List.of(fourth, third), ids("?from=" + thirdAtMs));
        assertEquals("Cup final", only("?search=final").get("live_stream_title").textValue());
        assertEquals("", only("?order=oldest&limit=1").get("live_stream_title").textValue());
    }

    private List<Long> ids(String query) {
        List<Long> ids = new ArrayList<>();
        api.get(RECORDS + query).data().forEach(each -> ids.add(each.get("id").longValue()));
        return ids;
    }

    @Test
    void review_badInput_isRefused() {
        String review = "/audit/v1/records/" + nude(SESSION) + "/review";

        assertEquals(40003, api.put(review, "{}").code());
        assertEquals(40002, api.put(review, "{\"decision\": \"review\"}").code());
        assertEquals(40002, api.put(review, "{\"decision\": 1}").code());
        assertEquals(
                List.of("note"),
                api.put(review, "{\"decision\": \"pass\", \"note\": 5}").badFields());
        assertEquals(
                40002,
                api.put(review, "{\"decision\":\"pass\",\"note\":\"" + "x".repeat(4_097) + "\"}")
                        .code());
        for (String unknown : List.of("4711", "abc", "99999999999999999999")) {
            assertEquals(
                    40401,
                    api.put("/audit/v1/records/" + unknown + "/review", "{\"decision\":\"pass\"}")
                            .code(),
                    unknown);
        }
    }

    private void sampled(int number, DetectStatus status, Map<AlertType, Float> scores) {
        SampledFrame frame =
                new SampledFrame(ApiFixture.START.plusMillis(number), 40, status, scores);
        new SampledFrames(api.database).append(run.rows(7, SESSION, List.of(frame)));
    }

    private void session() {
        StreamId stream = new StreamId(api.create("{}").get("id").textValue());
        api.store(Session.started(SESSION, stream, ApiFixture.START));
    }

    @Test
    void simulate_otherThresholds_countStoredFrames() {
        session();
        sampled(0, DetectStatus.PASS, Map.of(AlertType.NUDE, 0.3f, AlertType.WEAPON, 0.02f));
        sampled(1, DetectStatus.PASS, Map.of(AlertType.NUDE, 0.45f, AlertType.WEAPON, 0.02f));
        sampled(2, DetectStatus.REJECT, Map.of(AlertType.NUDE, 0.97f, AlertType.WEAPON, 0.02f));
        sampled(3, DetectStatus.PASS, Map.of(AlertType.WEAPON, 0.6f));
        String simulate = "/audit/v1/records/simulate?stream_session_id=ses_1&models.nude=0.4";

        assertEquals(
                "{\"stream_session_id\":\"ses_1\",\"models\":{\"nude\":0.4},\"frames\":4,"
                        + "\"pass\":1,\"review\":1,\"reject\":1,\"unscored\":1}",
                api.get(simulate).data().toString());
        assertEquals(
                "{\"stream_session_id\":\"ses_1\",\"models\":{\"nude\":0.4,\"weapon\":0.5},"
                        + "\"frames\":4,\"pass\":1,\"review\":2,\"reject\":1,\"unscored\":0}",
                api.get(simulate + "&models.weapon=0.5").data().toString());
    }

    @Test
    void simulate_badInput_isRefused() {
        session();
        String simulate = "/audit/v1/records/simulate?stream_session_id=ses_1";

        assertEquals(40003, api.get(simulate).code());
        assertEquals(40003, api.get(simulate + "&models.nude=").code());
        assertEquals(40003, api.get("/audit/v1/records/simulate?models.nude=0.4").code());
        assertEquals(List.of("models.gore"), api.get(simulate + "&models.gore=0.4").badFields());
        for (String bad : List.of("-0.1", "1.1", "NaN", "0x1p-2", "1e-1", "half", "Infinity")) {
            TestReply reply = api.get(simulate + "&models.nude=" + bad);
            assertEquals(40002, reply.code(), bad);
            assertEquals(List.of("models.nude"), reply.badFields(), bad);
        }
        assertEquals(
                40401,
                api.get("/audit/v1/records/simulate?stream_session_id=ses_9&models.nude=1").code());
    }

    @Test
    void timeline_frames_nameTheirRecords() {
        session();
        sampled(0, DetectStatus.PASS, Map.of(AlertType.NUDE, 0.3f));
        sampled(1, DetectStatus.REJECT, Map.of(AlertType.NUDE, 0.97f, AlertType.WEAPON, 0.02f));
        long id = nude(SESSION);

        JsonNode frames =
                api.get("/audit/v1/records/sampled-frames?stream_session_id=ses_1").data();

        Instant first = ApiFixture.START;
        assertEquals(
                """
                [{"captured_at":%d,"judged_at":%d,"detect_status":3,\
                "scores":{"nude":0.97,"weapon":0.02},"record_id":%d},\
                {"captured_at":%d,"judged_at":%d,"detect_status":1,\
                "scores":{"nude":0.3},"record_id":null}]"""
                        .formatted(
                                first.toEpochMilli() + 1,
                                first.toEpochMilli() + 41,
                                id,
                                first.toEpochMilli(),
                                first.toEpochMilli() + 40),
                frames.toString());
        assertEquals(
                0,
                api.get("/audit/v1/records/sampled-frames?stream_session_id=ses_1&page=2")
                        .data()
                        .size());
        assertEquals(
                40401, api.get("/audit/v1/records/sampled-frames?stream_session_id=ses_9").code());
    }

    @Test
    void stopAuditTask_twice_isASuccessWithoutData() {
        session();

        for (int i = 0; i < 2; i++) {
            JsonNode reply = api.post(STOP, "{\"stream_session_id\": \"ses_1\"}").json();

            assertEquals(0, reply.get("code").intValue());
            assertEquals("stop audit task success", reply.get("message").textValue());
            assertFalse(reply.has("data"));
        }
        assertEquals(List.of("stop ses_1", "stop ses_1"), api.audit.calls);
    }

    @Test
    void stopAuditTask_unknownOrBadSession_isRefused() {
        assertEquals(40401, api.post(STOP, "{\"stream_session_id\": \"ses_9\"}").code());
        assertEquals(40401, api.post(STOP, "{\"stream_session_id\": \"../x\"}").code());
        assertEquals(40003, api.post(STOP, "{}").code());
        assertEquals(40002, api.post(STOP, "{\"stream_session_id\": 7}").code());
        assertEquals(List.of(), api.audit.calls);
    }

    @Test
    void models_demo_saysSo() {
        api.moderation.served.add(AlertType.WEAPON);

        assertEquals(
                "[{\"name\":\"demo-weapon\",\"alert_types\":[\"weapon\"],\"demo\":true,"
                        + "\"licence\":\"Apache-2.0\",\"state\":\"ready\",\"reason\":null}]",
                api.get("/audit/v1/models").data().toString());
    }

    @Test
    void session_moderation_isThatOfItsLastRun() {
        session();
        AuditRunRepository runs = new AuditRunRepository(api.database);
        List<String> shown = new ArrayList<>();

        shown.add(moderation());
        AuditRun run = runs.start(new StreamId("str_1"), SESSION, ApiFixture.START);
        shown.add(moderation());
        runs.unserved(run.taskId(), java.util.Set.of(AlertType.NUDE));
        shown.add(moderation());
        runs.end(run.taskId(), ApiFixture.START, AuditRun.Reason.STOPPED);
        shown.add(moderation());
        AuditRun second = runs.start(new StreamId("str_1"), SESSION, ApiFixture.START);
        runs.end(second.taskId(), ApiFixture.START, AuditRun.Reason.SETTINGS_DELETED);
        shown.add(moderation());

        assertEquals(List.of("off", "on", "unavailable", "stopped", "off"), shown);
    }

    private String moderation() {
        return api.get("/live/v1/sessions/ses_1").data().get("moderation").textValue();
    }
}
