package touchline.overlay;

/** Told of a compositor's troubles, on threads of its own; must return at once. */
public interface CompositorListener {
    /** Ignores all. */
    CompositorListener NONE = new CompositorListener() {};

    /** From now on viewers see what the compositor makes; once. */
    default void tookOver() {}

    /**
     * The machine does not keep up: once when quality has given way as far as it can and frames are
     * left out, and again only after {@link #relieved}.
     *
     * @param message for the operator
     */
    default void overloaded(String message) {}

    /** No frame has been left out for a while. */
    default void relieved() {}

    /** The compositor has stopped by itself; the source is passed on again. */
    default void failed(RuntimeException cause) {}

    /** The compositor has ended, whatever the reason: the last call. */
    default void ended() {}
}
