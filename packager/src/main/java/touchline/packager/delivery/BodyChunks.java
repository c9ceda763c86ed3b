package touchline.packager.delivery;

/** Size of the chunks in which a body is written to its channel. */
enum BodyChunks {
    /** Whole blocks, and files by sendfile. */
    WHOLE(Integer.MAX_VALUE),
    /** For encryption: bounds what a slow viewer keeps in its channel to one chunk. */
    ENCRYPTED(64 * 1024),
    /** For HTTP/2 frames: the size that every client accepts (RFC 9113, 4.2). */
    FRAMED(16 * 1024);

    private final int maxBytes;

    BodyChunks(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    int maxBytes() {
        return maxBytes;
    }
}
