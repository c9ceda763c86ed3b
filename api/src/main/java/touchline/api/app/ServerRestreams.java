package touchline.api.app;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.function.ToDoubleFunction;
import touchline.api.access.SealedSecrets;
import touchline.api.access.SecretBox;
import touchline.api.db.Database;
import touchline.api.db.RestreamRepository;
import touchline.api.db.StreamRepository;
import touchline.api.domain.RestreamStatus;
import touchline.api.egress.Egress;
import touchline.api.restream.RestreamCounters;
import touchline.api.restream.Restreams;

/** The restreams of a server, and their metrics. */
final class ServerRestreams {
    private ServerRestreams() {}

    /** All borrowed; the caller closes the result when all sessions have ended. */
    static Restreams open(
            Database database,
            StreamRepository streams,
            SecretBox box,
            Egress egress,
            InstantSource clock) {
        RestreamRepository repository =
                new RestreamRepository(database, SealedSecrets.ofRestreams(box));
        repository.resealStale();
        return new Restreams(database, streams, repository, egress, clock);
    }

    static void bind(MeterRegistry registry, Restreams restreams) {
        for (RestreamStatus.State state : RestreamStatus.State.values()) {
            Gauge.builder(
                            "touchline.restreams",
                            restreams,
                            all -> all.states().getOrDefault(state, 0))
                    .description("Enabled restreams of running sessions, by state")
                    .tag("state", state.wireName())
                    .register(registry);
        }
        counter(
                registry,
                restreams,
                "touchline.restreams.sent.bytes",
                "Bytes of media that targets of restreams have taken",
                RestreamCounters::sentBytes);
        counter(
                registry,
                restreams,
                "touchline.restreams.dropped.frames",
                "Frames and audio not sent because a target of a restream was too slow",
                RestreamCounters::droppedFrames);
        counter(
                registry,
                restreams,
                "touchline.restreams.reconnects",
                "Connections to targets of restreams after the first of a session",
                RestreamCounters::reconnects);
        counter(
                registry,
                restreams,
                "touchline.restreams.failures",
                "Connections to targets of restreams that failed, or were not made",
                RestreamCounters::failures);
    }

    private static void counter(
            MeterRegistry registry,
            Restreams restreams,
            String name,
            String description,
            ToDoubleFunction<RestreamCounters> value) {
        FunctionCounter.builder(name, restreams.counters(), value)
                .description(description)
                .register(registry);
    }
}
