package touchline.api.db;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.api.domain.DetectStatus;
import touchline.api.domain.FrameContent;
import touchline.api.domain.FrameName;
import touchline.api.domain.ModerationFinding;
import touchline.api.domain.ModerationRecord;
import touchline.api.domain.ModerationRecord.Decision;
import touchline.api.domain.ModerationRecord.Review;
import touchline.api.domain.Page;
import touchline.api.domain.PageRequest;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.moderation.AlertType;
import touchline.moderation.Box;
import touchline.moderation.RiskLevel;

/** Contract of {@link ModerationRepository} on any database. */
abstract class ModerationRepositoryContract {
    private static final SessionId SESSION = new SessionId("ses_1");
    private static final SessionId OTHER = new SessionId("ses_2");

    private ModerationRepository records;
    private int made;

    abstract Database database();

    @BeforeEach
    void empty() {
        database().with(handle -> handle.execute("DELETE FROM moderation_records"));
        records = new ModerationRepository(database());
    }

    private static ModerationFinding finding(AlertType type, RiskLevel risk) {
        return new ModerationFinding(
                type, "demo-" + type.wireName(), 0.875, risk, new Box(0.1, 0.25, 0.5, 0.3));
    }

    private ModerationRecord created(SessionId session, ModerationFinding... findings) {
        made++;
        ModerationRecord record =
                new ModerationRecord(
                        /* id= */ 0,
                        /* taskId= */ 7,
                        "evt_" + made,
                        "default",
                        new StreamId("str_1"),
                        session,
                        List.of(findings),
                        Optional.of(new FrameName("framename" + made)),
                        Samples.NOW.plusSeconds(made),
                        Samples.NOW.plusSeconds(made).plusMillis(120),
                        Optional.empty());
        long id = records.create(record, new FrameContent(1_000, OptionalLong.empty()));
        return new ModerationRecord(
                id,
                record.taskId(),
                record.eventId(),
                record.accountId(),
                record.stream(),
                record.session(),
                record.findings(),
                record.frame(),
                record.capturedAt(),
                record.createdAt(),
                record.review());
    }

    private static ModerationFinding nude() {
        return finding(AlertType.NUDE, RiskLevel.REJECT);
    }

    private static ModerationFinding weapon() {
        return finding(AlertType.WEAPON, RiskLevel.REVIEW);
    }

    @Test
    void find_created_comesBackEqual() {
        ModerationRecord record =
                created(SESSION, nude(), finding(AlertType.WEAPON, RiskLevel.PASS));

        assertEquals(Optional.of(record), records.find(record.id()));
        assertEquals(DetectStatus.REJECT, record.status());
        assertEquals(Optional.empty(), records.find(record.id() + 1));
    }

    @Test
    void create_eventKnown_fails() {
        created(SESSION, nude());
        made--;

        DatabaseException failure =
                assertThrows(DatabaseException.class, () -> created(SESSION, nude()));

        assertTrue(Database.isUniqueViolation(failure));
    }

    @Test
    void list_byAlertType_hasThoseWithAnAlertOfIt() {
        ModerationRecord nude = created(SESSION, nude(), finding(AlertType.WEAPON, RiskLevel.PASS));
        ModerationRecord weapon = created(SESSION, weapon());
        ModerationRecord both = created(OTHER, nude(), weapon());

        assertEquals(List.of(both, nude), listed(Optional.empty(), Optional.of(AlertType.NUDE)));
        assertEquals(
                List.of(both, weapon), listed(Optional.empty(), Optional.of(AlertType.WEAPON)));
        assertEquals(List.of(weapon, nude), listed(Optional.of(SESSION), Optional.empty()));
        assertEquals(List.of(both), listed(Optional.of(OTHER), Optional.of(AlertType.NUDE)));
        assertEquals(List.of(), listed(Optional.of(new SessionId("ses_none")), Optional.empty()));
    }

    private List<ModerationRecord> listed(Optional<SessionId> session, Optional<AlertType> type) {
        return records.list(RecordFilter.of(session, type), PageRequest.FIRST).items();
    }

    @Test
    void list_twoPages_newestFirst() {
        List<ModerationRecord> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            all.addFirst(created(SESSION, nude()));
        }

        Page<ModerationRecord> first = records.list(RecordFilter.ALL, new PageRequest(1, 3));
        List<ModerationRecord> listed = new ArrayList<>(first.items());
        listed.addAll(records.list(RecordFilter.ALL, new PageRequest(2, 3)).items());

        assertEquals(all, listed);
        assertEquals(4, first.total());
        assertTrue(first.hasMore());
    }

    @Test
    void review_twice_theLaterDecisionStands() {
        ModerationRecord record = created(SESSION, nude());
        Review pass = new Review(Decision.PASS, "a statue", Samples.NOW.plusSeconds(60), "ann");
        Review reject = new Review(Decision.REJECT, "", Samples.NOW.plusSeconds(90), "ben");

        ModerationRecord passed = records.review(record.id(), Optional.of(pass)).orElseThrow();
        ModerationRecord rejected = records.review(record.id(), Optional.of(reject)).orElseThrow();

        assertEquals(Optional.of(pass), passed.review());
        assertEquals(DetectStatus.PASS, passed.status());
        assertEquals(Optional.of(reject), rejected.review());
        assertEquals(Optional.of(rejected), records.find(record.id()));
        assertEquals(record.findings(), rejected.findings());
    }

    @Test
    void review_unknownRecord_isEmpty() {
        assertEquals(
                Optional.empty(),
                records.review(
                        4_711, Optional.of(new Review(Decision.PASS, "", Samples.NOW, "ann"))));
    }

    @Test
    void idsByCapture_ofOneSession_withinTheTimes() {
        ModerationRecord first = created(SESSION, nude());
        ModerationRecord second = created(SESSION, nude());
        created(OTHER, nude());
        Instant last = Samples.NOW.plusSeconds(100);

        assertEquals(
                Map.of(first.capturedAt(), first.id(), second.capturedAt(), second.id()),
                records.idsByCapture(SESSION, first.capturedAt(), last));
        assertEquals(
                Map.of(second.capturedAt(), second.id()),
                records.idsByCapture(SESSION, second.capturedAt(), last));
    }
}
