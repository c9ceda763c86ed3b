package touchline.api.http;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import touchline.api.db.ModerationRepository;
import touchline.api.db.SampledFrames;
import touchline.api.db.SampledRun;
import touchline.api.domain.DetectStatus;
import touchline.api.domain.FrameContent;
import touchline.api.domain.FrameName;
import touchline.api.domain.ModerationFinding;
import touchline.api.domain.ModerationRecord;
import touchline.api.domain.RandomText;
import touchline.api.domain.SampledFrame;
import touchline.api.domain.Session;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.moderation.AlertType;
import touchline.moderation.Box;
import touchline.moderation.RiskLevel;

/** Something moderated, for the examples of the OpenAPI document. */
final class AuditSamples {
    /** The session of the document's example. */
    private static final SessionId SESSION = new SessionId("ses_7Qx0cVn4RkT2mB9s");

    private AuditSamples() {}

    /** A path of moderation with what it needs to succeed; any other as it is. */
    static String prepared(ApiFixture api, String path) {
        if (!path.startsWith("/audit/v1/")) {
            return path;
        }
        store(api);
        return switch (path) {
            case "/audit/v1/records/{id}/review" -> path.replace("{id}", "" + record(api));
            case "/audit/v1/records/sampled-frames" -> path + "?stream_session_id=" + SESSION;
            case "/audit/v1/records/simulate" ->
                    path + "?models.nude=0.4&stream_session_id=" + SESSION;
            default -> path;
        };
    }

    private static void store(ApiFixture api) {
        if (api.get("/live/v1/sessions/" + SESSION).status() == 404) {
            StreamId stream = new StreamId(api.create("{}").get("id").textValue());
            api.store(Session.started(SESSION, stream, api.now));
            SampledFrame frame =
                    new SampledFrame(api.now, 40, DetectStatus.PASS, Map.of(AlertType.NUDE, 0.3f));
            new SampledFrames(api.database)
                    .append(new SampledRun().rows(1, SESSION, List.of(frame)));
        }
    }

    private static long record(ApiFixture api) {
        return new ModerationRepository(api.database)
                .create(
                        new ModerationRecord(
                                0,
                                1,
                                "evt_" + RandomText.ofBits(64),
                                "default",
                                new StreamId("str_1"),
                                SESSION,
                                List.of(
                                        new ModerationFinding(
                                                AlertType.WEAPON,
                                                "demo-weapon",
                                                0.9,
                                                RiskLevel.REVIEW,
                                                Box.WHOLE)),
                                Optional.of(FrameName.create()),
                                api.now,
                                api.now,
                                Optional.empty()),
                        new FrameContent(1_000, OptionalLong.empty()));
    }
}
