package touchline.api.db;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.api.domain.AuditRun;
import touchline.api.domain.AuditRun.Reason;
import touchline.api.domain.DetectStatus;
import touchline.api.domain.ModerationState;
import touchline.api.domain.Page;
import touchline.api.domain.PageRequest;
import touchline.api.domain.SampledFrame;
import touchline.api.domain.Session;
import touchline.api.domain.SessionEnd;
import touchline.api.domain.StreamDefinition;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.moderation.AlertType;

/** Contract of {@link AuditRunRepository} and {@link SampledFrames} on any database. */
abstract class AuditRunContract {
    private static final StreamId STREAM = new StreamId("str_1");
    private static final SessionId SESSION = new SessionId("ses_runs");

    private AuditRunRepository runs;
    private SampledFrames frames;

    abstract Database database();

    @BeforeEach
    void empty() {
        database().with(handle -> handle.execute("DELETE FROM audit_runs"));
        database().with(handle -> handle.execute("DELETE FROM sampled_frames"));
        runs = new AuditRunRepository(database());
        frames = new SampledFrames(database());
    }

    @Test
    void start_twice_givesTwoNumbers() {
        AuditRun first = runs.start(STREAM, SESSION, Samples.NOW);
        AuditRun second = runs.start(STREAM, SESSION, Samples.NOW.plusSeconds(5));

        assertNotEquals(first.taskId(), second.taskId());
        assertEquals(List.of(first, second), runs.of(SESSION));
        assertEquals(List.of(), runs.of(new SessionId("ses_none")));
    }

    @Test
    void end_twice_theFirstStands() {
        AuditRun run = runs.start(STREAM, SESSION, Samples.NOW);
        Instant at = Samples.NOW.plusSeconds(9);

        assertTrue(runs.end(run.taskId(), at, Reason.STOPPED));
        assertFalse(runs.end(run.taskId(), at.plusSeconds(1), Reason.SESSION_ENDED));
        assertEquals(
                Optional.of(new AuditRun.Ended(at, Reason.STOPPED)),
                runs.of(SESSION).getFirst().end());
    }

    @Test
    void blindNow_countsRunningSessionsOnly() {
        AuditRun seen = runs.start(STREAM, SESSION, Samples.NOW);
        AuditRun blind = runs.start(STREAM, new SessionId("ses_other"), Samples.NOW);
        runs.blind(blind.taskId(), true);
        assertEquals(1, runs.blindNow());

        runs.blind(seen.taskId(), true);
        runs.end(blind.taskId(), Samples.NOW, Reason.SESSION_ENDED);
        assertEquals(1, runs.blindNow());
        runs.blind(seen.taskId(), false);
        assertEquals(0, runs.blindNow());
    }

    @Test
    void latest_ofSeveralSessions_isTheNewestOfEach() {
        SessionId other = new SessionId("ses_other");
        runs.start(STREAM, SESSION, Samples.NOW);
        AuditRun second = runs.start(STREAM, SESSION, Samples.NOW);
        AuditRun third = runs.start(STREAM, other, Samples.NOW);

        assertEquals(
                Map.of(SESSION, second, other, third),
                runs.latest(List.of(SESSION, other, new SessionId("ses_none"))));
        assertEquals(Map.of(), runs.latest(List.of()));
    }

    @Test
    void unserved_changed_theLastWordStands() {
        AuditRun run = runs.start(STREAM, SESSION, Samples.NOW);

        runs.unserved(run.taskId(), Set.of(AlertType.WEAPON, AlertType.NUDE));
        assertEquals(
                Set.of(AlertType.NUDE, AlertType.WEAPON), runs.of(SESSION).getFirst().unserved());
        assertEquals(
                ModerationState.UNAVAILABLE,
                ModerationState.of(runs.of(SESSION).stream().findFirst()));

        runs.unserved(run.taskId(), Set.of());
        assertEquals(Set.of(), runs.of(SESSION).getFirst().unserved());
        assertEquals(ModerationState.ON, ModerationState.of(runs.of(SESSION).stream().findFirst()));
    }

    @Test
    void closeInterrupted_endsRunsWithTheirSessions() {
        StreamDefinition stream = Samples.stream();
        new StreamRepository(database(), Samples.vault()).create(stream);
        SessionRepository sessions = new SessionRepository(database());
        SessionId closed = new SessionId("ses_closed_run");
        sessions.start(Session.started(closed, stream.id(), Samples.NOW), Epoch.ALONE);
        sessions.end(closed, Samples.NOW.plusSeconds(30), SessionEnd.INTERRUPTED, Epoch.ALONE);
        runs.start(stream.id(), closed, Samples.NOW);
        runs.start(STREAM, SESSION, Samples.NOW);
        Instant now = Samples.NOW.plusSeconds(600);

        assertEquals(2, runs.closeInterrupted(now));
        assertEquals(0, runs.closeInterrupted(now));
        assertEquals(
                Optional.of(new AuditRun.Ended(Samples.NOW.plusSeconds(30), Reason.INTERRUPTED)),
                runs.of(closed).getFirst().end());
        assertEquals(now, runs.of(SESSION).getFirst().end().orElseThrow().at());
    }

