package touchline.overlay;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import touchline.media.AccessUnit;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.FrameFormat;

/** A {@link Rig} whose publisher sends in real time: 25 small frames per second. */
final class LiveRig implements AutoCloseable {
    private static final FrameFormat SMALL = new FrameFormat(320, 240, Colour.UNSPECIFIED);
    private static final int CHUNK = 25;

    final Rig rig;
    private final Map<Long, Long> sentNs = new ConcurrentHashMap<>();
    private final Thread publisher = Thread.ofPlatform().name("publisher").unstarted(this::publish);
    private volatile boolean ending;

    /**
     * @param lateness clock of the compositor for lateness and load
     */
    LiveRig(LongSupplier lateness) {
        rig = new Rig(true, lateness);
        publisher.start();
    }

    private void publish() {
        long startNs = System.nanoTime();
        boolean begun = false;
        CompletableFuture<List<AccessUnit>> next = encode(0);
        for (int first = 0; !ending; first += CHUNK) {
            List<AccessUnit> units = next.join();
            next = encode(first + CHUNK);
            if (!begun) {
                rig.publication().begin(Studio.tracks(units));
                begun = true;
            }
            for (AccessUnit unit : units) {
                long dueNs = startNs + unit.dtsUs() * 1_000;
                for (long leftNs = dueNs - System.nanoTime();
                        leftNs > 0;
                        leftNs = dueNs - System.nanoTime()) {
                    LockSupport.parkNanos(leftNs);
                }
                sentNs.put(unit.dtsUs(), System.nanoTime());
                rig.publication().write(unit);
                rig.publication().flush();
            }
        }
    }

    /** While the units before are sent. */
    private static CompletableFuture<List<AccessUnit>> encode(int first) {
        return CompletableFuture.supplyAsync(
                () -> Studio.frames(Studio.settings(SMALL), first, CHUNK),
                task -> Thread.ofPlatform().name("publisher-encoder").start(task));
    }

    int sent() {
        return sentNs.size();
    }

    /** Send time of the frame with this presentation time. */
    long sentNs(long ptsUs) {
        return sentNs.getOrDefault(ptsUs, Long.MAX_VALUE);
    }

    /** Stops sending and waits until all frames have come out. */
    void end() throws InterruptedException {
        ending = true;
        publisher.join();
        rig.end();
    }

    @Override
    public void close() {
        ending = true;
        try {
            publisher.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } finally {
            rig.close();
        }
    }
}
