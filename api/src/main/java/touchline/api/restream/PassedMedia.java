package touchline.api.restream;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.Interruption;
import touchline.media.Timeline;
import touchline.media.hub.Feed;
import touchline.media.hub.PublishBarrier;
import touchline.packager.hls.MediaBlock;
import touchline.packager.hls.PartSink;
import touchline.packager.isobmff.Fragment;

/**
 * The media of a session behind its gate, as a feed: the units of each part that the packager has
 * published, while the gate is shut. Its times are those of the program. The packager's thread
 * writes, any may read the feed.
 */
public final class PassedMedia implements PartSink {
    private final Feed feed = new Feed();
    private final PublishBarrier gate;

    // Set once, by any thread.
    private volatile boolean used;

    // The packager's thread.
    private @Nullable Timeline timeline;

    PassedMedia(PublishBarrier gate) {
        this.gate = gate;
    }

    /** From now on the feed may have readers. Without, it stays empty. */
    void use() {
        used = true;
    }

    /** Holds media only while the gate is shut. */
    Feed feed() {
        return feed;
    }

    @Override
    public void units(Timeline current, List<Fragment.Run> runs) {
        if (!used) {
            return;
        }
        if (!gate.isShut()) {
            // Wakes readers that came while the gate was shut: they go on with the program.
            timeline = null;
            feed.offer(Interruption.PUBLISHER_GONE);
            feed.flush();
            return;
        }
        Timeline before = timeline;
        if (before == null || before.sequence() != current.sequence()) {
            timeline = current;
            feed.offer(current);
        }
        inDecodeOrder(runs).forEach(feed::offer);
        feed.flush();
    }

    /** A key frame comes before the audio beside it: a reader may start with it. */
    private static List<AccessUnit> inDecodeOrder(List<Fragment.Run> runs) {
        List<AccessUnit> units = new ArrayList<>();
        for (Fragment.Run run : runs) {
            run.samples().forEach(sample -> units.add(sample.unit()));
        }
        units.sort(Comparator.comparingLong(AccessUnit::dtsUs));
        return units;
    }

    @Override
    public void initSegment(int number, Timeline current, MediaBlock bytes) {}

    @Override
    public void part(FinishedPart part) {}

    @Override
    public void sealed(SealedSegment segment) {}

    @Override
    public void end() {
        feed.end();
    }
}
