package touchline.ingest.rtmp;

/** How far the timestamps of a relayed push are ahead of the clock. One event loop. */
final class RelayPace {
    /** A larger step is a jump, and measuring begins anew. */
    private static final long JUMP_MS = 10_000;

    private boolean begun;
    private long beganNs;
    private long beganMs;
    private long newestMs;

    /** A message was sent. */
    void sent(long timestampMs, long nowNs) {
        if (!begun || Math.abs(timestampMs - newestMs) > JUMP_MS) {
            begun = true;
            beganNs = nowNs;
            beganMs = timestampMs;
        }
        newestMs = timestampMs;
    }

    /** Media time sent, less the time that has passed; 0 before the first message. */
    long aheadUs(long nowNs) {
        return begun ? (newestMs - beganMs) * 1_000 - (nowNs - beganNs) / 1_000 : 0;
    }
}
