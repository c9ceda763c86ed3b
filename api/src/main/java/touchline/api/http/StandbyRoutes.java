package touchline.api.http;

import io.helidon.http.Method;
import java.util.List;
import touchline.api.db.StreamRepository;
import touchline.api.domain.Scope;
import touchline.api.domain.StreamDefinition;
import touchline.api.session.LiveControl;
import touchline.media.StreamId;
import touchline.media.hub.StandbyReason;
import touchline.media.hub.StandbySettings;

/** The operator's cut to standby while the encoder sends, and back. Any thread. */
final class StandbyRoutes {
    private static final String STANDBY = LiveStreamRoutes.STREAM + "/standby";

    private final StreamRepository streams;
    private final LiveControl live;
    private final StreamView view;

    StandbyRoutes(LiveStreamRoutes.Dependencies dependencies) {
        this.streams = dependencies.streams();
        this.live = dependencies.live();
        this.view = dependencies.view();
    }

    List<ApiRoute> routes() {
        return List.of(
                ApiRoute.of(Method.PUT, STANDBY + "/on", Scope.LIVE_WRITE, this::on),
                ApiRoute.of(Method.PUT, STANDBY + "/off", Scope.LIVE_WRITE, this::off));
    }

    private ApiReply on(ApiRequest request) {
        StreamDefinition stream = active(request);
        requireMode(stream);
        if (!live.standby().on(stream.id(), StandbyReason.OPERATOR)) {
            throw ApiException.wrongState(
                    "no encoder has sent media since the start of the server: the format of the"
                            + " standby is unknown");
        }
        return shown(request, stream);
    }

    private ApiReply off(ApiRequest request) {
        StreamDefinition stream = active(request);
        if (!live.standby().isKeptOn(stream.id())) {
            requireMode(stream);
        }
        live.standby().off(stream.id());
        return shown(request, stream);
    }

    private StreamDefinition active(ApiRequest request) {
        StreamId id = LiveStreamRoutes.streamId(request);
        StreamDefinition stream = streams.find(id).orElseThrow(LiveStreamRoutes::noStream);
        if (stream.disabled() || live.active(id).isEmpty()) {
            throw ApiException.wrongState(
                    "the live stream is not active: the standby replaces a running programme");
        }
        return stream;
    }

    private static void requireMode(StreamDefinition stream) {
        if (stream.settings().standby().mode() == StandbySettings.Mode.NONE) {
            throw ApiException.wrongState(
                    "standby.mode is none: set freeze or slate first (PATCH "
                            + LiveStreamRoutes.STREAM
                            + ")");
        }
    }

    private ApiReply shown(ApiRequest request, StreamDefinition stream) {
        return ApiReply.ok(view.of(stream, request.allows(Scope.LIVE_WRITE)));
    }
}
