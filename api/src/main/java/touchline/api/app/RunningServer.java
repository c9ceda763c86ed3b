package touchline.api.app;

import java.util.concurrent.CountDownLatch;

/** A server with bound listeners. */
public interface RunningServer extends AutoCloseable {
    /**
     * Closes everything in reverse order of the start. Called once, by the thread that ends the
     * process. Needs at most a few seconds.
     */
    @Override
    void close();

    /**
     * Reads the configuration again, and logs what came of it. Any thread; by default it does
     * nothing.
     */
    default void reload() {}

    /**
     * Blocks until the server cannot go on, and returns the reason. By default it blocks for ever.
     */
    default String awaitFailure() throws InterruptedException {
        new CountDownLatch(1).await();
        return "";
    }
}
