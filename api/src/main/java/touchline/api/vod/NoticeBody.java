package touchline.api.vod;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import touchline.api.domain.TaskState;
import touchline.api.domain.TaskStatus;
import touchline.api.domain.TranscodingRequest;
import touchline.api.domain.TranscodingTask;

/** The notification at the end of a request's tasks (SPEC 6.2). Stateless. */
final class NoticeBody {
    private static final String SUCCEEDED = "succeeded";
    private static final String FAILED = "failed";
    private static final double MS_PER_SECOND = 1_000;
    private static final double US_PER_SECOND = 1_000_000;

    private NoticeBody() {}

    static ObjectNode of(TranscodingRequest request, List<TranscodingTask> tasks) {
        boolean all = tasks.stream().allMatch(task -> task.status().state() == TaskState.SUCCEEDED);
        ObjectNode json =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("code", 0)
                        .put("msg", all ? SUCCEEDED : FAILED)
                        .put("callback_url", request.notifyUrl().toString());
        ArrayNode data = json.putArray("data");
        tasks.forEach(task -> data.add(result(task)));
        return json;
    }

    private static ObjectNode result(TranscodingTask task) {
        TaskStatus status = task.status();
        boolean succeeded = status.state() == TaskState.SUCCEEDED;
        ObjectNode json =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("task_id", task.id())
                        .put("status", succeeded ? SUCCEEDED : FAILED);
        if (succeeded) {
            json.put("input", task.input())
                    .put("output", task.output())
                    .put("format", task.request().format().wireName());
        }
        status.durationUs().ifPresent(us -> json.put("duration", us / US_PER_SECOND));
        spentSeconds(status, json);
        status.error()
                .ifPresent(
                        error ->
                                json.put("error_code", error.code())
                                        .put("error_msg", error.message()));
        return json;
    }

    private static void spentSeconds(TaskStatus status, ObjectNode json) {
        if (status.startedAt().isPresent() && status.finishedAt().isPresent()) {
            Duration spent = Duration.between(status.startedAt().get(), status.finishedAt().get());
            json.put("spend_time", spent.toMillis() / MS_PER_SECOND);
        }
    }
}
