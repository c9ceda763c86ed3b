package touchline.api.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Method;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import touchline.api.access.AccessTokens;
import touchline.api.db.StreamRepository;
import touchline.api.domain.AccessToken;
import touchline.api.domain.Scope;
import touchline.api.domain.StreamDefinition;
import touchline.api.session.LiveControl;
import touchline.api.signal.SignalFeed;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.hub.LiveStream;
import touchline.media.signal.SignalHistory;

/**
 * {@code /live/v1/live-streams/{id}/signal}: levels, loudness and faults of a watched stream, now,
 * of the last hour, or each second as server-sent events. {@code /live/v1/signals}: those of all
 * watched streams. Any thread.
 */
final class SignalRoutes {
    private static final int MAX_SECONDS = 3_600;

    private final StreamRepository streams;
    private final LiveControl live;
    private final AccessTokens tokens;
    private final InstantSource clock;
    private final WatchedSignals all;

    private SignalRoutes(ApiDependencies dependencies) {
        streams = dependencies.streams();
        live = dependencies.live();
        tokens = dependencies.tokens();
        clock = dependencies.clock();
        all = new WatchedSignals(live, dependencies.nodes()::signals);
    }

    static SignalRoutes of(ApiDependencies dependencies) {
        return new SignalRoutes(dependencies);
    }

    List<ApiRoute> routes() {
        return List.of(
                ApiRoute.of(
                        Method.GET,
                        LiveStreamRoutes.STREAM + "/signal",
                        Scope.LIVE_READ,
                        this::signal),
                ApiRoute.of(Method.GET, "/live/v1/signals", Scope.LIVE_READ, this::signals));
    }

    private ApiReply signals(ApiRequest request) {
        int seconds = request.number("seconds", 0, MAX_SECONDS, MAX_SECONDS);
        request.problems().throwIfAny();
        if (!wantsEvents(request)) {
            return ApiReply.ok(all.newest());
        }
        SignalFeed.Watcher watcher =
                live.signals().watchAll().orElseThrow(ServerSentEvents::tooMany);
        WatchedSignals.Unsent others = all.unsent();
        return streamed(
                watcher,
                request.caller(),
                Duration.ofSeconds(seconds),
                taken -> SignalView.of(taken.stream(), taken.session(), taken.sample()),
                others::next);
    }

    private ApiReply signal(ApiRequest request) {
        StreamId id = LiveStreamRoutes.streamId(request);
        StreamDefinition stream = streams.find(id).orElseThrow(LiveStreamRoutes::noStream);
        int history = request.number("history", 0, 0, MAX_SECONDS);
        int seconds = request.number("seconds", 0, MAX_SECONDS, MAX_SECONDS);
        request.problems().throwIfAny();
        if (!stream.settings().signalWatch()) {
            throw ApiException.wrongState(
                    "signal_watch of the live stream is false: set it to true first (PATCH "
                            + LiveStreamRoutes.STREAM
                            + ")");
        }
        return wantsEvents(request)
                ? stream(id, request.caller(), Duration.ofSeconds(seconds))
                : ApiReply.ok(now(id, Duration.ofSeconds(history)));
    }

    private static boolean wantsEvents(ApiRequest request) {
        return request.header("Accept")
                .filter(accept -> accept.toLowerCase(Locale.ROOT).contains(ServerSentEvents.TYPE))
                .isPresent();
    }

    private ObjectNode now(StreamId stream, Duration history) {
        Optional<SessionId> session = live.active(stream).map(LiveStream::session);
        Optional<SignalHistory> samples = session.flatMap(live.signals()::history);
        ObjectNode json =
                samples.flatMap(SignalHistory::newest)
                        .map(newest -> SignalView.of(session.orElseThrow(), newest))
                        .orElseGet(() -> SignalView.empty(session));
        if (history.isPositive()) {
            ArrayNode all = json.putArray("history");
            Instant after = clock.instant().minus(history);
            samples.ifPresent(
                    known -> known.after(after).forEach(each -> all.add(SignalView.of(each))));
        }
        return json;
    }

    private ApiReply stream(StreamId stream, AccessToken caller, Duration atMost) {
        SignalFeed.Watcher watcher =
                live.signals().watch(stream).orElseThrow(ServerSentEvents::tooMany);
        return streamed(
                watcher,
                caller,
                atMost,
                taken -> SignalView.of(taken.session(), taken.sample()),
                List::of);
    }

    private ApiReply streamed(
            SignalFeed.Watcher watcher,
            AccessToken caller,
            Duration atMost,
            Function<SignalFeed.Taken, ObjectNode> view,
            Supplier<List<ObjectNode>> others) {
        return new ApiReply.Streamed(
                ServerSentEvents.TYPE,
                out ->
                        write(
                                new ServerSentEvents(out, tokens, caller, atMost),
                                watcher,
                                view,
                                others));
    }

    private static void write(
            ServerSentEvents written,
            SignalFeed.Watcher watched,
            Function<SignalFeed.Taken, ObjectNode> view,
            Supplier<List<ObjectNode>> others)
            throws IOException {
        try (SignalFeed.Watcher watcher = watched) {
            written.comment("connected");
            while (!watcher.ended() && written.goOn()) {
                Optional<SignalFeed.Taken> next = watcher.next(ServerSentEvents.PATIENCE);
                if (next.isPresent()) {
                    written.event("signal", view.apply(next.get()).toString());
                }
                for (ObjectNode sample : others.get()) {
                    written.event("signal", sample.toString());
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
