package touchline.api.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Method;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import touchline.api.audit.ModerationControl;
import touchline.api.db.Database;
import touchline.api.db.StreamRepository;
import touchline.api.domain.AuditSettings;
import touchline.api.domain.OverlaySettings;
import touchline.api.domain.Scope;
import touchline.api.domain.StreamDefinition;
import touchline.api.domain.WatermarkSettings;
import touchline.api.scoreboard.OverlayControl;
import touchline.media.StreamId;

/** Moderation and scoreboard settings of a live stream. Any thread. */
final class StreamSettingsRoutes {
    private static final String AUDIT = LiveStreamRoutes.STREAM + "/audit-settings";
    private static final String WATERMARK = LiveStreamRoutes.STREAM + "/generated-watermark";

    private static final String STREAM_ID = "live_stream_id";
    private static final String COMPLETE =
            "end the session first (PUT " + LiveStreamRoutes.STREAM + "/complete)";
    private static final String ENABLE =
            "enable it first (PUT " + LiveStreamRoutes.STREAM + "/enable)";

    private final Database database;
    private final StreamRepository streams;
    private final StreamChanges changes;
    private final StreamActivity activity;
    private final ModerationControl moderation;
    private final OverlayControl overlays;
    private final StreamView view;
    private final AuditFields auditFields;
    private final WatermarkFields watermarkFields;

    /**
     * @param moderation receives changed audit settings
     */
    StreamSettingsRoutes(
            Database database, ModerationControl moderation, LiveStreamRoutes.Dependencies parts) {
        this.database = database;
        this.streams = parts.streams();
        this.changes = parts.changes();
        this.activity = parts.activity();
        this.moderation = moderation;
        this.overlays = parts.overlays();
        this.view = parts.view();
        this.auditFields = parts.auditFields();
        this.watermarkFields = parts.watermarkFields();
    }

    List<ApiRoute> routes() {
        return List.of(
                ApiRoute.of(Method.PUT, AUDIT, Scope.LIVE_WRITE, this::putAudit),
                ApiRoute.of(Method.DELETE, AUDIT, Scope.LIVE_WRITE, this::deleteAudit),
                ApiRoute.of(Method.PUT, WATERMARK, Scope.LIVE_WRITE, this::putWatermark),
                ApiRoute.of(Method.GET, WATERMARK, Scope.LIVE_READ, this::findWatermark),
                ApiRoute.of(Method.DELETE, WATERMARK, Scope.LIVE_WRITE, this::deleteWatermark),
                ApiRoute.of(
                        Method.GET,
                        WATERMARK + "/preview.png",
                        Scope.LIVE_READ,
                        this::previewWatermark));
    }

    private ApiReply putAudit(ApiRequest request) {
        StreamId stream = LiveStreamRoutes.streamId(request);
        JsonFields body = request.body();
        Optional<AuditSettings> audit =
                bareOrWrapped(body, AuditFields.NAME).flatMap(auditFields::read);
        refuseOtherStream(body, stream);
        request.problems().throwIfAny();
        AuditSettings settings = audit.orElseThrow();
        List<String> warnings = auditFields.warnings(settings);
        if (changes.update(stream, () -> streams.putAudit(stream, settings)).isEmpty()) {
            throw LiveStreamRoutes.noStream();
        }
        moderation.auditChanged(stream);
        ObjectNode data = Json.object().put(STREAM_ID, stream.value());
        data.set(AuditFields.NAME, StreamView.of(settings));
        return ApiReply.ok(data, warnings);
    }

    private ApiReply deleteAudit(ApiRequest request) {
        StreamId stream = LiveStreamRoutes.streamId(request);
        if (changes.update(stream, () -> streams.deleteAudit(stream)).isEmpty()) {
            throw LiveStreamRoutes.noStream();
        }
        moderation.auditChanged(stream);
        return new ApiReply.NoContent();
    }

    /** Reads, checks and stores under one row lock, so that nothing changes in between. */
    private ApiReply putWatermark(ApiRequest request) {
        StreamId id = LiveStreamRoutes.streamId(request);
        JsonFields body = request.mergedBody();
        Optional<JsonFields> fields = bareOrWrapped(body, WatermarkFields.NAME);
        refuseOtherStream(body, id);
        fields.ifPresent(watermarkFields::checkUrl);
        request.problems().throwIfAny();
        WatermarkSettings stored =
                database.transaction(
                        () -> {
                            StreamDefinition stream =
                                    streams.findLocked(id).orElseThrow(LiveStreamRoutes::noStream);
                            WatermarkSettings merged = merged(fields.orElseThrow(), stream);
                            changes.update(id, () -> streams.putWatermark(id, merged));
                            return merged;
                        });
        overlays.watermarkChanged(id);
        return ApiReply.ok(shown(request, id, Optional.of(stored)));
    }

