package touchline.api.app;

/** A server with bound listeners. */
public interface RunningServer extends AutoCloseable {
    /**
     * Closes everything in reverse order of the start. Called once, by the thread that ends the
     * process. Needs at most a few seconds.
     */
    @Override
    void close();
}
