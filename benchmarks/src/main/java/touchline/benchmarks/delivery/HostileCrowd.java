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
 * Hostile connections, a third of each kind. One thread checks each of them four times a second,
 * and opens a new connection for each one that the server closed.
 */
final class HostileCrowd implements AutoCloseable {
    /** What a connection does. */
    enum Kind {
        /** Sends a byte of a request head each second, without end (slowloris). */
        DRIP,
        /** Requests segments and reads nothing, so that the TCP window closes. */
        ZERO_WINDOW,
        /** Sends half a request head or nothing. */
        SILENT
    }

    private static final long ROUND_MS = 250;
    private static final int DRIP_EVERY_ROUNDS = 4;

    /** More than the buffers of the sockets hold. */
    private static final int SEGMENTS_ASKED = 16;

    private static final int SMALL_WINDOW_BYTES = 4096;

    /** An open connection. */
    private static final class Hostile {
        private final Kind kind;
        private final boolean sendsHead;
        private final boolean first;
        private final SocketChannel channel;
        private final long openedNs = System.nanoTime();

        private Hostile(Kind kind, boolean sendsHead, boolean first, SocketChannel channel) {
            this.kind = kind;
            this.sendsHead = sendsHead;
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
     * @param target a large segment
     */
    static HostileCrowd start(URI target, int count) throws IOException {
        HostileCrowd crowd = new HostileCrowd(target);
        for (int i = 0; i < count; i++) {
            Kind kind = Kind.values()[i % Kind.values().length];
            crowd.open.add(
                    crowd.connect(
                            kind,
                            /* sendsHead= */ kind != Kind.SILENT || i % 2 == 0,
                            /* first= */ true));
        }
        crowd.thread.start();
        return crowd;
    }

    /** Seconds from connect to the server's close. Call it after {@link #close}. */
    Samples closedAfterSeconds(Kind kind) {
        return closedAfterSeconds.getOrDefault(kind, new Samples());
    }

    /** First connections that the server never closed. Call it after {@link #close}. */
    long neverClosed(Kind kind) {
        return open.stream().filter(each -> each.kind == kind && each.first).count();
    }

    /** Failed attempts to connect again. Call it after {@link #close}. */
    int refused() {
        return refused;
    }

    private Hostile connect(Kind kind, boolean sendsHead, boolean first) throws IOException {
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
                if (sendsHead) {
                    channel.write(ByteBuffer.wrap(head, 0, head.length / 2));
                }
            }
        }
        return new Hostile(kind, sendsHead, first, channel);
    }

    private void run() {
        for (int round = 0; !stopped; round++) {
            for (int i = 0; i < open.size(); i++) {
                Hostile each = open.get(i);
                boolean writes = (round + i) % DRIP_EVERY_ROUNDS == 0;
                if (isClosed(each, writes)) {
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

    /** A connection that is not read detects the server's close by writing: the write fails. */
    private boolean isClosed(Hostile each, boolean writes) {
        try {
            if (each.kind != Kind.SILENT && writes) {
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
            open.set(index, connect(gone.kind, gone.sendsHead, /* first= */ false));
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
