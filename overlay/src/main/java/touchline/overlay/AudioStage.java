package touchline.overlay;

import java.util.List;
import java.util.Optional;
import touchline.media.AccessUnit;
import touchline.media.Track;

/**
 * Processes the main audio inside a compositor. Called on the compositing thread, in the order of
 * the units, between frames; must not block.
 */
public interface AudioStage extends AutoCloseable {
    /** Passes audio on unchanged. */
    AudioStage PASS =
            new AudioStage() {
                @Override
                public Track begin(Track track) {
                    return track;
                }

                @Override
                public List<AccessUnit> pass(AccessUnit unit) {
                    return List.of(unit);
                }

                @Override
                public List<AccessUnit> finish() {
                    return List.of();
                }

                @Override
                public void close() {}
            };

    /**
     * Starts a timeline with audio.
     *
     * @param track of the main audio
     * @return the track of the units from {@link #pass}
     */
    Track begin(Track track);

    /**
     * Starts a timeline without main audio.
     *
     * @return the track of the units from {@link #silence}; empty for no audio at all
     */
    default Optional<Track> beginSilent() {
        return Optional.empty();
    }

    /** After {@link #beginSilent}: audio up to the time of the newest frame. */
    default List<AccessUnit> silence(long untilUs) {
        return List.of();
    }

    /** Processes one unit of main audio; the result keeps media time. */
    List<AccessUnit> pass(AccessUnit unit);

    /** Ends the timeline and returns the remaining units. */
    List<AccessUnit> finish();

    @Override
    void close();
}
