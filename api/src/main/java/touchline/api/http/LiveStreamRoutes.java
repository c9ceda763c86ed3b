package touchline.api.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Method;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import touchline.api.db.Change;
import touchline.api.db.ClusterChanges;
import touchline.api.db.ImageRepository;
import touchline.api.db.StreamFilter;
import touchline.api.db.StreamListing;
import touchline.api.db.StreamRepository;
import touchline.api.domain.AuditSettings;
import touchline.api.domain.BackupPush;
import touchline.api.domain.PageRequest;
import touchline.api.domain.PlaybackId;
import touchline.api.domain.PlaybackPolicy;
import touchline.api.domain.PushRole;
import touchline.api.domain.Scope;
import touchline.api.domain.StreamDefinition;
import touchline.api.domain.StreamSettings;
import touchline.api.domain.StreamStatus;
import touchline.api.domain.WatermarkSettings;
import touchline.api.scoreboard.OverlayControl;
import touchline.api.session.LiveControl;
import touchline.media.StreamId;
import touchline.media.hub.EndReason;
import touchline.media.hub.PublishSource;

/**
 * {@code /live/v1/live-streams}: create, list, change, delete, and actions on the running session.
 * Any thread.
 */
final class LiveStreamRoutes {
    static final String STREAMS = "/live/v1/live-streams";
    static final String STREAM = STREAMS + "/{id}";

    private final StreamRepository streams;
    private final StreamChanges changes;
    private final LiveControl live;
    private final StreamActivity activity;
    private final StreamView view;
    private final ImageRepository images;
    private final AuditFields auditFields;
    private final WatermarkFields watermarkFields;
    private final Supplier<String> newStreamKey;
    private final InstantSource clock;

    /** Shared by the routes of live streams. */
    record Dependencies(
            StreamRepository streams,
            StreamChanges changes,
            LiveControl live,
            StreamActivity activity,
            OverlayControl overlays,
            StreamView view,
            ImageRepository images,
            AuditFields auditFields,
            WatermarkFields watermarkFields) {}

    LiveStreamRoutes(
            Dependencies dependencies, Supplier<String> newStreamKey, InstantSource clock) {
        this.streams = dependencies.streams();
        this.changes = dependencies.changes();
        this.live = dependencies.live();
        this.activity = dependencies.activity();
        this.view = dependencies.view();
        this.images = dependencies.images();
        this.auditFields = dependencies.auditFields();
        this.watermarkFields = dependencies.watermarkFields();
        this.newStreamKey = newStreamKey;
        this.clock = clock;
    }

    List<ApiRoute> routes() {
        return List.of(
                ApiRoute.prepared(STREAMS, Scope.LIVE_WRITE, this::create),
                ApiRoute.of(Method.GET, STREAMS, Scope.LIVE_READ, this::list),
                ApiRoute.of(Method.GET, STREAM, Scope.LIVE_READ, this::find),
                ApiRoute.of(Method.PATCH, STREAM, Scope.LIVE_WRITE, this::patch),
                ApiRoute.of(Method.DELETE, STREAM, Scope.LIVE_WRITE, this::delete),
                ApiRoute.of(Method.PUT, STREAM + "/disable", Scope.LIVE_WRITE, this::disable),
                ApiRoute.of(Method.PUT, STREAM + "/enable", Scope.LIVE_WRITE, this::enable),
                ApiRoute.of(Method.PUT, STREAM + "/complete", Scope.LIVE_WRITE, this::complete),
                ApiRoute.of(
                        Method.POST,
                        STREAM + "/reset-stream-key",
                        Scope.LIVE_WRITE,
                        this::resetStreamKey),
                ApiRoute.creating(STREAM + "/playback-ids", Scope.LIVE_WRITE, this::addPlaybackId),
                ApiRoute.of(
                        Method.DELETE,
                        STREAM + "/playback-ids/{playback_id}",
                        Scope.LIVE_WRITE,
                        this::deletePlaybackId));
    }

    /** The stream of a path, or 404. */
    static StreamId streamId(ApiRequest request) {
        return new StreamId(request.id("id", "live stream"));
    }

    static ApiException noStream() {
        return ApiException.notFound("live stream");
    }

