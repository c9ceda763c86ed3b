package touchline.media.transcode;

import org.bytedeco.ffmpeg.avcodec.AVPacket;

/** Processes the packets of one stream of a file. One owner thread. */
interface StreamProcessor extends AutoCloseable {
    /** Processes a packet, in file order. It may empty the packet; the owner reuses it. */
    void accept(AVPacket packet);

    /** Flushes buffered data after the last packet. */
    void finish();

    /** Returns the end of the last frame or audio, from the output's start. */
    long endUs();

    /** Whether too much of the stream could not be decoded for a usable output. */
    boolean damaged();

    @Override
    void close();
}
