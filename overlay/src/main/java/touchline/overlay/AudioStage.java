package touchline.overlay;

import java.util.List;
import java.util.Optional;
import touchline.media.AccessUnit;
import touchline.media.Track;

/**
 * What becomes of the main audio on its way through a compositor. Called on the compositing thread
 * in the order of the units, between the frames; must not wait.
 */
public interface AudioStage extends AutoCloseable {
    /** Audio passes untouched. */
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
     * A timeline with audio begins.
     *
     * @param track of the main audio
     * @return the track that the units of {@link #pass} will have
     */
    Track begin(Track track);

    /**
     * A timeline without main audio begins.
     *
     * @return the track that the units of {@link #silence} will have; empty where nothing is to be
     *     heard
     */
    default Optional<Track> beginSilent() {
        return Optional.empty();
    }

    /** After {@link #beginSilent}: what is heard up to the time of the newest frame. */
    default List<AccessUnit> silence(long untilUs) {
        return List.of();
    }

    /** One unit of main audio; what comes out keeps media time. */
    List<AccessUnit> pass(AccessUnit unit);

    /** The timeline ends; what is still inside. */
    List<AccessUnit> finish();

    @Override
    void close();
}
