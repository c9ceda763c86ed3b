package touchline.api.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;
import touchline.api.access.FrameLinks;
import touchline.api.db.DetectInfo;
import touchline.api.domain.ModerationRecord;
import touchline.api.domain.SampledFrame;
import touchline.moderation.ModelStatus;

/** Moderation records and sampled frames as the API shows them. Any thread. */
final class ModerationView {
    private static final int BY_MACHINE = 1;
    private static final int BY_HUMAN = 2;

    private final FrameLinks links;

    ModerationView(FrameLinks links) {
        this.links = links;
    }

    /**
     * @param title of its live stream; empty where that has none or is deleted
     */
    ObjectNode of(ModerationRecord record, String title) {
        ObjectNode json = Json.object();
        json.put("id", record.id());
        json.put("task_id", record.taskId());
        json.put("event_id", record.eventId());
        json.put("account_id", record.accountId());
        json.put("channel_id", record.session().value());
        json.put("live_stream_id", record.stream().value());
        json.put("live_stream_title", title);
        json.put("url", record.frame().map(links::to).orElse(""));
        json.put("detect_info", DetectInfo.write(record.findings()));
        json.put("detect_status", record.status().code());
        json.put("audit_from", record.review().isPresent() ? BY_HUMAN : BY_MACHINE);
        json.put("review_at", record.review().map(review -> review.at().toEpochMilli()).orElse(0L));
        json.put("review_note", record.review().map(ModerationRecord.Review::note).orElse(""));
        json.put("reviewed_by", record.review().map(ModerationRecord.Review::by).orElse(""));
        json.put("captured_at", record.capturedAt().toEpochMilli());
        json.put("created_at", record.createdAt().getEpochSecond());
        return json;
    }

    static ObjectNode of(ModelStatus model) {
        ObjectNode json = Json.object();
        json.put("name", model.name());
        ArrayNode types = json.putArray("alert_types");
        model.serves().stream().sorted().forEach(type -> types.add(type.wireName()));
        json.put("demo", model.demo());
        json.put("licence", model.licence());
        json.put("state", model.state().wireName());
        json.put("reason", model.reason().orElse(null));
        return json;
    }

    /**
     * @param record id of the frame's record; null without one
     */
    static ObjectNode of(SampledFrame frame, @Nullable Long record) {
        ObjectNode json = Json.object();
        json.put("captured_at", frame.at().toEpochMilli());
        json.put("judged_at", frame.judgedAt().toEpochMilli());
        json.put("detect_status", frame.status().code());
        ObjectNode scores = json.putObject("scores");
        frame.scores().forEach((type, score) -> scores.put(type.wireName(), score));
        json.put("record_id", record);
        return json;
    }
}
