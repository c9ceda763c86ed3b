package touchline.packager.delivery;

import io.netty.channel.Channel;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollSocketChannel;

/**
 * Bounds the bytes that the kernel buffers for a viewer beyond those in flight (TCP_NOTSENT_LOWAT).
 * This bounds the cost of a viewer that does not read. It also causes wake-ups in small steps, so
 * that a slow viewer is not taken for a stalled one. But each step is a wake-up and a system call.
 * So a viewer that has read a large answer, or a file of one, gets a limit of a usual segment.
 * Event loop only.
 */
final class TcpNotSentLowat {
    static final long AT_FIRST = 256 * 1024;
    private static final long TRUSTED = 1024 * 1024;

    private TcpNotSentLowat() {}

    /** The viewer has read a large answer. */
    static void trust(Channel channel) {
        set(channel, TRUSTED);
    }

    /** The viewer seems to have stopped reading: small steps show whether it has. */
    static void distrust(Channel channel) {
        set(channel, AT_FIRST);
    }

    private static void set(Channel channel, long bytes) {
        if (channel instanceof EpollSocketChannel) {
            channel.config().setOption(EpollChannelOption.TCP_NOTSENT_LOWAT, bytes);
        }
    }
}
