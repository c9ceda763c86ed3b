package touchline.packager.delivery;

/** In what pieces a body is handed to its channel. */
enum BodyChunks {
    /** As it lies: whole blocks, and files by sendfile. */
    WHOLE(Integer.MAX_VALUE),
    /**
     * To be encrypted: a slow viewer then holds so much of it in its channel, and not a whole
     * segment.
     */
    ENCRYPTED(64 * 1024),
    /** To be framed: a frame of the size that every HTTP/2 client takes (RFC 9113, 4.2). */
    FRAMED(16 * 1024);

    private final int maxBytes;

    BodyChunks(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    int maxBytes() {
        return maxBytes;
    }
}
