package touchline.ingest.rtmp;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.ThreadLocalRandom;
import touchline.media.codec.MalformedMediaException;

/**
 * The client's side of the plain handshake (RTMP 1.0, 5.2): sends C0 and C1, answers S1 with C2,
 * waits for S2, removes itself. What S2 echoes is not compared, since servers in use get it wrong.
 * One per connection, on its event loop.
 */
final class RtmpClientHandshake extends ChannelInboundHandlerAdapter {
    private static final int VERSION = 3;
    private static final int PACKET_BYTES = HandshakeDigest.PACKET_BYTES;

    /** Time and zero in front of the filler of C1 (5.2.3). */
    private static final int PLAIN_BYTES = 8;

    private final byte[] answer = new byte[1 + PACKET_BYTES];
    private int answerBytes;
    private int missingS2Bytes = PACKET_BYTES;
    private boolean failed;

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        byte[] filler = new byte[PACKET_BYTES - PLAIN_BYTES];
        ThreadLocalRandom.current().nextBytes(filler);
        ByteBuf hello = ctx.alloc().buffer(1 + PACKET_BYTES);
        hello.writeByte(VERSION).writeZero(PLAIN_BYTES).writeBytes(filler);
        var _ = ctx.writeAndFlush(hello);
        ctx.fireChannelActive();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = (ByteBuf) message;
        boolean passedOn = false;
        try {
            if (failed) {
                return;
            }
            readAnswer(ctx, in);
            if (answerBytes == answer.length) {
                int count = Math.min(missingS2Bytes, in.readableBytes());
                in.skipBytes(count);
                missingS2Bytes -= count;
                if (missingS2Bytes == 0) {
                    passedOn = true;
                    finish(ctx, in);
                }
            }
        } catch (MalformedMediaException e) {
            failed = true;
            throw e;
        } finally {
            if (!passedOn) {
                in.release();
            }
        }
    }

    private void readAnswer(ChannelHandlerContext ctx, ByteBuf in) {
        int count = Math.min(answer.length - answerBytes, in.readableBytes());
        if (count == 0) {
            return;
        }
        in.readBytes(answer, answerBytes, count);
        answerBytes += count;
        if (answer[0] != VERSION) {
            throw new MalformedMediaException(
                    "handshake version: " + (answer[0] & 0xff) + " (expected: " + VERSION + ")");
        }
        if (answerBytes == answer.length) {
            var _ =
                    ctx.writeAndFlush(
                            ctx.alloc().buffer(PACKET_BYTES).writeBytes(answer, 1, PACKET_BYTES));
        }
    }

    /** Takes ownership of the bytes after S2. */
    private void finish(ChannelHandlerContext ctx, ByteBuf rest) {
        ctx.pipeline().remove(this);
        ctx.fireUserEventTriggered(RtmpEvent.HANDSHAKE_DONE);
        ctx.fireChannelRead(rest);
    }
}
