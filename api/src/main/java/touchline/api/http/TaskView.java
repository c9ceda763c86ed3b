package touchline.api.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import touchline.api.domain.TaskStatus;
import touchline.api.domain.TranscodingRequest;
import touchline.api.domain.TranscodingTask;

/** Transcoding tasks as the API shows them. Stateless. */
final class TaskView {
    private static final double US_PER_SECOND = 1_000_000;
    private static final double MS_PER_SECOND = 1_000;

    private TaskView() {}

    static ObjectNode of(TranscodingTask task) {
        TaskStatus status = task.status();
        ObjectNode json = Json.object();
        json.put("task_id", task.id());
        json.put("group_id", task.requestId());
        json.put("storage_id", task.storageId());
        json.put("status", status.state().wireName());
        json.put("progress", Math.round(status.progress() * MS_PER_SECOND) / MS_PER_SECOND);
        json.put("input", task.input());
        json.put("output", task.output());
        json.put("format", task.request().format().wireName());
        height(task.request().heights(), json);
        if (task.request().renditions()) {
            json.put("renditions", true);
        }
        task.request().videoBitrateBps().ifPresent(bps -> json.put("video_bitrate", bps));
        task.request().audioBitrateBps().ifPresent(bps -> json.put("audio_bitrate", bps));
        json.put("filename", task.fileName());
        json.put("attempts", status.attempts());
        status.durationUs().ifPresent(us -> json.put("duration", us / US_PER_SECOND));
        spent(status, json);
        status.error()
                .ifPresent(
                        error ->
                                json.put("error_code", error.code())
                                        .put("error_msg", error.message()));
        ArrayNode notes = json.putArray("notes");
        status.notes().forEach(notes::add);
        json.put("created_at", task.createdAt().getEpochSecond());
        status.startedAt().ifPresent(at -> json.put("started_at", at.getEpochSecond()));
        status.finishedAt().ifPresent(at -> json.put("finished_at", at.getEpochSecond()));
        return json;
    }

    /** With the log of the notification. */
    static ObjectNode of(TranscodingTask task, Optional<TranscodingRequest.Log> log) {
        ObjectNode json = of(task);
        log.ifPresent(
                entry -> {
                    ObjectNode notification = json.putObject("notification");
                    notification.put("status", entry.notice().wireName());
                    ArrayNode attempts = notification.putArray("attempts");
                    entry.attempts()
                            .forEach(
                                    each ->
                                            attempts.addObject()
                                                    .put("at", each.at().toString())
                                                    .put("duration_ms", each.durationMs())
                                                    .put("http_status", each.httpStatus())
                                                    .put("error", each.error()));
                });
        return json;
    }

    private static void height(List<Integer> heights, ObjectNode json) {
        if (heights.size() == 1) {
            json.put("height", heights.getFirst());
        } else if (!heights.isEmpty()) {
            ArrayNode several = json.putArray("height");
            heights.forEach(several::add);
        }
    }

    private static void spent(TaskStatus status, ObjectNode json) {
        if (status.startedAt().isPresent() && status.finishedAt().isPresent()) {
            Duration spent = Duration.between(status.startedAt().get(), status.finishedAt().get());
            json.put("spend_time", spent.toMillis() / MS_PER_SECOND);
        }
    }
}
