package touchline.api.trace;

import java.time.Instant;
import java.util.Optional;
import touchline.config.OtelConfig;

/**
 * Starts spans. Names and attributes never hold queries, keys, tokens or addresses of clients. Any
 * thread; no call blocks or throws.
 */
public interface Tracing extends AutoCloseable {
    /** Records nothing and allocates nothing. */
    Tracing OFF = new NoTracing();

    /** What a span stands for. */
    enum Kind {
        /** A request that this server answers. */
        REQUEST,
        /** A request that this server sends. */
        DELIVERY,
        /** Work of this server. */
        JOB
    }

    /**
     * Traces to the configured receiver; {@link #OFF} where there is none. The caller closes it.
     */
    static Tracing open(OtelConfig config) {
        return config.endpoint().isEmpty() ? OFF : OtelTracing.open(config);
    }

    /** False if every span is {@link Span#NONE}: then a caller need not look up its attributes. */
    boolean isOn();

    /** A span without a parent, from now on. */
    Span start(Kind kind, String name);

    /** A span without a parent, from an earlier time on. */
    Span start(Kind kind, String name, Instant since);

    /**
     * A span that continues the caller's trace, from now on.
     *
     * @param traceparent the request's header (W3C Trace Context, 3.2); ignored if malformed
     */
    Span start(Kind kind, String name, Optional<String> traceparent);

    /** Sends what is left, for two seconds at most. */
    @Override
    void close();
}
