package touchline.benchmarks.renditions;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32;
import touchline.benchmarks.overlay.TestPush;
import touchline.media.AccessUnit;
import touchline.media.Timeline;
import touchline.media.codec.DecodingRefusedException;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.ffmpeg.VideoSettings;
import touchline.media.hub.Feed;
import touchline.media.hub.FeedReader;
import touchline.media.rendition.Ladder;
import touchline.media.rendition.LoadRules;
import touchline.media.rendition.RenditionCounters;
import touchline.media.rendition.RenditionEncoding;
import touchline.media.rendition.RenditionFormat;
import touchline.media.rendition.RenditionLadder;
import touchline.media.rendition.RenditionListener;
import touchline.media.rendition.RenditionSettings;

/** Renditions of one program, read to their end. Each run makes its own. */
final class LadderRun implements RenditionListener {
    /** Units on the way. */
    private static final int AHEAD = 12;

    /** Less than the work that is on the way, and rare enough to cost little CPU time. */
    private static final long POLL_NS = 5_000_000;

    private final RenditionCounters counters = new RenditionCounters();
    private final AtomicLong bytes = new AtomicLong();
    private final Queue<Thread> readers = new ConcurrentLinkedQueue<>();
    private final Queue<String> faults = new ConcurrentLinkedQueue<>();
    private final Map<String, CRC32> times = new ConcurrentHashMap<>();
    private final RenditionLadder ladder;

    /** Decodes and encodes in software. */
    LadderRun() {
        this(H264Encoder.X264, /* onGpu= */ false);
    }

    /**
     * @param onGpu whether the GPU decodes and scales
     */
    LadderRun(H264Encoder encoder, boolean onGpu) {
        ladder =
                new RenditionLadder(
                        "bench",
                        RenditionSettings.AUTO,
                        new RenditionLadder.Dependencies(
                                new RenditionEncoding(
                                        encoder,
                                        VideoSettings.Speed.VERYFAST,
                                        /* threads= */ 1,
                                        onGpu),
                                new LoadRules(() -> 10, () -> 0, () -> 0),
                                counters,
                                /* listener= */ this,
                                // A clock that stands still: nothing is late.
                                () -> 0));
    }

    /**
     * @param cpuSeconds of the whole process
     * @param bytes of all renditions
     */
    record Result(double cpuSeconds, RenditionCounters counters, long bytes) {}

    /**
     * A checksum of each rendition's times and key frames, by its name: equal ones make equal
     * playlists.
     */
    Map<String, Long> times() {
        Map<String, Long> sums = new TreeMap<>();
        times.forEach((name, sum) -> sums.put(name, sum.getValue()));
        return sums;
    }

    RenditionLadder ladder() {
        return ladder;
    }

    RenditionCounters counters() {
        return counters;
    }

    /** Sends the push once, each unit as soon as there is room. */
    Result atFullSpeed(TestPush push) throws Exception {
        long beforeNs = cpuNs();
        Feed program = new Feed();
        ladder.start(program.subscribe("bench", RenditionLadder.QUEUE_BYTES));
        AccessUnit first = push.units().getFirst();
        program.offer(new Timeline(0, List.of(first.track()), first.dtsUs(), Instant.EPOCH));
        long sent = 0;
        for (AccessUnit unit : push.units()) {
            program.offer(unit);
            program.flush();
            sent++;
            while (counters.of(360).frames() < sent - AHEAD && faults.isEmpty()) {
                LockSupport.parkNanos(POLL_NS);
            }
        }
        program.end();
        awaitEnd();
        return new Result((cpuNs() - beforeNs) / 1e9, counters, bytes.get());
    }

    /** Waits for the end of all renditions, after that of the program. */
    void awaitEnd() throws InterruptedException {
        for (Thread each : readers) {
            each.join();
        }
        ladder.close();
        if (!faults.isEmpty()) {
            throw new IllegalStateException(String.join("; ", faults));
        }
    }

    long bytes() {
        return bytes.get();
    }

    static long cpuNs() {
        return ManagementFactory.getOperatingSystemMXBean()
                        instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getProcessCpuTime()
                : 0;
    }

    private void read(FeedReader units, CRC32 sum) {
        try (units) {
            boolean more = true;
            while (more) {
                more =
                        units.drain(
                                item -> {
                                    if (item instanceof AccessUnit unit) {
                                        bytes.addAndGet(unit.payload().byteSize());
                                        sum.update(
                                                "%d %d %b "
                                                        .formatted(
                                                                unit.dtsTicks(),
                                                                unit.ptsTicks(),
                                                                unit.idr())
                                                        .getBytes(StandardCharsets.US_ASCII));
                                    }
                                });
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void started(RenditionFormat format, FeedReader units) {
        CRC32 sum = times.computeIfAbsent(format.name(), _ -> new CRC32());
        readers.add(Thread.ofVirtual().start(() -> read(units, sum)));
    }

    @Override
    public void ended(RenditionFormat format) {
        faults.add(format.name() + " ended");
    }

    @Override
    public void dropped(RenditionFormat format, String reason) {
        faults.add(format.name() + " dropped: " + reason);
    }

    @Override
    public void leftOut(int height, Ladder.Source source) {
        faults.add(height + "p left out");
    }

    @Override
    public Set<String> late() {
        return Set.of();
    }

    @Override
    public void refused(DecodingRefusedException cause) {
        faults.add(cause.toString());
    }
}
