package touchline.benchmarks.players;

/** A player that plays one address. Owned by one thread. */
interface RunningPlayer {
    PlayerKind kind();

    /** Begins to play, once. */
    void begin() throws Exception;

    /** It has shown a frame. */
    boolean hasStarted() throws Exception;

    /** It has shown a frame of the encoder that returned. */
    boolean hasReturned() throws Exception;

    /** Shows what was sent {@code second} seconds after the first frame that can be shown. */
    void rewind(int second) throws Exception;

    /**
     * The encoder is back and has begun again with frame 0.
     *
     * @param startMs push of frame 0, by the wall clock
     */
    void encoderIsBack(double startMs) throws Exception;

    /** What it has shown so far. */
    PlayerResult result() throws Exception;

    /** Ends it. */
    void stop() throws Exception;
}
