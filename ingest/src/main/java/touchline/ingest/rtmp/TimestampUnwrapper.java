package touchline.ingest.rtmp;

/**
 * Extends 32-bit milliseconds, which wrap after 49.7 days, to 64 bits (RTMP 1.0, 3: serial number
 * arithmetic). Picks the value nearest to the last media timestamp of any chunk stream, so that
 * audio and video wrap together. One event loop.
 */
final class TimestampUnwrapper {
    private long reference;
    private boolean started;

    /**
     * @param timestamp 32 bits as on the wire
     * @param media whether this timestamp becomes the reference; metadata often carries 0
     */
    long unwrap(int timestamp, boolean media) {
        long unwrapped =
                started
                        ? reference + (timestamp - (int) reference)
                        : Integer.toUnsignedLong(timestamp);
        if (media) {
            reference = unwrapped;
            started = true;
        }
        return unwrapped;
    }
}
