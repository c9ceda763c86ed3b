package touchline.media.worker;

/** How far a job is. */
@FunctionalInterface
public interface WorkerProgress {
    /**
     * @param fraction 0 to 1
     */
    void at(double fraction);
}
