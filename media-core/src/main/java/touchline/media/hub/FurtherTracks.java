package touchline.media.hub;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.Timeline;

/**
 * The further tracks that a session's publishers send beside the source (Enhanced RTMP v2
 * multitrack): at most {@value #MAX_VIDEO} of video and {@value #MAX_AUDIO} of audio. They have the
 * source's timelines: their times move by the same amount. Only the publisher whose timeline the
 * source has is listened to.
 *
 * <p>Written by the publisher's event loop, read by any thread. Locks: this one, then the source's
 * and a track's feed.
 */
public final class FurtherTracks {
    public static final int MAX_VIDEO = 5;
    public static final int MAX_AUDIO = 4;

    /** A track whose key frames did not fall together is taken again after so many that did. */
    private static final int TAKEN_BACK_AFTER = 8;

    private final Feed source;
    private final IngestMonitor monitor;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<TrackNumber, FurtherTrack> tracks = new LinkedHashMap<>();

    @GuardedBy("lock")
    private Map<TrackNumber, TrackLabel> labels = Map.of();

    @GuardedBy("lock")
    private boolean ended;

    private volatile List<FurtherTrack> listed = List.of();
    private volatile Runnable onChange = () -> {};

    FurtherTracks(Feed source, IngestMonitor monitor) {
        this.source = source;
        this.monitor = monitor;
    }

    /** In the order in which they appeared. */
    public List<FurtherTrack> list() {
        return listed;
    }

    /** Whether the track's units belong to what the source sends now. */
    public boolean isSending(FurtherTrack track) {
        lock.lock();
        try {
            return track.isIn(source.timeline());
        } finally {
            lock.unlock();
        }
    }

    /** Whether the source goes on without the track: its timeline is another one. */
    public boolean isLeft(FurtherTrack track) {
        lock.lock();
        try {
            Timeline now = source.timeline();
            return now != null && !track.isIn(now);
        } finally {
            lock.unlock();
        }
    }

    /** What the publisher's metadata says about a track. */
    public TrackLabel label(TrackNumber number) {
        lock.lock();
        try {
            return labels.getOrDefault(number, TrackLabel.NONE);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sets what is called when a track appears, changes or ends, or its label does: on the
     * publisher's event loop, without a lock. It must return at once.
     */
    public void listen(Runnable listener) {
        onChange = listener;
    }

    /** Metadata of the publisher. */
    void describe(Map<TrackNumber, TrackLabel> said) {
        lock.lock();
        try {
            labels = Map.copyOf(said);
        } finally {
            lock.unlock();
        }
        onChange.run();
    }

    /** A track is not taken: a warning of the session. */
    void refused(TrackNumber number, String reason) {
        monitor.found(
                IngestReport.MULTITRACK_REFUSED,
                "%s is not served: %s; the first tracks are not concerned"
                        .formatted(number, reason));
    }

    /**
     * A unit in media time.
     *
     * @param of the publisher's timeline; the unit is dropped unless it is the source's
     */
    void offer(TrackNumber number, AccessUnit unit, Timeline of) {
        boolean changed;
        lock.lock();
        try {
            if (ended || !of.equals(source.timeline())) {
                return;
            }
            FurtherTrack known = tracks.get(number);
            boolean replaced = known == null || !isUsable(known, unit);
            FurtherTrack track = replaced ? replace(number, known, unit) : known;
            if (track == null) {
                return;
            }
            boolean together = track.offer(unit, of);
            boolean spoilt = !together && misaligned(track);
            changed = replaced || spoilt;
        } finally {
            lock.unlock();
        }
        if (changed) {
            onChange.run();
        }
    }

    /** A key frame of the publisher's first video track, in media time. */
    void sourceKeyFrame(long ptsTicks, Timeline of) {
        if (listed.isEmpty()) {
            return;
        }
        boolean changed = false;
        lock.lock();
        try {
            for (FurtherTrack each : tracks.values()) {
                changed |= !each.sourceKeyFrame(ptsTicks, of) && misaligned(each);
            }
        } finally {
            lock.unlock();
        }
        if (changed) {
            onChange.run();
        }
    }

    @GuardedBy("lock")
    private boolean isUsable(FurtherTrack known, AccessUnit unit) {
        boolean backTogether =
                !known.isAligned() && unit.idr() && known.alignedInARow() >= TAKEN_BACK_AFTER;
        return known.track().equals(unit.track()) && !backTogether;
    }

    /** Null where the unit cannot start a track. */
    @GuardedBy("lock")
    private @Nullable FurtherTrack replace(
            TrackNumber number, @Nullable FurtherTrack before, AccessUnit unit) {
        if (!unit.idr() || (before == null && !hasRoom(number.video()))) {
            return null;
        }
        if (before != null) {
            before.end();
        }
        FurtherTrack made = new FurtherTrack(number, unit.track(), lock);
        tracks.put(number, made);
        listed = List.copyOf(tracks.values());
        return made;
    }

    /** Tracks of an earlier publisher make room. */
    @GuardedBy("lock")
    private boolean hasRoom(boolean video) {
        Timeline now = source.timeline();
        int most = video ? MAX_VIDEO : MAX_AUDIO;
        if (count(video) >= most) {
            tracks.values().stream()
                    .filter(each -> each.number().video() == video && !each.isIn(now))
                    .findFirst()
                    .ifPresent(
                            gone -> {
                                gone.end();
                                tracks.remove(gone.number());
                            });
        }
        return count(video) < most;
    }

    @GuardedBy("lock")
    private long count(boolean video) {
        return tracks.keySet().stream().filter(each -> each.video() == video).count();
    }

    /** False if that was known. */
    @GuardedBy("lock")
    private boolean misaligned(FurtherTrack track) {
        if (!track.isAligned()) {
            return false;
        }
        track.misaligned();
        monitor.found(
                IngestReport.MULTITRACK_KEY_FRAMES,
                "key frames of %s and of the first video track do not fall together, so it is not"
                                .formatted(track.number())
                        + " served: set the same key frame interval for all video tracks, and"
                        + " scene cut detection off");
        return true;
    }

    /** The publisher is gone. */
    void interrupt() {
        lock.lock();
        try {
            tracks.values().forEach(FurtherTrack::interrupt);
        } finally {
            lock.unlock();
        }
    }

    /** Wakes the readers. */
    void flush() {
        for (FurtherTrack each : listed) {
            each.flush();
        }
    }

    /** The session has ended. */
    void end() {
        lock.lock();
        try {
            ended = true;
            tracks.values().forEach(FurtherTrack::end);
        } finally {
            lock.unlock();
        }
    }
}
