package touchline.api.app;

/** A server whose listeners are bound. */
public interface RunningServer extends AutoCloseable {
    /**
     * Ends everything in reverse order of its start. Called once, from the thread that ends the
     * process; must not need more than a few seconds.
     */
    @Override
    void close();
}