    private WatermarkSettings merged(JsonFields fields, StreamDefinition stream) {
        Optional<WatermarkSettings> before = stream.watermark();
        Optional<WatermarkSettings> after = watermarkFields.merged(fields, before);
        before.ifPresent(mark -> refuseChanges(fields, mark));
        fields.problems().throwIfAny();
        WatermarkSettings settings = after.orElseThrow();
        if (stream.disabled()) {
            requireSameLook(fields, before, settings, ENABLE);
        } else if (activity.session(stream.id()).isPresent()) {
            requireSameLook(fields, before, settings, COMPLETE);
        }
        if (!overlays.hasRoom(stream.id())) {
            throw ApiException.of(
                    ErrorCode.OVERLOADED,
                    "as many scoreboards are composited as overlay.max-compositors allows");
        }
        return settings;
    }

    /** The replies show the id of the live stream: the body may, too. */
    private static void refuseOtherStream(JsonFields body, StreamId stream) {
        body.refuseChanges(Json.object().put(STREAM_ID, stream.value()), Map.of());
    }

    /** A scoreboard that is pushed has a key and an address, which no PUT sets. */
    private void refuseChanges(JsonFields fields, WatermarkSettings before) {
        ObjectNode shown = view.of(before, /* withKeys= */ true);
        shown.retain("stream_key", "stream_url");
        fields.refuseChanges(shown, Map.of());
    }

    /**
     * The look of a scoreboard changes while the stream is idle only.
     *
     * @param toIdle the call that makes it idle
     */
    private static void requireSameLook(
            JsonFields fields,
            Optional<WatermarkSettings> before,
            WatermarkSettings after,
            String toIdle) {
        String whileIdle = " while the live stream is idle only: " + toIdle;
        if (before.isEmpty()) {
            if (fields.hasValue(OverlayFields.NAME)) {
                throw ApiException.wrongState("overlay_settings take effect" + whileIdle);
            }
            return;
        }
        if (!before.get().type().equals(after.type())) {
            throw ApiException.wrongState("the type of a scoreboard changes" + whileIdle);
        }
        OverlaySettings placedBefore = before.get().overlay().orElse(OverlaySettings.DEFAULTS);
        OverlaySettings placed = after.overlay().orElse(OverlaySettings.DEFAULTS);
        if (!OverlayFields.sameLook(placedBefore, placed)) {
            throw ApiException.wrongState("overlay_settings change" + whileIdle);
        }
    }

    private ApiReply findWatermark(ApiRequest request) {
        StreamId id = LiveStreamRoutes.streamId(request);
        StreamDefinition stream = streams.find(id).orElseThrow(LiveStreamRoutes::noStream);
        if (stream.watermark().isEmpty()) {
            throw ApiException.notFound("scoreboard");
        }
        ObjectNode data = shown(request, id, stream.watermark());
        if (stream.watermark().get() instanceof WatermarkSettings.Stream) {
            data.put("push_status", overlays.push(id).name().toLowerCase(Locale.ROOT));
        }
        return ApiReply.ok(data);
    }

    private ApiReply deleteWatermark(ApiRequest request) {
        StreamId id = LiveStreamRoutes.streamId(request);
        if (changes.update(id, () -> streams.deleteWatermark(id)).isEmpty()) {
            throw LiveStreamRoutes.noStream();
        }
        overlays.watermarkChanged(id);
        return ApiReply.ok(shown(request, id, Optional.empty()));
    }

    /** The current frame of the program, as PNG; fails without a compositor. */
    private ApiReply previewWatermark(ApiRequest request) {
        StreamId id = LiveStreamRoutes.streamId(request);
        StreamDefinition stream = streams.find(id).orElseThrow(LiveStreamRoutes::noStream);
        if (stream.watermark().isEmpty()) {
            throw ApiException.notFound("scoreboard");
        }
        try {
            byte[] png =
                    overlays.preview(id)
                            .orElseThrow(
                                    () ->
                                            ApiException.wrongState(
                                                    "nothing is composited now: a preview needs an"
                                                            + " active stream whose scoreboard is"
                                                            + " shown"));
            return ApiReply.document("image/png", png);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw ApiException.wrongState("the server stops");
        }
    }

    private ObjectNode shown(
            ApiRequest request, StreamId stream, Optional<WatermarkSettings> watermark) {
        ObjectNode data = Json.object().put(STREAM_ID, stream.value());
        data.set(
                WatermarkFields.NAME,
                watermark.map(w -> view.of(w, request.allows(Scope.LIVE_WRITE))).orElse(null));
        return data;
    }

    /** The body is the settings, or contains them under their name. */
    private static Optional<JsonFields> bareOrWrapped(JsonFields body, String name) {
        return body.has(name) ? body.object(name) : Optional.of(body);
    }
}
