package touchline.ingest.rtmp;

/**
 * Where the media of an admitted publisher goes: to a session of this server, or to the node that
 * owns the stream. The connection's event loop.
 */
sealed interface PublishedMedia permits RtmpPublisher, RtmpRelay {
    /**
     * @throws touchline.ingest.flv.UnsupportedCodecException with the codec's name
     * @throws touchline.media.codec.MalformedMediaException where too many messages in a row were
     *     broken
     */
    void video(RtmpMessage.Video message, long nowNs);

    /**
     * @throws touchline.ingest.flv.UnsupportedCodecException with the codec's name
     * @throws touchline.media.codec.MalformedMediaException where too many messages in a row were
     *     broken
     */
    void audio(RtmpMessage.Audio message, long nowNs);

    void data(RtmpMessage.Data message);

    /** Once per read from the network. */
    void flush();

    /** Media time sent, less the time that has passed, in microseconds. */
    long aheadUs();

    /** Whether to stop reading for now. */
    boolean isTooFast();

    /** Logs about this publisher. */
    void log(Runnable line);

    /**
     * @param reason for the log; no secrets
     */
    void close(String reason);
}
