package touchline.moderation;

/**
 * The result of one model for one frame and one alert type. A model that finds nothing gives its
 * highest confidence. Immutable, any thread.
 *
 * @param modelVersion name of the model's folder
 * @param confidence 0 to 1
 * @param box the whole frame for a classifier; {@link Box#NONE} when nothing was found
 */
public record Detection(AlertType type, String modelVersion, double confidence, Box box) {
    public Detection {
        if (!(confidence >= 0 && confidence <= 1)) {
            throw new IllegalArgumentException("confidence: " + confidence + " (0..1)");
        }
    }
}
