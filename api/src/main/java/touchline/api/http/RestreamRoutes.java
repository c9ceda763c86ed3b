package touchline.api.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Method;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import touchline.api.db.StreamRepository;
import touchline.api.domain.PageRequest;
import touchline.api.domain.Restream;
import touchline.api.domain.Scope;
import touchline.api.restream.Restreams;
import touchline.api.view.RestreamView;
import touchline.media.StreamId;

/** {@code …/restreams}: other servers that a live stream is sent on to. Any thread. */
final class RestreamRoutes {
    private static final String RESTREAMS = LiveStreamRoutes.STREAM + "/restreams";
    private static final String RESTREAM = RESTREAMS + "/{restream_id}";
    private static final String WHAT = "restream";

    private final Restreams restreams;
    private final StreamRepository streams;
    private final RestreamFields fields;
    private final InstantSource clock;

    private RestreamRoutes(
            Restreams restreams, StreamRepository streams, UrlRules rules, InstantSource clock) {
        this.restreams = restreams;
        this.streams = streams;
        this.fields = new RestreamFields(rules);
        this.clock = clock;
    }

    static RestreamRoutes of(ApiDependencies dependencies) {
        return new RestreamRoutes(
                dependencies.restreams(),
                dependencies.streams(),
                dependencies.urlRules(),
                dependencies.clock());
    }

    List<ApiRoute> routes() {
        return List.of(
                ApiRoute.prepared(RESTREAMS, Scope.LIVE_WRITE, this::create),
                ApiRoute.of(Method.GET, RESTREAMS, Scope.LIVE_READ, this::list),
                ApiRoute.of(Method.GET, RESTREAM, Scope.LIVE_READ, this::find),
                ApiRoute.of(Method.PATCH, RESTREAM, Scope.LIVE_WRITE, this::patch),
                ApiRoute.of(Method.DELETE, RESTREAM, Scope.LIVE_WRITE, this::delete));
    }

    private ApiHandler.Creation create(ApiRequest request) {
        StreamId stream = LiveStreamRoutes.streamId(request);
        JsonFields body = request.body();
        body.require(RestreamFields.URL);
        body.require(RestreamFields.STREAM_KEY);
        Optional<String> name = RestreamFields.name(body);
        Optional<String> url = fields.url(body);
        Optional<String> streamKey = RestreamFields.streamKey(body);
        Optional<Boolean> enabled = RestreamFields.enabled(body);
        request.problems().throwIfAny();
        Restream restream =
                Restream.create(
                        stream,
                        name.orElse(""),
                        url.orElseThrow(),
                        enabled.orElse(true),
                        clock.instant());
        return () -> store(request, restream, streamKey.orElseThrow());
    }

    private ApiReply store(ApiRequest request, Restream restream, String streamKey) {
        switch (restreams.repository().create(restream, streamKey)) {
            case STREAM_NOT_FOUND -> throw LiveStreamRoutes.noStream();
            case FULL ->
                    throw ApiException.wrongState(
                            "the stream has "
                                    + Restream.MAX_PER_STREAM
                                    + " restreams: delete one of them first");
            case ADDED -> request.afterCommit(() -> restreams.changed(restream.stream()));
        }
        return ApiReply.ok(shown(restream));
    }

    private ApiReply list(ApiRequest request) {
        StreamId stream = LiveStreamRoutes.streamId(request);
        PageRequest page = request.page();
        if (!streams.exists(stream)) {
            throw LiveStreamRoutes.noStream();
        }
        return ApiReply.page(restreams.repository().list(stream, page).map(this::shown));
    }

    private ApiReply find(ApiRequest request) {
        return ApiReply.ok(shown(restream(request)));
    }

    private Restream restream(ApiRequest request) {
        StreamId stream = LiveStreamRoutes.streamId(request);
        return restreams
                .repository()
                .find(stream, request.id("restream_id", WHAT))
                .orElseThrow(RestreamRoutes::noRestream);
    }

    private static ApiException noRestream() {
        return ApiException.notFound(WHAT);
    }

    private ApiReply patch(ApiRequest request) {
        StreamId stream = LiveStreamRoutes.streamId(request);
        JsonFields body = request.mergedBody();
        Optional<String> name =
                body.orDefault(RestreamFields.NAME, "", _ -> RestreamFields.name(body));
        Optional<String> url = fields.url(body);
        Optional<String> streamKey = RestreamFields.streamKey(body);
        Optional<Boolean> enabled =
                body.orDefault(RestreamFields.ENABLED, true, _ -> RestreamFields.enabled(body));
        Restream before = restream(request);
        body.refuseChanges(shown(before), Map.of());
        request.problems().throwIfAny();
        UnaryOperator<Restream> change =
                each ->
                        each.withName(name.orElse(each.name()))
                                .withUrl(url.orElse(each.url()))
                                .withEnabled(enabled.orElse(each.enabled()));
        Restream after =
                restreams
                        .repository()
                        .change(stream, before.id(), change, streamKey)
                        .orElseThrow(RestreamRoutes::noRestream);
        restreams.changed(stream);
        return ApiReply.ok(shown(after));
    }

    private ApiReply delete(ApiRequest request) {
        StreamId stream = LiveStreamRoutes.streamId(request);
        if (!restreams.repository().delete(stream, request.id("restream_id", WHAT))) {
            throw noRestream();
        }
        restreams.changed(stream);
        return ApiReply.done();
    }

    private ObjectNode shown(Restream restream) {
        return RestreamView.of(restream, restreams.status(restream));
    }
}
