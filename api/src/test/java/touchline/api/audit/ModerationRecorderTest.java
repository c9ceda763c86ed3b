package touchline.api.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.db.DetectInfo;
import touchline.api.db.EvidenceRepository;
import touchline.api.domain.AuditSettings.OnReject;
import touchline.api.domain.DetectStatus;
import touchline.api.domain.FrameContent;
import touchline.api.domain.FrameName;
import touchline.api.domain.ModerationRecord;
import touchline.api.domain.SampledFrame;
import touchline.api.http.EventSchemaCheck;
import touchline.api.maintenance.EvidenceRetention;
import touchline.config.EvidenceConfig;
import touchline.moderation.AlertType;
import touchline.packager.delivery.FrameDecision;
import touchline.packager.delivery.FrameRequest;

class ModerationRecorderTest {
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

    private ModerationRecord recorded(int second, double confidence) {
        rig.task().report(rig.report(second, AlertType.NUDE, confidence));
        return rig.stored().getFirst();
    }

    private String file(ModerationRecord record) throws Exception {
        FrameName name = record.frame().orElseThrow();
        return Files.readString(rig.folder.find(name).orElseThrow().file());
    }

    @Test
    void passedFrame_keepsItsScoresOnly() {
        rig.put(1);
        rig.task().report(rig.report(3, AlertType.NUDE, 0.5));

        assertEquals(List.of(), rig.stored());
        assertEquals(List.of(), rig.events);
        assertEquals(
                List.of(
                        new SampledFrame(
                                ModerationRig.NOW.plusSeconds(3),
                                ModerationRig.JUDGED_AFTER_MS,
                                DetectStatus.PASS,
                                Map.of(AlertType.NUDE, 0.5f))),
                rig.sampled());
    }

    @Test
    void alert_recordEventAndFrame_agree() throws Exception {
        rig.put(1);
        rig.now = ModerationRig.NOW.plusSeconds(3);
        ModerationRecord record = recorded(3, 0.7);

        assertEquals("JPEG 3", file(record));
        assertEquals(1, rig.images.get());
        EvidenceRepository.Location location =
                rig.evidence.find(record.frame().orElseThrow()).orElseThrow();
        assertEquals(FrameContent.of("JPEG 3".getBytes(UTF_8)), location.content());
        assertFalse(location.stored());
        assertEquals(DetectStatus.REVIEW, record.status());
        assertEquals(ModerationRig.NOW.plusSeconds(3), record.capturedAt());
        assertEquals("default", record.accountId());
        assertEquals(rig.runs.of(ModerationRig.SESSION).getFirst().taskId(), record.taskId());
        assertEquals(DetectStatus.REVIEW, rig.sampled().getFirst().status());
        JsonNode event = rig.events.getFirst();
        String url = rig.links.to(record.frame().orElseThrow());
        assertEquals(
                """
                {"type":"audit_check","id":"%s","created_at":"2026-11-20T12:00:03.000Z",\
                "data":{"stream_info":{"stream_id":"%s","stream_session_id":"ses_1",\
                "title":"Cup final","start_time":%d},"frame_url":"%s","alerts":[{"type":"nude",\
                "confidence":0.7,"description":"nude: confidence 0.700 is above the threshold 0.5 \
                (demonstration model demo-nude)","detection_info":{"model":"nude",\
                "confidence":0.7,"bounding_box":[0.1,0.2,0.3,0.4],"risk_level":"review"}}],\
                "seq":1}}"""
                        .formatted(
                                record.eventId(),
                                rig.stream.id(),
                                ModerationRig.NOW.getEpochSecond() - 30,
                                url),
                event.toString());
        EventSchemaCheck.SHARED.check(event.toString());
        assertEquals(
                "[{\"model\":\"nude\",\"model_version\":\"demo-nude\",\"confidence\":0.7,"
                        + "\"risk_level\":\"review\",\"bounding_box\":[0.1,0.2,0.3,0.4]}]",
                DetectInfo.write(record.findings()));
    }

    @Test
    void thresholds_onTheSameScore_decideDifferently() {
        rig.put(1, Map.of("nude", 0.3), OnReject.NONE);
        assertEquals(DetectStatus.REVIEW, recorded(1, 0.62).status());
        rig.put(1, Map.of("nude", 0.9), OnReject.NONE);
        rig.task().report(rig.report(2, AlertType.NUDE, 0.62));
        assertEquals(1, rig.stored().size());
        rig.put(1, Map.of("nude", 0.2), OnReject.NONE);
        assertEquals(DetectStatus.REJECT, recorded(3, 0.62).status());
        assertEquals(2, rig.events.size());
        assertEquals(3, rig.sampled().size());
    }

    @Test
    void frame_failing_leavesRecordAndEventWithoutOne() {
        rig.put(1);
        rig.task()
                .report(
                        rig.report(
                                3,
                                AlertType.NUDE,
                                0.9,
                                _ -> {
                                    throw new IllegalStateException("no encoder");
                                }));

        assertEquals(Optional.empty(), rig.stored().getFirst().frame());
        assertEquals("", rig.events.getFirst().at("/data/frame_url").textValue());
        assertEquals(1, rig.recorder.withoutFrame());
        assertEquals(1, rig.recorder.recorded());
    }

