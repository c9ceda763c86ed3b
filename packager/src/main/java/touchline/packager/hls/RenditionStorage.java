package touchline.packager.hls;

import java.util.Optional;

/**
 * Port: stores the segments of renditions, so that memory holds only the newest of each. What is
 * not stored stays in memory, limited like that of a source.
 */
@FunctionalInterface
public interface RenditionStorage {
    /** Everything stays in memory. */
    RenditionStorage NONE = (_, _) -> Optional.empty();

    /**
     * Called by the rendition's thread before its first part.
     *
     * @param name of the rendition
     * @param window call {@link LiveWindow#stored} for each stored segment
     */
    Optional<Stored> open(String name, LiveWindow window);

    /**
     * @param sink receives every part of the rendition, on its thread
     * @param close called once, after the window is closed; may block
     */
    record Stored(PartSink sink, Runnable close) {}
}
