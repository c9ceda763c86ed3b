package touchline.packager.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.channel.Channel;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class PackingEventLoopGroupTest {
    private static final int LOOPS = 3;

    private final List<Channel> open = new ArrayList<>();
    private final PackingEventLoopGroup pairs = group(/* fill= */ 2);
    private final PackingEventLoopGroup evenly = group(/* fill= */ 1);

    @AfterEach
    void end() {
        open.forEach(channel -> channel.close().syncUninterruptibly());
        pairs.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        evenly.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    @Test
    void connections_fillOneLoopAfterTheOther() {
        assertEquals(List.of(0, 0, 1, 1, 2, 2), loopsOf(pairs, register(pairs, 6)));
    }

    @Test
    void connections_whenAllLoopsAreFull_goWhereThereAreFewest() {
        List<Channel> full = register(pairs, 6);

        assertEquals(List.of(0, 1, 2, 0), loopsOf(pairs, register(pairs, 4)));

        full.get(5).close().syncUninterruptibly();
        assertEquals(List.of(2, 1), loopsOf(pairs, register(pairs, 2)));
    }

    @Test
    void connection_whenOneHasLeft_takesItsPlaceInTheLoopBefore() {
        List<Channel> three = register(pairs, 3);

        three.get(1).close().syncUninterruptibly();

        assertEquals(List.of(0, 1), loopsOf(pairs, register(pairs, 2)));
    }

    @Test
    void connections_whereOneIsTheFill_areSpreadEvenly() {
        assertEquals(List.of(0, 1, 2, 0, 1, 2), loopsOf(evenly, register(evenly, 6)));
    }

    private static PackingEventLoopGroup group(int fill) {
        return new PackingEventLoopGroup(
                LOOPS,
                fill,
                new DefaultThreadFactory("filling", /* daemon= */ true),
                LocalIoHandler.newFactory());
    }

    private List<Channel> register(PackingEventLoopGroup group, int count) {
        List<Channel> registered = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Channel channel = new LocalChannel();
            group.register(channel).syncUninterruptibly();
            registered.add(channel);
        }
        open.addAll(registered);
        return registered;
    }

    private static List<Integer> loopsOf(PackingEventLoopGroup group, List<Channel> channels) {
        List<EventExecutor> loops = new ArrayList<>();
        group.forEach(loops::add);
        return channels.stream().map(channel -> loops.indexOf(channel.eventLoop())).toList();
    }
}
