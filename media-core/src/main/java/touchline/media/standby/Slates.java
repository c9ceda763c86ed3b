package touchline.media.standby;

import touchline.media.hub.StandbySettings;

/** Port: paints slates. Called by the threads that encode; may block. */
@FunctionalInterface
public interface Slates {
    /**
     * The image of the settings, or the bundled one with the title if there is none, with bars to
     * exactly this size.
     *
     * @param width even
     * @param height even
     * @throws RuntimeException the slate cannot be painted
     */
    RgbImage slate(StandbySettings settings, int width, int height);
}
