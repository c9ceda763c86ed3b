package touchline.api.vod;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import touchline.api.domain.TaskError;
import touchline.api.domain.TaskStatus;
import touchline.api.domain.TranscodingRequest;
import touchline.api.domain.TranscodingTask;
import touchline.api.http.EventSchemaCheck;
import touchline.media.transcode.FileFormat;
import touchline.media.transcode.TranscodeRequest;

/** The notification against its schema in the OpenAPI document. */
final class NoticeBodyTest {
    private static final Instant AT = Instant.parse("2026-11-21T10:00:00Z");
    private static final TaskStatus STARTED = TaskStatus.QUEUED.started(AT);

    private final EventSchemaCheck schemas = EventSchemaCheck.SHARED;

    private static ObjectNode notice(TaskStatus... ends) {
        TranscodingRequest request =
                new TranscodingRequest(
                        "treq_1",
                        "sto_1",
                        "asset:ast_1",
                        URI.create("https://client.test/done"),
                        TranscodingRequest.Notice.PENDING,
                        AT);
        return NoticeBody.of(
                request, List.of(ends).stream().map(end -> task(request, end)).toList());
    }

    private static TranscodingTask task(TranscodingRequest request, TaskStatus end) {
        return new TranscodingTask(
                TranscodingTask.newId(),
                request.id(),
                request.storageId(),
                request.input(),
                TranscodeRequest.of(FileFormat.HLS),
                "index.m3u8",
                "bucket/prefix/task_1/index.m3u8",
                end,
                AT);
    }

    @Test
    void tasksOfEachEnd_fitTheDocument() {
        TaskStatus succeeded = STARTED.succeeded(5_400_040_000L, List.of(), AT.plusMillis(812_500));
        TaskStatus failed =
                STARTED.failed(
                        new TaskError(TaskError.INVALID_INPUT, "no media"), AT.plusMillis(3));
        TaskStatus canceled = TaskStatus.QUEUED.canceled(AT);

        ObjectNode all = notice(succeeded, failed, canceled);

        schemas.checkNotification(all.toString());
        schemas.checkNotification(notice(succeeded).toString());
        assertEquals("failed", all.path("msg").textValue());
        assertEquals(1009, all.at("/data/2/error_code").intValue());
    }

    @Test
    void fieldOutsideTheDocument_isFound() {
        ObjectNode more = notice(STARTED.canceled(AT)).put("signature", "");

        assertThrows(AssertionError.class, () -> schemas.checkNotification(more.toString()));
    }
}
