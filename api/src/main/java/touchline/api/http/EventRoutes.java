package touchline.api.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.helidon.http.Method;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
    private static final int MAX_SECONDS = 3_600;
    private static final int MISSED = 1_000;

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
        EventFeed.Watcher watcher = feed.watch().orElseThrow(ServerSentEvents::tooMany);
        Live live = new Live(watcher, request.caller(), Duration.ofSeconds(seconds));
        return new ApiReply.Streamed(ServerSentEvents.TYPE, out -> write(out, live, last));
    }

    private boolean isId(String text) {
        return ApiRequest.ID.matcher(text).matches();
    }

    private void write(OutputStream out, Live live, Optional<Event> after) throws IOException {
        try (EventFeed.Watcher watcher = live.watcher()) {
            ServerSentEvents written =
                    new ServerSentEvents(out, tokens, live.caller(), live.atMost());
            written.comment("connected");
            Set<Long> sent = new HashSet<>();
            if (after.isPresent()) {
                for (Event missed : events.after(after.get().place(), MISSED)) {
                    write(written, missed);
                    sent.add(missed.place());
                }
            }
            while (!watcher.ended() && written.goOn()) {
                Optional<Event> next = watcher.next(ServerSentEvents.PATIENCE);
                if (next.isPresent() && !sent.contains(next.get().place())) {
                    write(written, next.get());
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static void write(ServerSentEvents out, Event event) throws IOException {
        // Its JSON is one line.
        out.event(event.id(), "event", event.body());
    }
}
