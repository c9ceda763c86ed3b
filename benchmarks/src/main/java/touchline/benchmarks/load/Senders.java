package touchline.benchmarks.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** All encoders of a run, driven by one thread, paced by the wall clock. */
final class Senders implements AutoCloseable {
    /** A look at every socket each 10 ms: a third of a picture's duration at 30 a second. */
    private static final long ROUND_MS = 10;

    /** The encoders do not start in step. */
    private static final long SPREAD_MS = 2000;

    private final List<RtmpSender> senders = new ArrayList<>();
    private final PushMedia media;
    private final Thread thread;

    private volatile boolean stopped;

    private Senders(PushMedia media) {
        this.media = media;
        this.thread = Thread.ofPlatform().name("bench-senders").unstarted(this::run);
    }

    static Senders start(List<MeasuredServer.Stream> streams, PushMedia media) throws IOException {
        Senders all = new Senders(media);
        for (MeasuredServer.Stream stream : streams) {
            RtmpSender sender = RtmpSender.publish(stream.push());
            sender.start(media);
            all.senders.add(sender);
        }
        all.thread.start();
        return all;
    }

    /** Why encoders stopped; empty when all still send. Call it after the run. */
    List<String> dead() {
        return senders.stream().map(RtmpSender::dead).filter(reason -> !reason.isEmpty()).toList();
    }

    /** How long the slowest encoder had to wait for the server, in milliseconds. */
    long mostBehindMs() {
        return ROUND_MS * senders.stream().mapToInt(RtmpSender::mostRoundsBehind).max().orElse(0);
    }

    @Override
    public void close() throws IOException {
        stopped = true;
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        for (RtmpSender sender : senders) {
            sender.close();
        }
    }

    private void run() {
        long startNs = System.nanoTime();
        while (!stopped) {
            long nowMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
            for (int i = 0; i < senders.size(); i++) {
                long mediaMs = nowMs - i * SPREAD_MS / senders.size();
                if (mediaMs >= 0) {
                    senders.get(i).send(media, mediaMs);
                }
            }
            try {
                Thread.sleep(ROUND_MS);
            } catch (InterruptedException _) {
                return;
            }
        }
    }
}