    private ApiHandler.Creation create(ApiRequest request) {
        JsonFields body = request.body();
        UnaryOperator<StreamSettings> settings = StreamFields.change(body);
        UnaryOperator<BackupPush> backup = BackupFields.change(body, newStreamKey);
        requireImage(request, settings.apply(StreamSettings.DEFAULTS));
        List<PlaybackPolicy> policies = StreamFields.policies(body);
        Optional<AuditSettings> audit = body.object(AuditFields.NAME).flatMap(auditFields::read);
        Optional<WatermarkSettings> watermark =
                body.object(WatermarkFields.NAME).flatMap(this::watermark);
        request.problems().throwIfAny();
        List<String> warnings = audit.map(auditFields::warnings).orElseGet(List::of);
        StreamDefinition stream =
                new StreamDefinition(
                        StreamDefinition.newId(),
                        StreamDefinition.DEFAULT_ACCOUNT,
                        newStreamKey.get(),
                        settings.apply(StreamSettings.DEFAULTS),
                        /* disabled= */ false,
                        policies.stream().map(PlaybackId::create).toList(),
                        audit,
                        watermark,
                        backup.apply(BackupPush.NONE),
                        clock.instant());
        return () -> {
            changes.create(stream);
            return ApiReply.ok(view.of(stream, /* withKeys= */ true), warnings);
        };
    }

    private void requireImage(ApiRequest request, StreamSettings wanted) {
        StandbyFields.checkImage(
                request.problems(), wanted.standby(), id -> images.find(id).isPresent());
    }

    private Optional<WatermarkSettings> watermark(JsonFields fields) {
        watermarkFields.checkUrl(fields);
        return watermarkFields.merged(fields, Optional.empty());
    }

    private ApiReply list(ApiRequest request) {
        StreamListing listing =
                new StreamListing(
                        filter(request).orElseGet(StreamFilter.All::new),
                        request.search(),
                        first(request));
        PageRequest page = request.page();
        boolean withKeys = request.allows(Scope.LIVE_WRITE);
        return ApiReply.page(view.of(streams.list(listing, page), withKeys));
    }

    /** The streams that {@code order} names before all others. */
    private Set<StreamId> first(ApiRequest request) {
        String order = request.query("order").orElse("newest");
        return switch (order) {
            case "newest" -> Set.of();
            case "active_first" -> activity.streams();
            default -> {
                request.problems()
                        .invalid("order", "unknown value (expected: newest or active_first)");
                yield Set.of();
            }
        };
    }

    private Optional<StreamFilter> filter(ApiRequest request) {
        Optional<String> asked = request.query("status");
        Optional<StreamStatus> status = asked.flatMap(StreamStatus::of);
        if (asked.isPresent() && status.isEmpty()) {
            request.problems()
                    .invalid("status", "unknown value (expected: idle, active or disable)");
        }
        return status.map(
                s ->
                        switch (s) {
                            case DISABLE -> new StreamFilter.Disabled();
                            case ACTIVE -> new StreamFilter.Active(activity.streams());
                            case IDLE -> new StreamFilter.Idle(activity.streams());
                        });
    }

    private ApiReply find(ApiRequest request) {
        return ApiReply.ok(shown(request, streams.find(streamId(request))));
    }

    private ApiReply patch(ApiRequest request) {
        StreamId stream = streamId(request);
        JsonFields body = request.mergedBody();
        UnaryOperator<StreamSettings> change = StreamFields.change(body);
        UnaryOperator<BackupPush> backup = BackupFields.change(body, newStreamKey);
        StreamDefinition now = streams.find(stream).orElseThrow(LiveStreamRoutes::noStream);
        requireImage(request, change.apply(now.settings()));
        StreamFields.refuseChanges(body, now, view.of(now, /* withKeys= */ true));
        request.problems().throwIfAny();
        Optional<StreamDefinition> changed =
                changes.update(
                        stream,
                        () -> {
                            streams.patch(stream, change);
                            streams.changeBackup(stream, backup);
                        });
        changed.ifPresent(after -> live.sources().changed(stream, after.backup()));
        live.signals().changed(stream);
        live.settingsChanged(stream);
        return ApiReply.ok(shown(request, changed));
    }

    private ApiReply delete(ApiRequest request) {
        StreamId stream = streamId(request);
        if (!changes.delete(stream)) {
            throw noStream();
        }
        live.end(stream, EndReason.DELETED);
        return ApiReply.done();
    }