    private static SampledFrame frame(int second) {
        return new SampledFrame(
                Samples.NOW.plusSeconds(second),
                /* judgedAfterMs= */ 100 * second - 300,
                DetectStatus.ofCode(1 + second % 4),
                second % 3 == 0
                        ? Map.of(AlertType.WEAPON, second / 1_000f)
                        : Map.of(AlertType.NUDE, 0.3f, AlertType.WEAPON, second / 1_000f));
    }

    private void append(SampledRun run, long taskId, SessionId session, SampledFrame... some) {
        frames.append(run.rows(taskId, session, List.of(some)));
    }

    private List<SampledFrame> read(SessionId session) {
        List<SampledFrame> read = new ArrayList<>();
        frames.each(session, read::add);
        return read;
    }

    @Test
    void frames_ofSomeRuns_comeBackInOrder() {
        List<SampledFrame> added = new ArrayList<>();
        SampledRun first = new SampledRun();
        for (int i = 0; i < SampledFrames.FRAMES_PER_ROW + 10; i++) {
            added.add(frame(i));
            append(first, /* taskId= */ 1, SESSION, frame(i));
        }
        List<SampledFrame> more =
                IntStream.range(200, 400).mapToObj(AuditRunContract::frame).toList();
        added.addAll(more);
        added.add(frame(500));
        SessionId other = new SessionId("ses_other");
        List<SampledFrames.Appended> rows = new ArrayList<>(first.rows(1, SESSION, more));
        rows.addAll(new SampledRun().rows(2, SESSION, List.of(frame(500))));
        rows.addAll(new SampledRun().rows(3, other, List.of(frame(1), frame(2))));
        frames.append(rows);
        frames.append(List.of());

        assertEquals(added, read(SESSION));
        assertEquals(List.of(frame(1), frame(2)), read(other));
    }

    /** The connection may have failed behind the commit. */
    @Test
    void append_repeated_changesNothing() {
        SampledRun run = new SampledRun();
        for (int i = 0; i < 3; i++) {
            List<SampledFrames.Appended> rows =
                    run.rows(1, SESSION, List.of(frame(2 * i), frame(2 * i + 1)));
            frames.append(rows);
            frames.append(rows);
        }

        assertEquals(
                IntStream.range(0, 6).mapToObj(AuditRunContract::frame).toList(), read(SESSION));
    }

    @Test
    void append_toARowThatIsDeletedMeanwhile_beginsItAnew() {
        SampledRun run = new SampledRun();
        append(run, 1, SESSION, frame(0), frame(1));
        assertEquals(1, frames.deleteBefore(Samples.NOW.plusSeconds(50)));

        append(run, 1, SESSION, frame(2));
        append(run, 1, SESSION, frame(3));

        assertEquals(List.of(frame(2), frame(3)), read(SESSION));
    }

    @Test
    void frames_anHourApart_areInRowsOfTheirOwn() {
        SampledRun run = new SampledRun();
        append(run, 1, SESSION, frame(0), frame(3_599), frame(3_600), frame(1));

        assertEquals(1, frames.deleteBefore(Samples.NOW.plusSeconds(1)));
        assertEquals(List.of(frame(3_600), frame(1)), read(SESSION));
    }

    @Test
    void frames_inPages_areNewestFirstAndWhole() {
        List<SampledFrame> all = new ArrayList<>();
        SampledRun run = new SampledRun();
        for (int i = 0; i < 2 * SampledFrames.FRAMES_PER_ROW + 5; i++) {
            all.addFirst(frame(i));
            append(run, /* taskId= */ 1, SESSION, frame(i));
        }

        List<SampledFrame> listed = new ArrayList<>();
        for (int page = 1; page <= 5; page++) {
            Page<SampledFrame> part = frames.list(SESSION, new PageRequest(page, 30));
            assertEquals(all.size(), part.total());
            listed.addAll(part.items());
        }

        assertEquals(all, listed);
        assertEquals(List.of(), frames.list(SESSION, new PageRequest(6, 30)).items());
    }

    @Test
    void deleteBefore_rowsOfThatTime_areGone() {
        append(new SampledRun(), /* taskId= */ 1, SESSION, frame(0));
        append(new SampledRun(), /* taskId= */ 2, SESSION, frame(100));

        assertEquals(1, frames.deleteBefore(Samples.NOW.plusSeconds(50)));
        assertEquals(List.of(frame(100)), frames.list(SESSION, PageRequest.FIRST).items());
    }
}
