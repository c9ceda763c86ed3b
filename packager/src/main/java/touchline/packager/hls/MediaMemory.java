package touchline.packager.hls;

/**
 * Port: where finished parts live until they age out. The playback plane implements it on its own
 * pooled direct memory, so that what is packaged here goes to the socket without a copy. Any
 * thread.
 */
@FunctionalInterface
public interface MediaMemory {
    /** A block of exactly this size with one reference, owned by the caller. */
    MediaBlock allocate(int sizeBytes);
}
