package touchline.moderation;

/** Port: turns model folders into detectors on one device. Any thread. */
public interface DetectorLoader {
    /**
     * The device that models run on: {@code cpu}, {@code cuda:0}. The first call loads the engine
     * and may take seconds.
     *
     * @throws DetectorException the engine cannot be loaded, or lacks the configured device
     */
    String device();

    /** Frames in a batch at most, 1 or more. */
    int batchSize();

    /**
     * Loads a model; may take seconds. The caller closes it.
     *
     * @throws DetectorException the model cannot be loaded
     */
    Detector load(ModelFolder folder);
}
