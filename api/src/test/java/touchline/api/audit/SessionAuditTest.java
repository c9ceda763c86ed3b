package touchline.api.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.domain.AuditRun;
import touchline.api.domain.AuditRun.Reason;
import touchline.api.domain.AuditSettings.OnReject;
import touchline.api.domain.FrameName;
import touchline.api.domain.ModerationRecord;
import touchline.api.domain.ModerationState;
import touchline.media.codec.DecodingRefusedException;
import touchline.moderation.AlertType;
import touchline.testing.Await;

class SessionAuditTest {
    @TempDir Path folder;

    private ModerationRig rig;

    @BeforeEach
    void open() {
        rig = new ModerationRig(folder);
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private List<AuditRun> runs() {
        return rig.runs.of(ModerationRig.SESSION);
    }

    private Reason end(int run) {
        return runs().get(run).end().orElseThrow().reason();
    }

    @Test
    void follow_withoutSettings_staysIdle() {
        rig.session.follow();

        assertEquals(List.of(), rig.task().calls);
        assertEquals(List.of(), runs());
    }

    @Test
    void follow_changedSettings_isTheSameRun() {
        rig.put(2, Map.of("nude", 0.3, "weapon", 0.9), OnReject.NONE);
        rig.put(5, Map.of("nude", 0.9), OnReject.NONE);

        assertEquals(List.of("apply 2", "apply 5"), rig.task().calls);
        assertEquals(Map.of(AlertType.NUDE, 0.9), rig.task().policy().orElseThrow().thresholds());
        assertEquals(1, runs().size());
        assertTrue(runs().getFirst().end().isEmpty());
    }

    @Test
    void follow_deletedSettings_endsTheRunAndANewOneMayBegin() {
        rig.put(2);
        rig.streams.deleteAudit(rig.stream.id());
        rig.session.follow();
        rig.put(1);

        assertEquals(List.of("apply 2", "stop", "apply 1"), rig.task().calls);
        assertEquals(2, runs().size());
        assertEquals(Reason.SETTINGS_DELETED, end(0));
        assertTrue(runs().get(1).taskId() > runs().get(0).taskId());
        assertTrue(runs().get(1).end().isEmpty());
    }

    @Test
    void stop_twice_endsTheRunOnceAndSettingsBeginAnew() {
        rig.put(2);
        rig.session.stop();
        rig.session.stop();

        assertEquals(List.of("apply 2", "stop"), rig.task().calls);
        assertEquals(Reason.STOPPED, end(0));

        rig.put(2);
        assertEquals(2, runs().size());
        assertTrue(rig.task().isRunning());
    }

    @Test
    void close_running_endsTheRunAndIgnoresLaterSettings() {
        rig.put(2);
        rig.session.close();
        rig.put(3);

        assertEquals(Reason.SESSION_ENDED, end(0));
        assertEquals(List.of("apply 2", "close", "stop"), rig.task().calls);
        assertEquals(1, runs().size());
    }

    @Test
    void analysed_afterStop_isNotStored() {
        rig.put(2);
        var report = rig.report(4, AlertType.NUDE, 0.99);
        rig.session.stop();
        rig.task().report(report);

        assertEquals(List.of(), rig.stored());
        assertEquals(List.of(), rig.sampled());
    }

    @Test
    void analysed_rejectWithDisable_disablesTheStreamAndIsStored() {
        rig.put(1, Map.of("nude", 0.5), OnReject.DISABLE);

        rig.task().report(rig.report(1, AlertType.NUDE, 0.7));
        assertEquals(List.of(), rig.disabled);

        rig.task().report(rig.report(2, AlertType.NUDE, 0.8));
        assertEquals(List.of(rig.stream.id()), rig.disabled);
        assertEquals(2, rig.stored().size());
    }

    @Test
    void analysed_rejectWithDisableWhileTheDatabaseFails_isStoredLater() throws Exception {
        rig.put(1, Map.of("nude", 0.5), OnReject.DISABLE);
        rig.breakDatabase();

        rig.task().report(rig.report(1, AlertType.NUDE, 0.9));
        rig.session.close();
        assertEquals(List.of(rig.stream.id()), rig.disabled);

        rig.mendDatabase();
        Await.until(() -> rig.recorder.recorded() == 1);
        assertEquals(1, rig.stored().size());
        assertEquals("audit_check", rig.events.getFirst().get("type").textValue());
        FrameName frame = rig.stored().getFirst().frame().orElseThrow();
        assertTrue(rig.folder.find(frame).isPresent());
        assertEquals(1, rig.sampled().size());
        assertEquals(0, rig.recorder.lost());
    }

    @Test
    void analysed_rejectWithStandby_cutsToStandbyAndIsStored() {
        rig.put(1, Map.of("nude", 0.5), OnReject.STANDBY);

        rig.task().report(rig.report(2, AlertType.NUDE, 0.8));

        assertEquals(List.of(OnReject.STANDBY), rig.actions);
        assertEquals(List.of(), rig.disabled);
        assertEquals(1, rig.stored().size());
    }

    @Test
    void analysed_rejectWithoutDisable_leavesTheStream() {
        rig.put(1);
        rig.task().report(rig.report(2, AlertType.NUDE, 0.99));

        assertEquals(List.of(), rig.disabled);
        assertEquals(1, rig.stored().size());
    }

    @Test
    void unserved_type_isReportedInRowAndEvent() {
        rig.put(1, Map.of("nude", 0.5, "weapon", 0.5), OnReject.NONE);

        rig.task().unserved(Set.of(AlertType.WEAPON));

        assertEquals(Set.of(AlertType.WEAPON), runs().getFirst().unserved());
        assertEquals(1, rig.events.size());
        var event = rig.events.getFirst();
        assertEquals("live_stream.warning", event.get("type").textValue());
        var warning = event.at("/data/warning");
        assertEquals("moderation_unavailable", warning.get("code").textValue());
        assertTrue(warning.get("message").textValue().contains("weapon"));
        assertFalse(event.toString().contains(rig.stream.streamKey()));

        rig.task().unserved(Set.of());
        assertEquals(Set.of(), runs().getFirst().unserved());
        assertEquals(1, rig.events.size());
    }

    @Test
    void blind_isReportedInRow_recordAndEvent_untilAFrameIsDecoded() {
        rig.put(1, Map.of("nude", 0.5), OnReject.NONE);

        rig.task().blind(true, Instant.ofEpochMilli(1_700_000_000_123L), Optional.empty());

        assertEquals(ModerationState.BLIND, ModerationState.of(Optional.of(runs().getFirst())));
        var event = rig.events.getFirst();
        assertEquals("live_stream.warning", event.get("type").textValue());
        assertEquals("moderation_blind", event.at("/data/warning/code").textValue());
        ModerationRecord record = rig.stored().getFirst();
        assertEquals(4, record.status().code());
        assertEquals(event.get("id").textValue(), record.eventId());
        assertEquals(1_700_000_000_123L, record.capturedAt().toEpochMilli());
        assertEquals(Optional.empty(), record.frame());

        rig.task().blind(false, Instant.ofEpochMilli(1_700_000_009_123L), Optional.empty());

        assertEquals(ModerationState.ON, ModerationState.of(Optional.of(runs().getFirst())));
        assertEquals(1, rig.events.size());
        assertEquals(1, rig.stored().size());
    }

    @Test
    void blind_becauseTheServerRefuses_saysWhy() {
        rig.put(1, Map.of("nude", 0.5), OnReject.NONE);
        var refusal =
                new DecodingRefusedException(
                        DecodingRefusedException.Limit.MEMORY, "decoder memory: 9 MiB needed");

        rig.task().refused(refusal);
        rig.task().blind(true, Instant.ofEpochMilli(1), Optional.of(refusal));

        assertEquals(List.of(refusal), rig.refusals);
        assertTrue(
                rig.events
                        .getFirst()
                        .at("/data/warning/message")
                        .textValue()
                        .endsWith("(decoder memory: 9 MiB needed)"));
    }
}
