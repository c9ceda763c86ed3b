package touchline.api.domain;

import java.util.Optional;

/**
 * {@code overlay_settings}: the place of a scoreboard in the frame. The API returns the texts as
 * the client wrote them. They are parsed when the overlay is placed. An absent field has its
 * default. Immutable.
 *
 * @param width percent of the frame's width, {@code 25%}
 * @param height percent of the frame's height
 * @param verticalAlign top, middle, center or bottom
 * @param horizontalAlign left, center or right
 * @param opacity percent
 * @param verticalMargin percent of the frame's height
 * @param horizontalMargin percent of the frame's width
 */
public record OverlaySettings(
        Optional<String> width,
        Optional<String> height,
        Optional<String> verticalAlign,
        Optional<String> horizontalAlign,
        Optional<String> opacity,
        Optional<String> verticalMargin,
        Optional<String> horizontalMargin) {
    /** Defaults throughout. */
    public static final OverlaySettings DEFAULTS =
            new OverlaySettings(
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
}
