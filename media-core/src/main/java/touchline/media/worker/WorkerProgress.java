package touchline.media.worker;

/** Receives the progress of a job. */
@FunctionalInterface
public interface WorkerProgress {
    /**
     * @param fraction 0 to 1
     */
    void at(double fraction);
}
