package touchline.api.app;

/** One life of a {@link StartedServer}, from a start to its end. */
sealed interface ServerLife extends AutoCloseable permits ServerInThisJvm, ServerProcess {
    boolean isRunning();

    /** Ends it as a service manager does. */
    void stop() throws InterruptedException;

    /** What it has logged. */
    String output();

    /** Ends it in whatever way, and leaves what it wrote in the report of the test. */
    @Override
    void close();
}
