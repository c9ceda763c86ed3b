package touchline.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.api.db.EventRepository;
import touchline.api.db.ModerationRepository;
import touchline.api.domain.Event;
import touchline.api.domain.EventType;
import touchline.api.domain.FrameContent;
import touchline.api.domain.ModerationFinding;
import touchline.api.domain.ModerationRecord;
import touchline.api.domain.PageRequest;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.moderation.AlertType;
import touchline.moderation.Box;
import touchline.moderation.RiskLevel;

/** Reviews by several people. */
final class ReviewRoutesTest {
    private ApiFixture api;

    @BeforeEach
    void open() {
        api = new ApiFixture();
    }

    @AfterEach
    void close() {
        api.close();
    }

    private long recorded() {
        ModerationFinding finding =
                new ModerationFinding(
                        AlertType.NUDE, "demo-nude", 0.93, RiskLevel.REJECT, Box.WHOLE);
        return new ModerationRepository(api.database)
                .create(
                        new ModerationRecord(
                                0,
                                /* taskId= */ 7,
                                "evt_1",
                                "default",
                                new StreamId("str_1"),
                                new SessionId("ses_1"),
                                List.of(finding),
                                Optional.empty(),
                                ApiFixture.START,
                                ApiFixture.START,
                                Optional.empty()),
                        FrameContent.NONE);
    }

    @Test
    void review_ofTwoPeople_theFirstDecides_andTakesItBack() {
        String review = "/audit/v1/records/" + recorded() + "/review";
        String pass = "{\"decision\": \"pass\", \"note\": \"ok\", \"only_open\": true}";

        JsonNode passed = api.put(review, pass).data();
        JsonNode again = api.put(review, pass).data();
        TestReply second = api.put(review, "{\"decision\": \"reject\", \"only_open\": true}");

        assertEquals(passed, again);
        assertEquals("admin", passed.get("reviewed_by").textValue());
        assertEquals(40901, second.code());
        assertTrue(
                second.json()
                        .get("message")
                        .textValue()
                        .startsWith("already reviewed: pass by " + "admin" + " at 20"),
                second.toString());
        long at = passed.get("review_at").longValue();
        assertEquals(40901, api.delete(review + "?review_at=" + (at - 1)).code());
        assertEquals(40002, api.delete(review + "?review_at=now").code());
        JsonNode open = api.delete(review + "?review_at=" + at).data();
        assertEquals(3, open.get("detect_status").intValue());
        assertEquals(1, open.get("audit_from").intValue());
        assertEquals(0, open.get("review_at").longValue());
        assertEquals("", open.get("reviewed_by").textValue() + open.get("review_note").textValue());
        assertEquals(open, api.delete(review).data());
        assertEquals(40401, api.delete("/audit/v1/records/4711/review").code());
        List<Event> events =
                new EventRepository(api.database)
                        .list(EventRepository.Choice.ALL, PageRequest.FIRST)
                        .items();
        assertEquals(
                List.of(EventType.MODERATION_RECORD_REVIEWED, EventType.MODERATION_RECORD_REVIEWED),
                events.stream().map(Event::type).toList());
        events.forEach(event -> EventSchemaCheck.SHARED.check(event.body()));
        assertTrue(events.getLast().body().contains("\"review_note\":\"ok\""));
    }
}
