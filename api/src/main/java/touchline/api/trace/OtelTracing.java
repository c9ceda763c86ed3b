package touchline.api.trace;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanLimits;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import touchline.config.OtelConfig;

/**
 * Traces by OpenTelemetry. Ended spans wait in a queue of a fixed size, which drops what does not
 * fit; one thread of the library sends them (OTLP 1.x over HTTP, protobuf). The receiver is the
 * operator's choice, so the rules for addresses of clients do not apply to it. Any thread.
 */
final class OtelTracing implements Tracing {
    private static final org.slf4j.Logger log = LoggerFactory.getLogger(OtelTracing.class);

    private static final String PATH = "/v1/traces";
    private static final String HEADER = "traceparent";
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(2);
    private static final Duration EXPORT_LIMIT = Duration.ofSeconds(5);
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final long CLOSE_LIMIT_S = 2;
    private static final int MAX_QUEUED = 2_048;
    private static final int MAX_VALUE_CHARS = 512;

    /** Held, since a logger that nothing refers to loses its level. */
    private static final Logger LIBRARY = Logger.getLogger("io.opentelemetry");

    private final SdkTracerProvider provider;
    private final Tracer tracer;

    /** The one header of a request. */
    private static final TextMapGetter<String> ONE_HEADER =
            new TextMapGetter<>() {
                @Override
                public Iterable<String> keys(String traceparent) {
                    return List.of(HEADER);
                }

                @Override
                public @Nullable String get(@Nullable String traceparent, String name) {
                    return name.equals(HEADER) ? traceparent : null;
                }
            };

    private OtelTracing(SdkTracerProvider provider) {
        this.provider = provider;
        this.tracer = provider.get("touchline");
    }

    static OtelTracing open(OtelConfig config) {
        // TraceExport reports failures, once a minute.
        LIBRARY.setLevel(Level.OFF);
        URI endpoint = config.endpoint().orElseThrow();
        OtlpHttpSpanExporterBuilder exporter =
                OtlpHttpSpanExporter.builder()
                        .setEndpoint(endpoint + PATH)
                        .setCompression("gzip")
                        .setConnectTimeout(CONNECT_LIMIT)
                        .setTimeout(EXPORT_LIMIT)
                        .setRetryPolicy(null)
                        .setMeterProvider(MeterProvider.noop());
        config.headers().forEach(exporter::addHeader);
        SdkTracerProvider provider =
                SdkTracerProvider.builder()
                        .setResource(resource(config))
                        .setSampler(
                                Sampler.parentBased(
                                        Sampler.traceIdRatioBased(config.samplingRatio())))
                        .setSpanLimits(
                                SpanLimits.builder()
                                        .setMaxAttributeValueLength(MAX_VALUE_CHARS)
                                        .build())
                        .addSpanProcessor(
                                BatchSpanProcessor.builder(
                                                new TraceExport(
                                                        exporter.build(),
                                                        endpoint.getAuthority(),
                                                        System::nanoTime))
                                        .setMaxQueueSize(MAX_QUEUED)
                                        .setScheduleDelay(INTERVAL)
                                        .setExporterTimeout(EXPORT_LIMIT)
                                        .build())
                        .build();
        log.info("traces go to {}", endpoint);
        return new OtelTracing(provider);
    }

    private static Resource resource(OtelConfig config) {
        AttributesBuilder attributes =
                Attributes.builder()
                        .put("service.name", config.serviceName())
                        .put("service.instance.id", UUID.randomUUID().toString());
        String version = OtelTracing.class.getPackage().getImplementationVersion();
        if (version != null) {
            attributes.put("service.version", version);
        }
        config.resourceAttributes().forEach(attributes::put);
        return Resource.getDefault().merge(Resource.create(attributes.build()));
    }

    @Override
    public boolean isOn() {
        return true;
    }

    @Override
    public Span start(Kind kind, String name) {
        return started(builder(kind, name, Context.root()));
    }

    @Override
    public Span start(Kind kind, String name, Instant since) {
        return started(builder(kind, name, Context.root()).setStartTimestamp(since));
    }

    @Override
    public Span start(Kind kind, String name, Optional<String> traceparent) {
        Context parent =
                traceparent
                        .map(
                                header ->
                                        W3CTraceContextPropagator.getInstance()
                                                .extract(Context.root(), header, ONE_HEADER))
                        .orElseGet(Context::root);
        return started(builder(kind, name, parent));
    }

    private SpanBuilder builder(Kind kind, String name, Context parent) {
        SpanKind as =
                switch (kind) {
                    case REQUEST -> SpanKind.SERVER;
                    case DELIVERY -> SpanKind.CLIENT;
                    case JOB -> SpanKind.INTERNAL;
                };
        return tracer.spanBuilder(name).setSpanKind(as).setParent(parent);
    }

    private Span started(SpanBuilder builder) {
        return new OtelSpan(tracer, builder.startSpan());
    }

    @Override
    public void close() {
        if (!provider.shutdown().join(CLOSE_LIMIT_S, TimeUnit.SECONDS).isSuccess()) {
            log.warn("the last traces were not sent");
        }
    }
}
