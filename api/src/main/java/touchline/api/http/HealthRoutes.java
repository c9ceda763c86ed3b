package touchline.api.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Method;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import touchline.api.db.StreamRepository;
import touchline.api.domain.Scope;
import touchline.api.domain.SessionReport;
import touchline.api.session.LiveControl;
import touchline.media.StreamId;
import touchline.media.hub.HealthSample;
import touchline.media.hub.IngestHealth;
import touchline.media.hub.LiveStream;

/**
 * {@code /live/v1/live-streams/{id}/health}: what the encoder of the running session sent in the
 * last hour, in steps of five seconds, and the advice of the ingest doctor. Any thread.
 */
final class HealthRoutes {
    private static final int MAX_SECONDS = 3_600;

    private final StreamRepository streams;
    private final LiveControl live;
    private final InstantSource clock;

    HealthRoutes(ApiDependencies dependencies) {
        streams = dependencies.streams();
        live = dependencies.live();
        clock = dependencies.clock();
    }

    List<ApiRoute> routes() {
        return List.of(
                ApiRoute.of(
                        Method.GET,
                        LiveStreamRoutes.STREAM + "/health",
                        Scope.LIVE_READ,
                        this::health));
    }

    private ApiReply health(ApiRequest request) {
        StreamId id = LiveStreamRoutes.streamId(request);
        int seconds = request.number("seconds", 1, MAX_SECONDS, MAX_SECONDS);
        request.problems().throwIfAny();
        if (!streams.exists(id)) {
            throw LiveStreamRoutes.noStream();
        }
        Optional<LiveStream> running = live.active(id);
        ObjectNode json = Json.object();
        json.put("session_id", running.map(each -> each.session().value()).orElse(null));
        json.put("step_s", IngestHealth.STEP.toSeconds());
        ArrayNode samples = json.putArray("samples");
        Instant after = clock.instant().minusSeconds(seconds);
        running.ifPresent(each -> each.health(after).forEach(sample -> samples.add(of(sample))));
        json.set(
                "warnings",
                SessionRoutes.warnings(
                        running.flatMap(each -> live.report(each.session()))
                                .map(SessionReport::warnings)
                                .orElse(List.of())));
        return ApiReply.ok(json);
    }

    private static ObjectNode of(HealthSample sample) {
        ObjectNode json = Json.object();
        json.put("at", sample.atMs() / 1_000);
        json.put("video_bitrate", sample.videoBitrateBps());
        json.put("audio_bitrate", sample.audioBitrateBps());
        json.put("frame_rate", Math.round(sample.frameRate() * 100) / 100.0);
        if (sample.keyFrameIntervalUs() == HealthSample.NONE) {
            json.putNull("key_frame_interval_s");
        } else {
            json.put("key_frame_interval_s", Math.round(sample.keyFrameIntervalUs() / 1e3) / 1e3);
        }
        if (sample.driftUs() == HealthSample.NONE) {
            json.putNull("drift_ms");
        } else {
            json.put("drift_ms", sample.driftUs() / 1_000);
        }
        return json.put("missing_frames", sample.missingFrames());
    }
}
