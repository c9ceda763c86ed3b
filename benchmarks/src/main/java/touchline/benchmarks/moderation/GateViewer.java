package touchline.benchmarks.moderation;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import touchline.media.AccessUnit;
import touchline.media.hub.PublishBarrier;

/**
 * Waits at a gate as the packager does: part by part; after a discarded part, publishing goes on
 * with the next key frame.
 */
final class GateViewer implements Runnable {
    private static final int PART_FRAMES = 8;

    private final PublishBarrier gate;
    private final BlockingQueue<List<AccessUnit>> parts = new LinkedBlockingQueue<>();

    /** The sender's thread. */
    private List<AccessUnit> open = new ArrayList<>();

    /** The viewer's thread; read after its end. */
    private final Set<Long> publishedUs = new HashSet<>();

    GateViewer(PublishBarrier gate) {
        this.gate = gate;
    }

    void add(AccessUnit unit) {
        if (open.size() == PART_FRAMES || (unit.isKeyFrame() && !open.isEmpty())) {
            parts.add(open);
            open = new ArrayList<>();
        }
        open.add(unit);
    }

    /** An empty part ends the viewer's thread. */
    void end() {
        parts.add(open);
        parts.add(List.of());
    }

    @Override
    public void run() {
        boolean needsKeyFrame = false;
        try {
            for (List<AccessUnit> part = parts.take(); !part.isEmpty(); part = parts.take()) {
                if (needsKeyFrame && !part.getFirst().isKeyFrame()) {
                    continue;
                }
                long lastUs = part.stream().mapToLong(AccessUnit::ptsUs).max().orElseThrow();
                long firstUs = part.stream().mapToLong(AccessUnit::ptsUs).min().orElseThrow();
                needsKeyFrame = gate.await(firstUs, lastUs) == PublishBarrier.Verdict.DISCARD;
                if (!needsKeyFrame) {
                    part.forEach(unit -> publishedUs.add(unit.ptsUs()));
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Presentation times of the frames that viewers see. Call it after the thread's end. */
    Set<Long> published() {
        return publishedUs;
    }
}
