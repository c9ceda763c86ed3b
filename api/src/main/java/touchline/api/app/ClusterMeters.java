package touchline.api.app;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import touchline.api.db.NodeIdentity.Heartbeats;
import touchline.api.domain.ClockDifference;

/** Metrics of a node of a cluster. */
final class ClusterMeters {
    private final MeterRegistry registry;
    private final Heartbeats heartbeats;

    private ClusterMeters(MeterRegistry registry, Heartbeats heartbeats) {
        this.registry = registry;
        this.heartbeats = heartbeats;
    }

    /**
     * Registers them.
     *
     * @param streams that belong to this node
     * @param active streams of all nodes that are known here without the database
     */
    static void bind(
            MeterRegistry registry,
            Heartbeats heartbeats,
            Supplier<Number> streams,
            Supplier<Number> active) {
        ClusterMeters meters = new ClusterMeters(registry, heartbeats);
        meters.time(
                "touchline.cluster.heartbeat.lateness",
                "How late the newest heartbeat of this node began",
                it -> it.lateness().toNanos());
        meters.time(
                "touchline.cluster.heartbeat.age",
                "Time since the newest heartbeat that the database confirmed",
                it -> it.age().toNanos());
        Gauge.builder("touchline.cluster.streams", streams)
                .description("Streams that belong to this node")
                .register(registry);
        Gauge.builder("touchline.cluster.active.streams", active)
                .description("Active streams of all nodes, as far as they are in memory")
                .register(registry);
    }

    /**
     * Registers those of calls between nodes.
     *
     * @param calls what counts them; kept by its owner
     */
    static <T> void bindCalls(
            MeterRegistry registry,
            T calls,
            ToDoubleFunction<T> forwarded,
            ToDoubleFunction<T> unconfirmed) {
        FunctionCounter.builder("touchline.cluster.forwarded", calls, forwarded)
                .description("Requests of clients that the owner of their stream has answered")
                .register(registry);
        FunctionCounter.builder("touchline.cluster.unconfirmed", calls, unconfirmed)
                .description("Changes that another node did not confirm within a second")
                .register(registry);
    }

    /**
     * Registers that of the clock of this host.
     *
     * @param measured with the newest heartbeat
     */
    static <T> void bindClock(
            MeterRegistry registry, T node, Function<T, Optional<ClockDifference>> measured) {
        TimeGauge.builder(
                        "touchline.cluster.clock.ahead",
                        node,
                        TimeUnit.NANOSECONDS,
                        it ->
                                measured.apply(it)
                                        .map(clock -> (double) clock.ahead().toNanos())
                                        .orElse(Double.NaN))
                .description(
                        "How far the clock of this host is ahead of the database; negative where it"
                                + " is behind")
                .register(registry);
    }

    private void time(String name, String description, ToDoubleFunction<Heartbeats> value) {
        TimeGauge.builder(name, heartbeats, TimeUnit.NANOSECONDS, value)
                .description(description)
                .register(registry);
    }
}
