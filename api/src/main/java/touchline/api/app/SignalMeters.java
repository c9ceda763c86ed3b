package touchline.api.app;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import touchline.media.signal.SignalCounters;
import touchline.media.signal.SignalCounters.Media;
import touchline.media.signal.SignalFault;

/** Metrics of the watch of signals. */
final class SignalMeters {
    private static final double NS_PER_SECOND = 1e9;

    private SignalMeters() {}

    static void bind(MeterRegistry registry, SignalCounters counters) {
        Gauge.builder("touchline.signal.watched", counters, SignalCounters::watched)
                .description("Sessions whose signal is watched")
                .register(registry);
        counter(
                registry,
                counters,
                "touchline.signal.dropped.units",
                "Units dropped because the watch fell behind",
                SignalCounters::dropped);
        counter(
                registry,
                counters,
                "touchline.signal.errors",
                "Unexpected exceptions of the watch; the log has them",
                SignalCounters::errors);
        for (SignalFault fault : SignalFault.values()) {
            FunctionCounter.builder("touchline.signal.faults", counters, all -> all.begun(fault))
                    .description("Faults of signals that have begun")
                    .tag("fault", fault.code())
                    .register(registry);
            Gauge.builder("touchline.signal.faults.active", counters, all -> all.active(fault))
                    .description("Sessions that have this fault now")
                    .tag("fault", fault.code())
                    .register(registry);
        }
        for (Media media : Media.values()) {
            String label = media.name().toLowerCase(Locale.ROOT);
            FunctionCounter.builder(
                            "touchline.signal.seconds",
                            counters,
                            all -> all.nanos(media) / NS_PER_SECOND)
                    .description("Time spent on decoding and measuring, by media")
                    .tag("media", label)
                    .register(registry);
            FunctionCounter.builder(
                            "touchline.signal.undecodable", counters, all -> all.undecodable(media))
                    .description("Units that could not be decoded, by media")
                    .tag("media", label)
                    .register(registry);
        }
    }

    private static void counter(
            MeterRegistry registry,
            SignalCounters counters,
            String name,
            String description,
            ToDoubleFunction<SignalCounters> value) {
        FunctionCounter.builder(name, counters, value).description(description).register(registry);
    }
}
