package touchline.moderation;

import java.util.List;
import java.util.function.Supplier;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.hub.Feed;

/**
 * The moderation room: models, the inference thread, and the sessions that use them. Any thread.
 */
public interface Moderation extends AutoCloseable {
    /**
     * A model for the type is ready, or is being loaded. What a client that asks for the type is
     * told.
     */
    boolean serves(AlertType type);

    /** Every model folder with what it does now, by name. */
    List<ModelStatus> models();

    /**
     * One line for the health report: {@code up}, {@code loading}, {@code unavailable} (no model),
     * or {@code degraded: } with the names and reasons of what does not work.
     */
    String state();

    /**
     * What models run on, as {@code cpu} or {@code cuda:0}; {@code unknown} while it is found out.
     */
    String device();

    /** {@code moderation.reject-cutoff}, for policies. */
    double rejectCutoff();

    /** Of all sessions since the start. */
    ModerationCounters counters();

    /**
     * The task of a session, idle at first; the caller closes it.
     *
     * @param program asked each time that reading starts: a compositor may come and go
     * @param sink where reports go
     */
    ModerationTask open(
            StreamId stream, SessionId session, Supplier<Feed> program, ModerationSink sink);

    /** Ends all tasks, waits for the inference thread and frees the models. */
    @Override
    void close();
}
