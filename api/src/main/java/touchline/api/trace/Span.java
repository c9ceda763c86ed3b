package touchline.api.trace;

import java.time.Instant;
import java.util.Optional;

/** A period of work in a trace. One thread at a time; {@link #close} ends it. */
public interface Span extends AutoCloseable {
    /** Records nothing. */
    Span NONE = new NoTracing.NoSpan();

    /** Adds an attribute. */
    Span put(String name, String value);

    /** Adds an attribute. */
    Span put(String name, long value);

    /**
     * Marks the work as failed.
     *
     * @param type a short name of the reason, such as an exception's class
     */
    void failed(String type);

    /** A part of this work, from now on. */
    Span child(String name);

    /** A part of this work, from an earlier time on. */
    Span child(String name, Instant since);

    /** The header for requests that belong to this span (W3C Trace Context, 3.2). */
    Optional<String> traceparent();

    @Override
    void close();
}
