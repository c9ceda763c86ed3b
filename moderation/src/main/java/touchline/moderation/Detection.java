package touchline.moderation;

/**
 * What one model says of one frame for one alert type. A model that finds nothing says so with its
 * highest confidence. Immutable, any thread.
 *
 * @param type what was looked for
 * @param modelVersion the model's folder
 * @param confidence 0 to 1
 * @param box where; the whole frame from a classifier, {@link Box#NONE} where nothing was found
 */
public record Detection(AlertType type, String modelVersion, double confidence, Box box) {
    public Detection {
        if (!(confidence >= 0 && confidence <= 1)) {
            throw new IllegalArgumentException("confidence: " + confidence + " (0..1)");
        }
    }
}