    private ApiReply disable(ApiRequest request) {
        StreamId stream = streamId(request);
        if (changes.setDisabled(stream, true) == Change.NOT_FOUND) {
            throw noStream();
        }
        // Also if it was disabled already: this ends a session that has started meanwhile.
        live.end(stream, EndReason.DISABLED);
        return ApiReply.ok(shown(request, streams.find(stream)));
    }

    private ApiReply enable(ApiRequest request) {
        StreamId stream = streamId(request);
        // First: a disabling that moderation has not stored yet must not follow this change.
        live.enabled(stream);
        if (changes.setDisabled(stream, false) == Change.NOT_FOUND) {
            throw noStream();
        }
        return ApiReply.ok(shown(request, streams.find(stream)));
    }

    private ApiReply complete(ApiRequest request) {
        StreamId stream = streamId(request);
        if (!streams.exists(stream)) {
            throw noStream();
        }
        live.end(stream, EndReason.COMPLETED);
        changes.publish(ClusterChanges.Kind.COMPLETED, stream);
        return ApiReply.ok(shown(request, streams.find(stream)));
    }

    private ApiReply resetStreamKey(ApiRequest request) {
        StreamId stream = streamId(request);
        Optional<PublishSource> source =
                request.body()
                        .constant(
                                "source",
                                PublishSource::of,
                                PublishSource.values(),
                                PublishSource::wireName);
        request.problems().throwIfAny();
        boolean ofBackup = source.equals(Optional.of(PublishSource.BACKUP));
        Optional<StreamDefinition> changed =
                changes.update(stream, () -> resetStreamKey(stream, ofBackup));
        changed.ifPresent(
                s -> {
                    if (ofBackup) {
                        live.sources().backupKeyReset(s.id());
                    } else {
                        live.streamKeyReset(s.id());
                    }
                });
        return ApiReply.ok(shown(request, changed));
    }

    private void resetStreamKey(StreamId stream, boolean ofBackup) {
        if (ofBackup && streams.find(stream).filter(it -> !it.backup().isOn()).isPresent()) {
            throw ApiException.wrongState(
                    "the live stream has no backup: set \"backup\": true first (PATCH "
                            + STREAM
                            + ")");
        }
        changes.publish(
                ofBackup ? ClusterChanges.Kind.BACKUP_KEY : ClusterChanges.Kind.STREAM_KEY, stream);
        streams.resetStreamKey(
                stream, ofBackup ? PushRole.BACKUP : PushRole.MAIN, newStreamKey.get());
    }

    private ApiReply addPlaybackId(ApiRequest request) {
        StreamId stream = streamId(request);
        JsonFields body = request.body();
        PlaybackPolicy policy =
                body.constant(
                                "policy",
                                PlaybackPolicy::of,
                                PlaybackPolicy.values(),
                                PlaybackPolicy::wireName)
                        .orElse(PlaybackPolicy.PUBLIC);
        request.problems().throwIfAny();
        PlaybackId playbackId = PlaybackId.create(policy);
        if (changes.update(stream, () -> addPlaybackId(stream, playbackId)).isEmpty()) {
            throw noStream();
        }
        request.afterCommit(() -> live.playbackIdsChanged(stream));
        return ApiReply.ok(StreamView.of(playbackId));
    }

    private void addPlaybackId(StreamId stream, PlaybackId playbackId) {
        if (streams.addPlaybackId(stream, playbackId) == StreamRepository.Addition.FULL) {
            throw ApiException.wrongState(
                    "the live stream has "
                            + StreamDefinition.MAX_PLAYBACK_IDS
                            + " playback ids already: delete one first (DELETE "
                            + STREAM
                            + "/playback-ids/{playback_id})");
        }
    }

    private ApiReply deletePlaybackId(ApiRequest request) {
        StreamId stream = streamId(request);
        String playbackId = request.id("playback_id", "playback id");
        Optional<StreamDefinition> changed =
                changes.update(
                        stream,
                        () -> {
                            if (!streams.deletePlaybackId(stream, playbackId)) {
                                throw ApiException.notFound("playback id");
                            }
                        });
        if (changed.isEmpty()) {
            throw ApiException.notFound("playback id");
        }
        live.playbackIdsChanged(stream);
        return ApiReply.done();
    }

    private ObjectNode shown(ApiRequest request, Optional<StreamDefinition> stream) {
        return view.of(
                stream.orElseThrow(LiveStreamRoutes::noStream), request.allows(Scope.LIVE_WRITE));
    }
}