    @Test
    void database_failing_losesTheFrameAndCountsIt() throws Exception {
        rig.put(1);
        rig.recorder.close();
        List<FrameName> before = rig.folder.storedBefore(Instant.MAX);
        rig.database.close();
        rig.task().report(rig.report(3, AlertType.NUDE, 0.9));

        assertEquals(1, rig.recorder.lost());
        assertEquals(0, rig.recorder.recorded());
        assertEquals(before, rig.folder.storedBefore(Instant.MAX));
    }

    @Test
    void link_goodForgedAndExpired_isDistinguished() throws Exception {
        rig.put(1);
        ModerationRecord record = recorded(1, 0.9);
        FrameName name = record.frame().orElseThrow();
        URI url = URI.create(rig.links.to(name));
        EvidenceFrames frames = new EvidenceFrames(rig.links, rig.folder, Runnable::run);
        String expiry = url.getQuery().replaceFirst("exp=([0-9]+)&sig=.*", "$1");
        String signature = url.getQuery().replaceFirst(".*&sig=", "");
        List<String> answers = new ArrayList<>();

        answers.add(answer(frames.find(new FrameRequest(name.value(), expiry, signature))));
        answers.add(answer(frames.find(new FrameRequest(name.value(), expiry + "0", signature))));
        answers.add(answer(frames.find(new FrameRequest(name.value(), expiry, ""))));
        answers.add(answer(frames.find(new FrameRequest("otherFrame1", expiry, signature))));
        answers.add(answer(frames.find(new FrameRequest("short", expiry, signature))));
        rig.now = ModerationRig.NOW.plusSeconds(86_401);
        answers.add(answer(frames.find(new FrameRequest(name.value(), expiry, signature))));
        URI fresh = URI.create(rig.links.to(new FrameName("goneFrame1")));
        answers.add(
                answer(
                        frames.find(
                                new FrameRequest(
                                        "goneFrame1",
                                        fresh.getQuery().replaceFirst("exp=([0-9]+)&sig=.*", "$1"),
                                        fresh.getQuery().replaceFirst(".*&sig=", "")))));

        assertEquals(
                List.of(
                        "image",
                        "403 40302 this link is not valid",
                        "403 40302 this link is not valid",
                        "403 40302 this link is not valid",
                        "403 40302 this link is not valid",
                        "403 40302 this link has expired",
                        "404 40401 not found"),
                answers);
    }

    private static String answer(CompletionStage<FrameDecision> stage) {
        return switch (stage.toCompletableFuture().join()) {
            case FrameDecision.Image _ -> "image";
            case FrameDecision.Remote(var media) -> "of " + media.subject();
            case FrameDecision.Refused(var refusal) ->
                    refusal.status() + " " + refusal.code() + " " + refusal.message();
        };
    }

    @Test
    void retention_byAgeAndSize_takesTheOldestFrames() {
        rig.put(1);
        for (int i = 1; i <= 4; i++) {
            recorded(i * 100, 0.9);
        }
        List<ModerationRecord> stored = rig.stored().reversed();
        long each = "JPEG 100".getBytes(UTF_8).length;
        rig.now = ModerationRig.NOW.plusSeconds(1_000);

        // Older than 750 s: the first two. Then one of two has to go for its size.
        assertEquals(3, retention(new EvidenceConfig(Duration.ofSeconds(750), each)).apply());

        for (ModerationRecord record : stored.subList(0, 3)) {
            assertEquals(Optional.empty(), rig.records.find(record.id()).orElseThrow().frame());
            assertTrue(rig.folder.find(record.frame().orElseThrow()).isEmpty());
        }
        assertTrue(rig.folder.find(stored.get(3).frame().orElseThrow()).isPresent());
        assertEquals(0, retention(new EvidenceConfig(Duration.ZERO, /* maxBytes= */ 0)).apply());
    }

    private EvidenceRetention retention(EvidenceConfig config) {
        return new EvidenceRetention(
                new EvidenceRetention.Dependencies(
                        () -> config,
                        rig.folder,
                        rig.evidence,
                        rig.frames,
                        /* inS3= */ false,
                        () -> rig.now));
    }

    @Test
    void sweep_framesWithoutRecord_areRemoved() throws Exception {
        rig.put(1);
        ModerationRecord record = recorded(1, 0.9);
        FrameName orphan = FrameName.create();
        rig.folder.put(orphan, new byte[10]);
        Files.writeString(folder.resolve("evidence/notes.txt"), "foreign");
        rig.now = Instant.now().plusSeconds(60);

        assertEquals(1, retention(EvidenceConfig.DEFAULT).sweep());

        assertTrue(rig.folder.find(orphan).isEmpty());
        assertTrue(rig.folder.find(record.frame().orElseThrow()).isPresent());
        assertTrue(Files.exists(folder.resolve("evidence/notes.txt")));
    }
}
