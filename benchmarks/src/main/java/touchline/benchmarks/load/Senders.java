package touchline.benchmarks.load;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** All encoders of a run, driven by one thread at the pace of the wall clock, or a multiple. */
public final class Senders implements AutoCloseable {
    /** Interval of the rounds: a third of a frame's duration at 30 a second. */
    private static final long ROUND_MS = 10;

    /** Time over which the starts of the encoders are spread. */
    private static final long SPREAD_MS = 2000;

    private final List<RtmpSender> senders = new ArrayList<>();
    private final PushMedia media;
    private final long roundMs;
    private final int pace;
    private final Thread thread;

    private long startNs;
    private double startEpochMs;

    private volatile boolean stopped;

    private Senders(PushMedia media, long roundMs, int pace) {
        this.media = media;
        this.roundMs = roundMs;
        this.pace = pace;
        this.thread = Thread.ofPlatform().name("bench-senders").unstarted(this::run);
    }

    public static Senders start(List<LiveAddress> streams, PushMedia media) throws IOException {
        return start(streams, media, ROUND_MS);
    }

    /**
     * @param roundMs interval of the rounds, which is the maximum delay of sending
     */
    public static Senders start(List<LiveAddress> streams, PushMedia media, long roundMs)
            throws IOException {
        return start(streams, media, roundMs, /* pace= */ 1);
    }

    /** Sends so many times as fast as the wall clock. */
    public static Senders faster(List<LiveAddress> streams, PushMedia media, int pace)
            throws IOException {
        return start(streams, media, ROUND_MS, pace);
    }

    private static Senders start(List<LiveAddress> streams, PushMedia media, long roundMs, int pace)
            throws IOException {
        Senders all = new Senders(media, roundMs, pace);
        for (LiveAddress stream : streams) {
            RtmpSender sender = RtmpSender.publish(stream.push());
            sender.start(media);
            all.senders.add(sender);
        }
        Instant now = Instant.now();
        all.startNs = System.nanoTime();
        all.startEpochMs = now.getEpochSecond() * 1e3 + now.getNano() / 1e6;
        all.thread.start();
        return all;
    }

    /** {@link System#nanoTime} at which media time 0 of the first stream is due. */
    public long startNs() {
        return startNs;
    }

    /** {@link System#nanoTime} at which media time 0 of one of the streams is due. */
    public long startNs(int index) {
        return startNs + TimeUnit.MILLISECONDS.toNanos(index * SPREAD_MS / senders.size()) / pace;
    }

    /** {@link #startNs()} by the wall clock, in milliseconds since 1970. */
    public double startEpochMs() {
        return startEpochMs;
    }

    /** The reasons why encoders stopped sending; empty if all send. Call it after the run. */
    public List<String> dead() {
        return senders.stream().map(RtmpSender::dead).filter(reason -> !reason.isEmpty()).toList();
    }

    /**
     * @throws IOException an encoder stopped sending
     */
    public void requireAlive() throws IOException {
        if (!dead().isEmpty()) {
            throw new IOException("encoders lost their connection: " + dead());
        }
    }

    /** Longest time that an encoder waited for the server, in milliseconds. */
    public long mostBehindMs() {
        return roundMs * senders.stream().mapToInt(RtmpSender::mostRoundsBehind).max().orElse(0);
    }

    /** Stops sending and keeps the connections open. */
    public void stop() {
        stopped = true;
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Media time that each encoder has sent, in milliseconds; -1 for none. After the run. */
    public List<Long> sentMs() {
        return senders.stream().map(sender -> sender.sentMs(media)).toList();
    }

    @Override
    public void close() throws IOException {
        stop();
        for (RtmpSender sender : senders) {
            sender.close();
        }
    }

    private void run() {
        while (!stopped) {
            long nowMs = TimeUnit.NANOSECONDS.toMillis(pace * (System.nanoTime() - startNs));
            for (int i = 0; i < senders.size(); i++) {
                long mediaMs = nowMs - i * SPREAD_MS / senders.size();
                if (mediaMs >= 0) {
                    senders.get(i).send(media, mediaMs);
                }
            }
            try {
                Thread.sleep(roundMs);
            } catch (InterruptedException _) {
                return;
            }
        }
    }
}
