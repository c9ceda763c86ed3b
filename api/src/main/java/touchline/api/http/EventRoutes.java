package touchline.api.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.helidon.http.Method;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import touchline.api.access.AccessTokens;
import touchline.api.db.EventRepository;
import touchline.api.db.EventRepository.Choice;
import touchline.api.domain.AccessToken;
import touchline.api.domain.Event;
import touchline.api.domain.EventType;
import touchline.api.domain.PageRequest;
import touchline.api.domain.Scope;
import touchline.api.events.EventFeed;
import touchline.media.StreamId;

/**
 * {@code /system/v1/events}: past events with the body that endpoints receive, and a live stream of
 * events. Any thread.
 */
final class EventRoutes {
    private static final String EVENTS = "/system/v1/events";
    private static final String SSE = "text/event-stream";
    private static final int MAX_SECONDS = 3_600;
    private static final int MISSED = 1_000;
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final EventRepository events;
    private final EventFeed feed;
    private final AccessTokens tokens;

    /**
     * @param tokens says whether the token of a stream is still valid
     */
    EventRoutes(EventRepository events, EventFeed feed, AccessTokens tokens) {
        this.events = events;
        this.feed = feed;
        this.tokens = tokens;
    }

    List<ApiRoute> routes() {
        return List.of(
                ApiRoute.of(Method.GET, EVENTS, Scope.SYSTEM, this::list),
                ApiRoute.of(Method.GET, EVENTS + "/stream", Scope.SYSTEM, this::stream));
    }

    /** What one stream writes, for which token, for how long. */
    private record Live(EventFeed.Watcher watcher, AccessToken caller, Duration atMost) {}

    private ApiReply list(ApiRequest request) {
        Optional<String> type = request.query("type");
        if (type.isPresent() && EventType.of(type.get()).isEmpty()) {
            request.problems().invalid("type", "unknown value (expected: the name of an event)");
        }
        Optional<String> stream = request.query("live_stream_id");
        if (stream.isPresent() && !ApiRequest.ID.matcher(stream.get()).matches()) {
            request.problems().invalid("live_stream_id", "no id of a live stream");
        }
        PageRequest page = request.page();
        Choice choice = new Choice(type.flatMap(EventType::of), stream.map(StreamId::new));
        return ApiReply.page(events.list(choice, page).map(EventRoutes::shown));
    }

    /** Exactly the body that endpoints receive. */
    private static JsonNode shown(Event event) {
        return Json.parse(event.body().getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Server-sent events. {@code after}: later events than this one are sent first; {@code
     * seconds}: maximum duration.
     */
    private ApiReply stream(ApiRequest request) {
        int seconds = request.number("seconds", 0, MAX_SECONDS, MAX_SECONDS);
        Optional<String> after = request.query("after");
        Optional<Event> last = after.filter(this::isId).flatMap(events::find);
        if (after.isPresent() && last.isEmpty()) {
            request.problems().invalid("after", "no id of an event that is kept");
        }
        request.problems().throwIfAny();
        EventFeed.Watcher watcher =
                feed.watch()
                        .orElseThrow(
                                () ->
                                        ApiException.retryLater(
                                                ErrorCode.OVERLOADED,
                                                "too many watch already",
                                                Duration.ofSeconds(10)));
        Live live = new Live(watcher, request.caller(), Duration.ofSeconds(seconds));
        return new ApiReply.Streamed(SSE, out -> write(out, live, last));
    }

    private boolean isId(String text) {
        return ApiRequest.ID.matcher(text).matches();
    }

    private void write(OutputStream out, Live live, Optional<Event> after) throws IOException {
        try (EventFeed.Watcher watcher = live.watcher()) {
            long endNs = System.nanoTime() + live.atMost().toNanos();
            long sentNs = System.nanoTime();
            long checkedNs = sentNs;
            comment(out, "connected");
            long place = 0;
            if (after.isPresent()) {
                for (Event missed : events.after(after.get().place(), MISSED)) {
                    write(out, missed);
                    place = missed.place();
                }
            }
            while (!watcher.ended() && System.nanoTime() - endNs < 0) {
                Optional<Event> next = watcher.next(PATIENCE);
                if (System.nanoTime() - checkedNs >= PATIENCE.toNanos()) {
                    if (!tokens.isValid(live.caller())) {
                        comment(out, "the token is revoked or expired");
                        return;
                    }
                    checkedNs = System.nanoTime();
                }
                if (next.isPresent() && next.get().place() > place) {
                    write(out, next.get());
                    sentNs = System.nanoTime();
                } else if (System.nanoTime() - sentNs >= HEARTBEAT.toNanos()) {
                    comment(out, "still here");
                    sentNs = System.nanoTime();
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static void comment(OutputStream out, String text) throws IOException {
        send(out, ": " + text + "\n\n");
    }

    private static void write(OutputStream out, Event event) throws IOException {
        // Its JSON is one line.
        send(out, "id: " + event.id() + "\nevent: event\ndata: " + event.body() + "\n\n");
    }

    private static void send(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
