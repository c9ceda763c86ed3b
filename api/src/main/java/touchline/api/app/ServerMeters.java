package touchline.api.app;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import java.time.Clock;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import touchline.api.db.AuditRunRepository;
import touchline.api.db.Database;
import touchline.api.session.LiveControl;
import touchline.api.session.RecordingCounters;
import touchline.config.ServerConfig;
import touchline.ingest.rtmp.RtmpCounters;
import touchline.ingest.rtmp.RtmpServer;
import touchline.packager.delivery.DeliveryCounters;
import touchline.packager.delivery.NettyMediaMemory;
import touchline.packager.delivery.PlaybackServer;
import touchline.packager.record.Recorder;

/** Metrics of the server's modules. Ids, keys and addresses are never labels. */
final class ServerMeters {
    private final MeterRegistry registry;

    private ServerMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    /** What is measured; borrowed. */
    record Sources(
            ServerConfig config,
            Database database,
            LiveControl live,
            RtmpServer rtmp,
            PlaybackServer viewers,
            NettyMediaMemory memory,
            RecordingCounters recordings) {}

    /** Registers all metrics. Closing the result stops the garbage collector's notifications. */
    static AutoCloseable bind(MeterRegistry registry, Sources sources) {
        HostMeters.bind(registry, sources.config().dataDir());
        EventLoopLoad.bind(registry);
        ThumbnailMeters.bind(registry, sources.viewers().thumbnailCounters());
        ServerMeters meters = new ServerMeters(registry);
        meters.gauge(
                "touchline.sessions.active",
                "Running main sessions",
                sources.live(),
                LiveControl::activeCount);
        meters.gauge(
                "touchline.media.memory.used",
                "Bytes of packaged media in memory",
                sources.memory(),
                NettyMediaMemory::usedBytes);
        meters.gauge(
                "touchline.media.memory.reserved",
                "Bytes taken from the system for packaged media",
                sources.memory(),
                NettyMediaMemory::reservedBytes);
        AuditRunRepository runs = new AuditRunRepository(sources.database());
        DatabaseReading<Long> blind =
                new DatabaseReading<>(_ -> runs.blindNow(), Clock.systemUTC());
        Gauge.builder("touchline.moderation.blind", blind, each -> each.number(Long::doubleValue))
                .description("Sessions whose frames cannot be decoded for moderation")
                .strongReference(true)
                .register(registry);
        meters.ingest(sources.rtmp().counters());
        meters.delivery(sources.viewers().counters());
        meters.recordings(sources.recordings());
        new ClassLoaderMetrics().bindTo(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        JvmGcMetrics collector = new JvmGcMetrics();
        collector.bindTo(registry);
        return collector;
    }

    private void ingest(RtmpCounters rtmp) {
        gauge(
                "touchline.rtmp.connections",
                "RTMP connections open",
                rtmp,
                RtmpCounters::connections);
        gauge("touchline.rtmp.publishers", "Admitted encoders", rtmp, RtmpCounters::publishers);
        counter(
                "touchline.rtmp.accepted",
                "RTMP connections accepted",
                rtmp,
                RtmpCounters::accepted);
        counter(
                "touchline.rtmp.received.bytes",
                "Bytes received from encoders",
                rtmp,
                RtmpCounters::bytesIn);
        counter(
                "touchline.rtmp.received.messages",
                "Messages received from encoders",
                rtmp,
                RtmpCounters::messagesIn);
        counter(
                "touchline.rtmp.dropped.units",
                "Media before its configuration",
                rtmp,
                RtmpCounters::droppedUnits);
        gauge(
                "touchline.rtmp.relays",
                "Encoders relayed to other nodes",
                rtmp,
                RtmpCounters::relays);
        counter(
                "touchline.rtmp.relayed.bytes",
                "Bytes of media relayed to other nodes",
                rtmp,
                RtmpCounters::relayedBytes);
        counter(
                "touchline.rtmp.relays.lost",
                "Relays whose owner was lost",
                rtmp,
                RtmpCounters::relaysLost);
        for (RtmpCounters.Refusal reason : RtmpCounters.Refusal.values()) {
            FunctionCounter.builder("touchline.rtmp.refused", rtmp, each -> each.refused(reason))
                    .description("Rejected connections and publishers")
                    .tag("reason", label(reason))
                    .register(registry);
        }
    }

    private void recordings(RecordingCounters recordings) {
        for (Recorder.Failure reason : Recorder.Failure.values()) {
            FunctionCounter.builder(
                            "touchline.recording.stops", recordings, each -> each.stops(reason))
                    .description("Interruptions of storing a session's media")
                    .tag("reason", label(reason))
                    .register(registry);
        }
    }

    private void delivery(DeliveryCounters delivery) {
        gauge(
                "touchline.playback.connections",
                "Viewers' connections open",
                delivery,
                DeliveryCounters::openConnections);
        gauge(
                "touchline.playback.blocked",
                "Requests waiting for media",
                delivery,
                DeliveryCounters::blockedNow);
        counter(
                "touchline.playback.sent.bytes",
                "Bytes of bodies sent to viewers",
                delivery,
                DeliveryCounters::bytesOut);
        counter(
                "touchline.playback.refused",
                "Connections closed at accept",
                delivery,
                DeliveryCounters::refusedConnections);
        counter(
                "touchline.playback.slow.viewers",
                "Viewers cut for not reading",
                delivery,
                DeliveryCounters::slowViewersCut);
        counter(
                "touchline.playback.timeouts",
                "Connections closed without a request",
                delivery,
                DeliveryCounters::timeouts);
        counter(
                "touchline.playback.handshakes.failed",
                "TLS handshakes of viewers that failed",
                delivery,
                DeliveryCounters::failedHandshakes);
        requests(delivery);
    }

    private void requests(DeliveryCounters delivery) {
        for (DeliveryCounters.Protocol protocol : DeliveryCounters.Protocol.values()) {
            FunctionCounter.builder(
                            "touchline.playback.protocol",
                            delivery,
                            each -> each.requests(protocol))
                    .description("Requests of viewers by protocol")
                    .tag("protocol", label(protocol))
                    .register(registry);
        }
        for (DeliveryCounters.Kind kind : DeliveryCounters.Kind.values()) {
            FunctionCounter.builder(
                            "touchline.playback.requests", delivery, each -> each.requests(kind))
                    .description("Requests of viewers")
                    .tag("kind", label(kind))
                    .register(registry);
        }
        renditionRequests(delivery, DeliveryCounters.SOURCE);
        delivery.onRendition(label -> renditionRequests(delivery, label));
        for (int status = 2; status <= 5; status++) {
            int statusClass = status;
            FunctionCounter.builder(
                            "touchline.playback.answers",
                            delivery,
                            each -> each.answers(statusClass))
                    .description("Answers to viewers")
                    .tag("status", statusClass + "xx")
                    .register(registry);
        }
    }

    /** Renditions are named by their heights, so there are few labels. */
    private void renditionRequests(DeliveryCounters delivery, String label) {
        FunctionCounter.builder(
                        "touchline.playback.rendition.requests",
                        delivery,
                        each -> each.mediaRequests(label))
                .description("Requests for live segments and parts by rendition")
                .tag("rendition", label)
                .register(registry);
    }

    private <T> void gauge(String name, String description, T of, ToDoubleFunction<T> value) {
        Gauge.builder(name, of, value).description(description).register(registry);
    }

    private <T> void counter(String name, String description, T of, ToDoubleFunction<T> value) {
        FunctionCounter.builder(name, of, value).description(description).register(registry);
    }

    private static String label(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
