package touchline.benchmarks.load;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** All encoders of a run, driven by one thread, paced by the wall clock. */
public final class Senders implements AutoCloseable {
    /** A look at every socket each 10 ms: a third of a frame's duration at 30 a second. */
    public static final long ROUND_MS = 10;

    /** The encoders do not start in step. */
    private static final long SPREAD_MS = 2000;

    private final List<RtmpSender> senders = new ArrayList<>();
    private final PushMedia media;
    private final long roundMs;
    private final Thread thread;

    private long startNs;
    private double startEpochMs;

    private volatile boolean stopped;

    private Senders(PushMedia media, long roundMs) {
        this.media = media;
        this.roundMs = roundMs;
        this.thread = Thread.ofPlatform().name("bench-senders").unstarted(this::run);
    }

    public static Senders start(List<MeasuredServer.Stream> streams, PushMedia media)
            throws IOException {
        return start(streams, media, ROUND_MS);
    }

    /**
     * @param roundMs how late media may be sent; where latency is measured it is a part of it
     */
    public static Senders start(List<MeasuredServer.Stream> streams, PushMedia media, long roundMs)
            throws IOException {
        Senders all = new Senders(media, roundMs);
        for (MeasuredServer.Stream stream : streams) {
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
        return startNs + TimeUnit.MILLISECONDS.toNanos(index * SPREAD_MS / senders.size());
    }

    /** The first stream's by the wall clock, in milliseconds since 1970. */
    public double startEpochMs() {
        return startEpochMs;
    }

    /** Why encoders stopped; empty when all still send. Call it after the run. */
    public List<String> dead() {
        return senders.stream().map(RtmpSender::dead).filter(reason -> !reason.isEmpty()).toList();
    }

    /** How long the slowest encoder had to wait for the server, in milliseconds. */
    public long mostBehindMs() {
        return roundMs * senders.stream().mapToInt(RtmpSender::mostRoundsBehind).max().orElse(0);
    }

    /** Stops sending, and leaves the connections as they are. */
    public void stop() {
        stopped = true;
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * How far each has sent, in milliseconds of media; -1 where it has sent none. After the run.
     */
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
            long nowMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
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
