package touchline.overlay;

import touchline.media.codec.DecodingRefusedException;

/** Receives events of a compositor on its threads; must not block. */
public interface CompositorListener {
    /** Ignores all events. */
    CompositorListener NONE = new CompositorListener() {};

    /** The compositor has taken the program over; called once. */
    default void tookOver() {}

    /**
     * Frames are dropped at the lowest quality: called once, and again only after {@link
     * #relieved}.
     *
     * @param message for the operator
     */
    default void overloaded(String message) {}

    /** The server refuses to decode the source's video. */
    default void refused(DecodingRefusedException cause) {}

    /** The overload has ended. */
    default void relieved() {}

    /** The compositor has failed; the program is the source again. */
    default void failed(RuntimeException cause) {}

    /** The compositor has ended for any reason; the last call. */
    default void ended() {}
}
