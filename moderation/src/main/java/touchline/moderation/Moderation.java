package touchline.moderation;

import java.util.List;
import java.util.function.Supplier;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.hub.Feed;

/** The moderation service: the models, the inference thread, a task per session. Any thread. */
public interface Moderation extends AutoCloseable {
    /**
     * Whether a model for the type is ready or is being loaded. Replies to audit settings depend on
     * it.
     */
    boolean serves(AlertType type);

    /** All model folders with their states, sorted by name. */
    List<ModelStatus> models();

    /**
     * One line for the health report: {@code up}, {@code loading}, {@code unavailable} (no model),
     * or {@code degraded: } with each broken model, stuck inference or failed thread and its
     * reason.
     */
    String state();

    /**
     * The device that models run on: {@code cpu} or {@code cuda:0}; {@code unknown} until the
     * engine is loaded.
     */
    String device();

    /** Value of {@code moderation.reject-cutoff}. */
    double rejectCutoff();

    /** Counters of all sessions since the start. */
    ModerationCounters counters();

    /**
     * Opens the task of a session, idle at first. The caller closes it.
     *
     * @param program called each time that reading starts: a compositor may start and end
     * @param sink receives the reports
     */
    ModerationTask open(
            StreamId stream, SessionId session, Supplier<Feed> program, ModerationSink sink);

    /** Ends all tasks, waits for the inference thread, closes the models. */
    @Override
    void close();
}
