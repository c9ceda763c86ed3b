package touchline.ingest.rtmp;

/**
 * How a client begins a publish. Immutable, any thread.
 *
 * @param connect the command
 * @param streamKey secret
 * @param chunkBytes size of the chunks that the client sends
 */
record PushOpening(RtmpMessage.Command connect, String streamKey, int chunkBytes) {
    /** To a target of another kind. */
    static PushOpening of(RtmpTarget target, String streamKey) {
        return new PushOpening(PushCommands.connect(target), streamKey, RtmpReplies.CHUNK_SIZE);
    }

    @Override
    public String toString() {
        return "PushOpening[" + chunkBytes + "]";
    }
}
