package touchline.media.transcode;

import org.bytedeco.ffmpeg.avcodec.AVPacket;

/** What becomes of the packets of one stream of a file. One owner thread. */
interface StreamProcessor extends AutoCloseable {
    /** Takes a packet in the file's order, and leaves it empty or not; the owner reuses it. */
    void accept(AVPacket packet);

    /** All packets have come: hands out what is still inside. */
    void finish();

    /** Where the last frame or audio ends, from the output's start on. */
    long endUs();

    /** Whether so much of it could not be decoded that the rest is worth nothing. */
    boolean damaged();

    @Override
    void close();
}
