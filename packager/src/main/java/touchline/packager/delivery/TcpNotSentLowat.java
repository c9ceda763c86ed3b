package touchline.packager.delivery;

import io.netty.channel.Channel;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollSocketChannel;

/**
 * What the kernel may hold of answers to a viewer beyond what is on its way. It bounds what one
 * that does not read costs, and wakes us in small steps, so that one that reads slowly is not taken
 * for one that does not read. But each step is a wake-up and a system call, so whoever has taken a
 * large answer, or a file of one, to its end is trusted with a whole segment of usual size. Event
 * loop only.
 */
final class TcpNotSentLowat {
    static final long AT_FIRST = 256 * 1024;
    private static final long TRUSTED = 1024 * 1024;

    private TcpNotSentLowat() {}

    /** The viewer has read a large answer. */
    static void trust(Channel channel) {
        set(channel, TRUSTED);
    }

    /** The viewer seems to read no more: small steps will tell. */
    static void distrust(Channel channel) {
        set(channel, AT_FIRST);
    }

    private static void set(Channel channel, long bytes) {
        if (channel instanceof EpollSocketChannel) {
            channel.config().setOption(EpollChannelOption.TCP_NOTSENT_LOWAT, bytes);
        }
    }
}
