package touchline.api.app;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import touchline.api.session.TrackCounters;
import touchline.media.rendition.RenditionCounters;
import touchline.media.rendition.RenditionCounters.ByHeight;
import touchline.media.rendition.RenditionCounters.Stage;

/** Metrics of live renditions. */
final class RenditionMeters {
    private static final double NS_PER_SECOND = 1e9;

    /** Those of {@code auto}: their series are there from the start. */
    private static final List<Integer> AUTO_HEIGHTS = List.of(480, 360);

    private RenditionMeters() {}

    static void bind(MeterRegistry registry, RenditionCounters counters) {
        counters.onHeight(each -> bind(registry, each));
        AUTO_HEIGHTS.forEach(counters::of);
        FunctionCounter.builder(
                        "touchline.renditions.broken", counters, RenditionCounters::brokenUnits)
                .description("Coded frames that could not be decoded for renditions")
                .register(registry);
        for (Stage stage : Stage.values()) {
            FunctionCounter.builder(
                            "touchline.renditions.seconds",
                            counters,
                            each -> each.nanos(stage) / NS_PER_SECOND)
                    .description("Time spent on frames of renditions by stage")
                    .tag("stage", stage.name().toLowerCase(Locale.ROOT))
                    .register(registry);
        }
    }

    static void bind(MeterRegistry registry, TrackCounters tracks) {
        String running = "Further tracks of encoders that viewers have as renditions, by kind";
        Gauge.builder("touchline.multitrack.running", tracks, TrackCounters::video)
                .description(running)
                .tag("kind", "video")
                .register(registry);
        Gauge.builder("touchline.multitrack.running", tracks, TrackCounters::audio)
                .description(running)
                .tag("kind", "audio")
                .register(registry);
        FunctionCounter.builder("touchline.multitrack.dropped", tracks, TrackCounters::dropped)
                .description("Further tracks of encoders dropped, since media was missing or late")
                .register(registry);
    }

    private static void bind(MeterRegistry registry, ByHeight height) {
        Gauge.builder("touchline.renditions.running", height, ByHeight::running)
                .description("Live renditions that are encoded, by height")
                .tag("height", Integer.toString(height.height()))
                .register(registry);
        counter(
                registry,
                height,
                "touchline.renditions.dropped",
                "Live renditions dropped because of load, by height",
                ByHeight::dropped);
        counter(
                registry,
                height,
                "touchline.renditions.frames",
                "Frames of live renditions encoded, by height",
                ByHeight::frames);
        counter(
                registry,
                height,
                "touchline.renditions.queue.drops",
                "Frames that found the queue of an encoder full, by height",
                ByHeight::queueDrops);
    }

    private static void counter(
            MeterRegistry registry,
            ByHeight height,
            String name,
            String description,
            ToDoubleFunction<ByHeight> value) {
        FunctionCounter.builder(name, height, value)
                .description(description)
                .tag("height", Integer.toString(height.height()))
                .register(registry);
    }
}
