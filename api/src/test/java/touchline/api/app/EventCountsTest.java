package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import touchline.api.domain.Event;
import touchline.api.domain.EventType;

final class EventCountsTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final EventCounts counts = new EventCounts(registry);

    private void committed(EventType type, String body) {
        counts.committed(
                new Event(1, Event.newId(), type, Optional.empty(), 1, Instant.EPOCH, body),
                List.of());
    }

    private double events(EventType type) {
        return registry.get("touchline.events").tag("type", type.wireName()).counter().count();
    }

    private double warnings(String code) {
        return registry.get("touchline.stream.warnings").tag("code", code).counter().count();
    }

    @Test
    void types_areThereFromTheStart() {
        for (EventType type : EventType.values()) {
            assertEquals(0, events(type));
        }
        EventCounts.CODES.forEach(code -> assertEquals(0, warnings(code)));
    }

    @Test
    void warnings_areCountedByCode() {
        committed(
                EventType.LIVE_STREAM_WARNING,
                "{\"data\": {\"warning\": {\"code\": \"b_frames\"}}}");
        committed(
                EventType.LIVE_STREAM_WARNING,
                "{\"data\": {\"warning\": {\"code\": \"new_one\"}}}");
        committed(EventType.ASSET_ERRORED, "{}");

        assertEquals(2, events(EventType.LIVE_STREAM_WARNING));
        assertEquals(1, events(EventType.ASSET_ERRORED));
        assertEquals(1, warnings("b_frames"));
        assertEquals(1, warnings("new_one"));
        assertEquals(0, warnings("no_video"));
    }
}
