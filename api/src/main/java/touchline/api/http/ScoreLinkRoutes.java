package touchline.api.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Method;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import touchline.api.access.ScoreLinks;
import touchline.api.db.StreamRepository;
import touchline.api.domain.PageRequest;
import touchline.api.domain.Scope;
import touchline.api.domain.ScoreLink;
import touchline.media.StreamId;

/**
 * {@code …/score-links}: addresses with which phones run the bundled scoreboard of a live stream.
 * Any thread.
 */
final class ScoreLinkRoutes {
    private static final String LINKS = LiveStreamRoutes.STREAM + "/score-links";
    private static final String LINK = LINKS + "/{link_id}";
    private static final String WHAT = "score link";
    private static final String NAME = "name";
    private static final String EXPIRES_IN = "expires_in";
    private static final String PAGE = "/score/#";
    private static final int MAX_NAME_BYTES = 256;
    private static final int LEAST_SECONDS = 60;
    private static final int MOST_SECONDS = (int) Duration.ofDays(400).toSeconds();

    private final ScoreLinks links;
    private final StreamRepository streams;
    private final URI apiUrl;
    private final InstantSource clock;

    /**
     * @param apiUrl the public address of this API, where the page is
     */
    ScoreLinkRoutes(ScoreLinks links, StreamRepository streams, URI apiUrl, InstantSource clock) {
        this.links = links;
        this.streams = streams;
        this.apiUrl = apiUrl;
        this.clock = clock;
    }

    List<ApiRoute> routes() {
        return List.of(
                ApiRoute.prepared(LINKS, Scope.LIVE_WRITE, this::create),
                ApiRoute.of(Method.GET, LINKS, Scope.LIVE_READ, this::list),
                ApiRoute.of(Method.DELETE, LINK, Scope.LIVE_WRITE, this::delete));
    }

    private ApiHandler.Creation create(ApiRequest request) {
        StreamId stream = LiveStreamRoutes.streamId(request);
        JsonFields body = request.body();
        body.require(NAME);
        body.require(EXPIRES_IN);
        Optional<String> name = body.text(NAME, MAX_NAME_BYTES);
        if (name.isPresent() && name.get().isBlank()) {
            body.problems().invalid(NAME, "blank");
        }
        OptionalInt seconds = body.integer(EXPIRES_IN, LEAST_SECONDS, MOST_SECONDS);
        request.problems().throwIfAny();
        ScoreLinks.Minted minted =
                links.mint(
                        stream,
                        name.orElseThrow(),
                        clock.instant().plusSeconds(seconds.orElseThrow()));
        return () -> store(minted);
    }

    private ApiReply store(ScoreLinks.Minted minted) {
        switch (links.repository().create(minted.link())) {
            case STREAM_NOT_FOUND -> throw LiveStreamRoutes.noStream();
            case FULL ->
                    throw ApiException.wrongState(
                            "the stream has "
                                    + ScoreLink.MAX_PER_STREAM
                                    + " score links: delete one of them first (DELETE "
                                    + LINK
                                    + ")");
            case ADDED -> {
                // Stored with the row.
            }
        }
        ObjectNode data = shown(minted.link());
        // A browser sends the fragment to no server (RFC 3986, 3.5).
        data.put("url", page() + minted.link().stream() + "/" + minted.credential().bearerText());
        return ApiReply.ok(data);
    }

    private String page() {
        return apiUrl.toString().replaceFirst("/+$", "") + PAGE;
    }

    private ApiReply list(ApiRequest request) {
        StreamId stream = LiveStreamRoutes.streamId(request);
        PageRequest page = request.page();
        if (!streams.exists(stream)) {
            throw LiveStreamRoutes.noStream();
        }
        return ApiReply.page(links.repository().list(stream, page).map(ScoreLinkRoutes::shown));
    }

    private ApiReply delete(ApiRequest request) {
        StreamId stream = LiveStreamRoutes.streamId(request);
        if (!links.repository().delete(stream, request.id("link_id", WHAT))) {
            throw ApiException.notFound(WHAT);
        }
        return ApiReply.done();
    }

    private static ObjectNode shown(ScoreLink link) {
        ObjectNode json = Json.object();
        json.put("id", link.id());
        json.put(NAME, link.name());
        json.put("expires_at", link.expiresAt().getEpochSecond());
        json.put("created_at", link.createdAt().getEpochSecond());
        json.put("last_used_at", link.lastUsedAt().map(Instant::getEpochSecond).orElse(null));
        return json;
    }
}
