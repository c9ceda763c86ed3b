package touchline.api.trace;

import java.time.Instant;
import java.util.Optional;

/** Traces that are off. Immutable. */
final class NoTracing implements Tracing {
    @Override
    public boolean isOn() {
        return false;
    }

    @Override
    public Span start(Kind kind, String name) {
        return Span.NONE;
    }

    @Override
    public Span start(Kind kind, String name, Instant since) {
        return Span.NONE;
    }

    @Override
    public Span start(Kind kind, String name, Optional<String> traceparent) {
        return Span.NONE;
    }

    @Override
    public void close() {}

    /** Of traces that are off. */
    static final class NoSpan implements Span {
        @Override
        public Span put(String name, String value) {
            return this;
        }

        @Override
        public Span put(String name, long value) {
            return this;
        }

        @Override
        public void failed(String type) {}

        @Override
        public Span child(String name) {
            return this;
        }

        @Override
        public Span child(String name, Instant since) {
            return this;
        }

        @Override
        public Optional<String> traceparent() {
            return Optional.empty();
        }

        @Override
        public void close() {}
    }
}
