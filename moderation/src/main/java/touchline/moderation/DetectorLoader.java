package touchline.moderation;

/** Port: turns model folders into detectors on one device. Any thread. */
public interface DetectorLoader {
    /** What models run on: {@code cpu}, {@code cuda:0}; may take long the first time. */
    String device();

    /** How many frames a batch should have at most, 1 or more. */
    int batchSize();

    /**
     * Loads a model; may take seconds. The caller closes it.
     *
     * @throws DetectorException it cannot be loaded
     */
    Detector load(ModelFolder folder);
}
