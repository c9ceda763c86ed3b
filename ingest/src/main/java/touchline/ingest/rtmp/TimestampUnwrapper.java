package touchline.ingest.rtmp;

/**
 * 32 bit milliseconds, which wrap after 49.7 days, to 64 bits (RTMP 1.0, 3: serial number
 * arithmetic). Each time is taken to lie nearest to the last time of media, on whichever chunk
 * stream that came, so that audio and video pass the wrap together. Used by one event loop.
 */
final class TimestampUnwrapper {
    private long reference;
    private boolean started;

    /**
     * @param timestamp 32 bits as on the wire
     * @param media whether the next times are measured against this one; metadata often says 0
     */
    long unroll(int timestamp, boolean media) {
        long unrolled =
                started
                        ? reference + (timestamp - (int) reference)
                        : Integer.toUnsignedLong(timestamp);
        if (media) {
            reference = unrolled;
            started = true;
        }
        return unrolled;
    }
}
