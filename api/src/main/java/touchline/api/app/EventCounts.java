package touchline.api.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import touchline.api.db.Outbox;
import touchline.api.domain.Event;
import touchline.api.domain.EventType;
import touchline.media.hub.IngestReport;
import touchline.media.signal.SignalFault;

/**
 * Counts committed events by type, and warnings by code. Counters of known types and codes exist
 * from the start, so that a rate sees the first event. Any thread.
 */
final class EventCounts implements Outbox.Listener {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Codes of {@code live_stream.warning}; others get their counter with their first event. */
    static final List<String> CODES =
            List.of(
                    IngestReport.KEY_FRAME_INTERVAL,
                    IngestReport.B_FRAMES,
                    IngestReport.VARIABLE_FRAME_RATE,
                    IngestReport.TIMESTAMP_JUMPS,
                    IngestReport.TIMESTAMPS_STAND_STILL,
                    IngestReport.CLOCK_DRIFT,
                    IngestReport.NO_VIDEO,
                    IngestReport.AV_DRIFT,
                    IngestReport.BITRATE_SWINGS,
                    IngestReport.UNSUPPORTED_PROFILE,
                    IngestReport.FRAME_SIZE,
                    IngestReport.DECODER_MEMORY,
                    IngestReport.AUDIO_CODEC,
                    IngestReport.BACKUP_DIFFERS,
                    IngestReport.BACKUP_DRIFT,
                    "moderation_unavailable",
                    "moderation_blind",
                    "overlay_overload",
                    SignalFault.AUDIO_SILENT.code(),
                    SignalFault.AUDIO_ONE_SIDED.code(),
                    SignalFault.AUDIO_CLIPPING.code(),
                    SignalFault.VIDEO_BLACK.code(),
                    SignalFault.VIDEO_FROZEN.code());

    private final MeterRegistry registry;
    private final Map<EventType, Counter> types = new ConcurrentHashMap<>();
    private final Map<String, Counter> codes = new ConcurrentHashMap<>();

    EventCounts(MeterRegistry registry) {
        this.registry = registry;
        for (EventType type : EventType.values()) {
            Counter _ = ofType(type);
        }
        CODES.forEach(this::ofCode);
    }

    @Override
    public void committed(Event event, List<String> endpoints) {
        ofType(event.type()).increment();
        if (event.type() == EventType.LIVE_STREAM_WARNING) {
            ofCode(code(event)).increment();
        }
    }

    private Counter ofType(EventType type) {
        return types.computeIfAbsent(
                type,
                _ ->
                        Counter.builder("touchline.events")
                                .description("Events by type")
                                .tag("type", type.wireName())
                                .register(registry));
    }

    private Counter ofCode(String code) {
        return codes.computeIfAbsent(
                code,
                _ ->
                        Counter.builder("touchline.stream.warnings")
                                .description("Warnings of live streams by code")
                                .tag("code", code)
                                .register(registry));
    }

    private static String code(Event event) {
        try {
            return JSON.readTree(event.body()).at("/data/warning/code").asText("other");
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the body of an event is not JSON", e);
        }
    }
}
