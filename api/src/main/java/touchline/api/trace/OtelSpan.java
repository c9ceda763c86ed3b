package touchline.api.trace;

import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.time.Instant;
import java.util.Optional;

/** A span of OpenTelemetry. The library's context of the thread is neither read nor changed. */
final class OtelSpan implements Span {
    /** Attribute of a failed span (OpenTelemetry semantic conventions, error.type). */
    private static final String ERROR_TYPE = "error.type";

    private final Tracer tracer;
    private final io.opentelemetry.api.trace.Span span;

    OtelSpan(Tracer tracer, io.opentelemetry.api.trace.Span span) {
        this.tracer = tracer;
        this.span = span;
    }

    @Override
    public Span put(String name, String value) {
        span.setAttribute(name, value);
        return this;
    }

    @Override
    public Span put(String name, long value) {
        span.setAttribute(name, value);
        return this;
    }

    @Override
    public void failed(String type) {
        span.setAttribute(ERROR_TYPE, type);
        span.setStatus(StatusCode.ERROR);
    }

    @Override
    public Span child(String name) {
        return child(name, Instant.now());
    }

    @Override
    public Span child(String name, Instant since) {
        return new OtelSpan(
                tracer,
                tracer.spanBuilder(name)
                        .setParent(Context.root().with(span))
                        .setStartTimestamp(since)
                        .startSpan());
    }

    @Override
    public Optional<String> traceparent() {
        SpanContext context = span.getSpanContext();
        return Optional.of(
                "00-"
                        + context.getTraceId()
                        + "-"
                        + context.getSpanId()
                        + "-"
                        + context.getTraceFlags().asHex());
    }

    @Override
    public void close() {
        span.end();
    }
}
