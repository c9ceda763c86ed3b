package touchline.packager.delivery;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2FrameTypes;
import java.util.function.LongSupplier;

/**
 * Follows incoming frames, without keeping them, and measures how long one has been unfinished: the
 * preface, a frame, or a HEADERS frame with its CONTINUATIONs (RFC 9113, 3.4, 4.1, 6.10). The codec
 * after it would wait for the rest for ever. Event loop only.
 */
final class Http2HeadWatch extends ChannelInboundHandlerAdapter {
    private static final int HEADER_BYTES = Http2CodecUtil.FRAME_HEADER_LENGTH;
    private static final int END_HEADERS = 0x4;
    private static final int PREFACE_BYTES = 24;

    private final LongSupplier nanoTime;

    /** Bytes left of the preface or of the payload of a frame. */
    private long leftBytes = PREFACE_BYTES;

    /** Bytes seen of a frame's header, and the first five of them. */
    private int headerBytes;

    private long header;
    private boolean headOpen;
    private boolean begun = true;
    private long begunNs;

    Http2HeadWatch(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        begunNs = nanoTime.getAsLong();
    }

    /** Age of the unfinished frame; 0 if there is none. */
    long unfinishedNs() {
        return begun ? nanoTime.getAsLong() - begunNs : 0;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof ByteBuf bytes) {
            follow(bytes);
        }
        ctx.fireChannelRead(message);
    }

    private void follow(ByteBuf bytes) {
        int at = bytes.readerIndex();
        while (at < bytes.writerIndex()) {
            if (!begun) {
                begun = true;
                begunNs = nanoTime.getAsLong();
            }
            if (leftBytes > 0) {
                long skipped = Math.min(leftBytes, bytes.writerIndex() - at);
                leftBytes -= skipped;
                at += (int) skipped;
            } else {
                if (headerBytes < 5) {
                    header = header << 8 | bytes.getUnsignedByte(at);
                }
                at++;
                headerBytes++;
                if (headerBytes == HEADER_BYTES) {
                    header();
                }
            }
            if (leftBytes == 0 && headerBytes == 0 && !headOpen) {
                begun = false;
            }
        }
    }

    /** Length (24 bits), type (8), flags (8). */
    private void header() {
        leftBytes = header >>> 16;
        int type = (int) (header >>> 8) & 0xFF;
        if (type == Http2FrameTypes.HEADERS || type == Http2FrameTypes.CONTINUATION) {
            headOpen = (header & END_HEADERS) == 0;
        }
        headerBytes = 0;
        header = 0;
    }
}
