package touchline.benchmarks.caches;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Comparator;
import java.util.HashSet;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/**
 * One thread with one selector for the connections of all players, so that thousands of them cost
 * little beside the cache under test. {@link #execute} and {@link #close} may be called by any
 * thread, everything else by the loop's own.
 */
final class PlayerLoop implements AutoCloseable {
    private static final int INPUT_BYTES = 1 << 18;
    private static final long IDLE_MS = 100;

    /** A task that is due at a time of {@link System#nanoTime}. */
    private record Timer(long dueNs, Runnable task) {}

    private final Selector selector = Selector.open();
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final PriorityQueue<Timer> timers =
            new PriorityQueue<>(Comparator.comparingLong(Timer::dueNs));
    private final Set<SocketChannel> channels = new HashSet<>();
    private final ByteBuffer input = ByteBuffer.allocateDirect(INPUT_BYTES);
    private final PlayerCounts counts = new PlayerCounts();
    private final Thread thread;

    private volatile boolean closed;

    private PlayerLoop(String name) throws IOException {
        thread = Thread.ofPlatform().name(name).unstarted(this::run);
    }

    /** Starts the thread; the caller closes it. */
    static PlayerLoop start(String name) throws IOException {
        PlayerLoop loop = new PlayerLoop(name);
        loop.thread.start();
        return loop;
    }

    /** Requests and failures of all players of this loop. Any thread. */
    PlayerCounts counts() {
        return counts;
    }

    /** Runs a task on the thread of this loop. */
    void execute(Runnable task) {
        tasks.add(task);
        selector.wakeup();
    }

    void after(long delayNs, Runnable task) {
        timers.add(new Timer(System.nanoTime() + delayNs, task));
    }

    void register(SocketChannel channel, PlayerConnection connection) throws IOException {
        channels.add(channel);
        channel.register(selector, SelectionKey.OP_READ, connection);
    }

    void remove(SocketChannel channel) {
        channels.remove(channel);
        closeQuietly(channel);
    }

    /** Reads what a channel has; the buffer is valid for the call. Negative: it is at its end. */
    int read(SocketChannel channel) throws IOException {
        input.clear();
        int count = channel.read(input);
        input.flip();
        return count;
    }

    ByteBuffer input() {
        return input;
    }

    private void run() {
        while (!closed) {
            try {
                selector.select(key -> ((PlayerConnection) key.attachment()).readable(), waitMs());
            } catch (IOException e) {
                counts.failed("the selector failed: " + e.getMessage());
                return;
            }
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                task.run();
            }
            while (!timers.isEmpty() && timers.element().dueNs() - System.nanoTime() <= 0) {
                timers.remove().task().run();
            }
        }
    }

    private long waitMs() {
        Timer next = timers.peek();
        if (next == null) {
            return IDLE_MS;
        }
        long ms = TimeUnit.NANOSECONDS.toMillis(next.dueNs() - System.nanoTime());
        // 0 would wait without a limit.
        return Math.clamp(ms, 1, IDLE_MS);
    }

    /** Ends the thread, then closes all connections. */
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        selector.wakeup();
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        channels.forEach(PlayerLoop::closeQuietly);
        selector.close();
    }

    private static void closeQuietly(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException _) {
            // The connection is closed in any case.
        }
    }
}
