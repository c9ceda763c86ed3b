package touchline.api.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Method;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import touchline.api.db.StreamRepository;
import touchline.api.domain.Scope;
import touchline.api.domain.StreamDefinition;
import touchline.api.session.LiveControl;
import touchline.api.session.SourceControl;
import touchline.media.StreamId;
import touchline.media.hub.LiveStream;
import touchline.media.hub.PublishSource;
import touchline.media.hub.SourceStatus;

/** {@code PUT /live/v1/live-streams/{id}/source}: which encoder is shown. Any thread. */
final class SourceRoutes {
    /** A value of {@code source}. */
    enum Wanted {
        PRIMARY,
        BACKUP,
        AUTO;

        private static Optional<Wanted> of(String text) {
            for (Wanted each : values()) {
                if (each.wireName().equals(text)) {
                    return Optional.of(each);
                }
            }
            return Optional.empty();
        }

        private String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }

        private Optional<PublishSource> source() {
            return switch (this) {
                case PRIMARY -> Optional.of(PublishSource.PRIMARY);
                case BACKUP -> Optional.of(PublishSource.BACKUP);
                case AUTO -> Optional.empty();
            };
        }
    }

    private final StreamRepository streams;
    private final LiveControl live;

    SourceRoutes(StreamRepository streams, LiveControl live) {
        this.streams = streams;
        this.live = live;
    }

    List<ApiRoute> routes() {
        return List.of(
                ApiRoute.of(
                        Method.PUT,
                        LiveStreamRoutes.STREAM + "/source",
                        Scope.LIVE_WRITE,
                        this::choose));
    }

    private ApiReply choose(ApiRequest request) {
        StreamId id = LiveStreamRoutes.streamId(request);
        JsonFields body = request.body();
        body.require("source");
        Optional<Wanted> wanted =
                body.constant("source", Wanted::of, Wanted.values(), Wanted::wireName);
        request.problems().throwIfAny();
        StreamDefinition stream = streams.find(id).orElseThrow(LiveStreamRoutes::noStream);
        if (!stream.backup().isOn()) {
            throw ApiException.wrongState(
                    "the live stream has no backup: set \"backup\": true first (PATCH "
                            + LiveStreamRoutes.STREAM
                            + ")");
        }
        LiveStream session =
                live.active(id)
                        .orElseThrow(
                                () -> ApiException.wrongState("the live stream is not active"));
        Wanted source = wanted.orElseThrow();
        SourceControl.Choice choice = live.sources().choose(id, source.source());
        switch (choice) {
            case DONE -> {}
            case NOT_ACTIVE -> throw ApiException.wrongState("the live stream is not active");
            case NOT_SENDING ->
                    throw ApiException.wrongState(
                            "the " + source.wireName() + " encoder sends nothing now");
        }
        ObjectNode json =
                Json.object()
                        .put("live_stream_id", id.value())
                        .put("session_id", session.session().value());
        live.sources()
                .status(session.session())
                .ifPresent(status -> show(status, /* withBackup= */ true, json));
        return ApiReply.ok(json);
    }

    /**
     * {@code source}, {@code source_mode} and {@code backup} of a running session.
     *
     * @param withBackup whether its stream has a backup, also before that has connected
     */
    static void show(SourceStatus status, boolean withBackup, ObjectNode json) {
        json.put("source", status.shown().wireName());
        json.put("source_mode", status.chosen().map(PublishSource::wireName).orElse("auto"));
        if (!withBackup) {
            return;
        }
        SourceStatus.Backup backup = status.backup().orElse(SourceStatus.Backup.ABSENT);
        ObjectNode shown = json.putObject("backup");
        shown.put("connected", backup.connected());
        shown.put("sending", backup.sending());
        shown.put("primary_sending", backup.primarySending());
        if (backup.offsetMs().isPresent()) {
            shown.put("offset_ms", backup.offsetMs().getAsLong());
        } else {
            shown.putNull("offset_ms");
        }
        shown.put("confidence", Math.round(backup.confidence() * 100) / 100.0);
    }
}
