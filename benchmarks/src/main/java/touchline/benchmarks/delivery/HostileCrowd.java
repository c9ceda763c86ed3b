package touchline.benchmarks.delivery;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import touchline.benchmarks.load.Samples;

/**
 * Connections that mean no good, a third of each kind. One thread looks at each of them four times
 * a second; one that the server closed is noted and comes again, so that the pressure stays.
 */
final class HostileCrowd implements AutoCloseable {
    /** What a connection does. */
    enum Kind {
        /** A byte of a head each second, without an end (slowloris). */
        DRIP,
        /** Asks for big segments and reads nothing: the window closes. */
        ZERO_WINDOW,
        /** Half a head and then silence, or silence from the start. */
        SILENT
    }

    private static final long ROUND_MS = 250;
    private static final int DRIP_EVERY_ROUNDS = 4;

    /** More than the sockets' buffers take. */
    private static final int SEGMENTS_ASKED = 16;

    private static final int SMALL_WINDOW_BYTES = 4096;

    /** The kinds' connections; those that are open. */
    private static final class Hostile {
        private final Kind kind;
        private final boolean speaks;
        private final boolean first;
        private final SocketChannel channel;
        private final long openedNs = System.nanoTime();

        private Hostile(Kind kind, boolean speaks, boolean first, SocketChannel channel) {
            this.kind = kind;
            this.speaks = speaks;
            this.first = first;
            this.channel = channel;
        }
    }

    private final URI target;
    private final byte[] head;
    private final List<Hostile> open = new ArrayList<>();
    private final Map<Kind, Samples> closedAfterSeconds = new EnumMap<>(Kind.class);
    private final ByteBuffer scratch = ByteBuffer.allocate(1 << 12);
    private final Thread thread;

    private int refused;
    private volatile boolean stopped;

    private HostileCrowd(URI target) {
        this.target = target;
        String request =
                "GET %s HTTP/1.1\r\nHost: %s:%d\r\n"
                        .formatted(target.getRawPath(), target.getHost(), target.getPort());
        this.head = request.getBytes(StandardCharsets.US_ASCII);
        this.thread = Thread.ofPlatform().name("bench-hostile").unstarted(this::run);
        for (Kind kind : Kind.values()) {
            closedAfterSeconds.put(kind, new Samples());
        }
    }

    /**
     * @param target a segment; the larger the better
     */
    static HostileCrowd start(URI target, int count) throws IOException {
        HostileCrowd crowd = new HostileCrowd(target);
        for (int i = 0; i < count; i++) {
            Kind kind = Kind.values()[i % Kind.values().length];
            crowd.open.add(
                    crowd.connect(
                            kind,
                            /* speaks= */ kind != Kind.SILENT || i % 2 == 0,
                            /* first= */ true));
        }
        crowd.thread.start();
        return crowd;
    }

    /** When the server closed them, in seconds after they had connected. After {@link #close}. */
    Samples closedAfterSeconds(Kind kind) {
        return closedAfterSeconds.getOrDefault(kind, new Samples());
    }

    /** Of those that came first, how many were never closed. After {@link #close}. */
    long neverClosed(Kind kind) {
        return open.stream().filter(each -> each.kind == kind && each.first).count();
    }

    /** Attempts to come again that failed. After {@link #close}. */
    int refused() {
        return refused;
    }

    private Hostile connect(Kind kind, boolean speaks, boolean first) throws IOException {
        SocketChannel channel = SocketChannel.open();
        if (kind == Kind.ZERO_WINDOW) {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, SMALL_WINDOW_BYTES);
        }
        channel.connect(new InetSocketAddress(target.getHost(), target.getPort()));
        channel.configureBlocking(false);
        switch (kind) {
            case DRIP -> channel.write(ByteBuffer.wrap(head, 0, 1));
            case ZERO_WINDOW -> {
                ByteBuffer requests = ByteBuffer.allocate(SEGMENTS_ASKED * (head.length + 2));
                for (int i = 0; i < SEGMENTS_ASKED; i++) {
                    requests.put(head).put((byte) '\r').put((byte) '\n');
                }
                channel.write(requests.flip());
            }
            case SILENT -> {
                if (speaks) {
                    channel.write(ByteBuffer.wrap(head, 0, head.length / 2));
                }
            }
        }
        return new Hostile(kind, speaks, first, channel);
    }

    private void run() {
        for (int round = 0; !stopped; round++) {
            for (int i = 0; i < open.size(); i++) {
                Hostile each = open.get(i);
                boolean drips = (round + i) % DRIP_EVERY_ROUNDS == 0;
                if (isClosed(each, drips)) {
                    closedAfterSeconds(each.kind).add((System.nanoTime() - each.openedNs) / 1e9);
                    replace(i, each);
                }
            }
            try {
                TimeUnit.MILLISECONDS.sleep(ROUND_MS);
            } catch (InterruptedException _) {
                return;
            }
        }
    }

    /**
     * Whoever does not read learns by writing that the server has gone: the next byte but one after
     * its reset fails.
     */
    private boolean isClosed(Hostile each, boolean drips) {
        try {
            if (each.kind != Kind.SILENT && drips) {
                each.channel.write(ByteBuffer.wrap(new byte[] {'X'}));
            }
            scratch.clear();
            return each.kind != Kind.ZERO_WINDOW && each.channel.read(scratch) < 0;
        } catch (IOException _) {
            return true;
        }
    }

    private void replace(int index, Hostile gone) {
        try {
            gone.channel.close();
            open.set(index, connect(gone.kind, gone.speaks, /* first= */ false));
        } catch (IOException _) {
            refused++;
        }
    }

    @Override
    public void close() throws IOException {
        stopped = true;
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        for (Hostile each : open) {
            each.channel.close();
        }
    }
}
