package touchline.media.hub;

import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.Timeline;
import touchline.media.Timescale;
import touchline.media.Track;

/**
 * A publisher's times to media time that rises over the whole session. One for each publication,
 * called by its event loop only.
 *
 * <p>A timeline begins with a key frame (with audio where there are no video), at the end of the
 * one before it. All tracks are moved by the same amount, so that audio and video stay together.
 * Times that go back, or on by more than 2 s, end the timeline; the next begins with the next key
 * frame. Audio that leaves its frames alone, while these go on, is led back to them.
 *
 * <pre>
 * begin(tracks)          next = tracks                 units of unchanged tracks still flow
 * key frame of next      open a timeline               audio that came too early is let through
 * time does not fit      next = tracks, close          units wait for the next key frame
 * </pre>
 */
final class TimestampNormalizer {
    private static final long JUMP_US = 2_000_000;

    /** Less is a publisher that stamps in the wrong order; decode times are then made to rise. */
    private static final long BACK_US = 500_000;

    /** Audio that waits for a key frame, or for frames to follow it over a jump. */
    private static final int MAX_EARLY_UNITS = 512;

    /** So long are declared frames waited for before audio goes on without them. */
    private static final long VIDEO_PATIENCE_US = 5_000_000;

    /** So long may audio stand apart from its frames. */
    private static final long ASTRAY_US = 1_000_000;

    private final InstantSource clock;
    private final IngestMonitor monitor;
    private final Consumer<FeedItem> out;

    private final ArrayDeque<AccessUnit> early = new ArrayDeque<>();
    private @Nullable List<Track> next;
    private boolean videoSeen;
    private @Nullable TrackTimelines open;

    TimestampNormalizer(InstantSource clock, IngestMonitor monitor, Consumer<FeedItem> out) {
        this.clock = clock;
        this.monitor = monitor;
        this.out = out;
    }

    /** See {@link Publication#begin}. */
    void begin(List<Track> tracks) {
        List<Track> sorted =
                tracks.stream().sorted(Comparator.comparing(Track::isVideo).reversed()).toList();
        if (sorted.isEmpty()
                || sorted.stream().filter(Track::isVideo).count() > 1
                || sorted.stream().filter(track -> !track.isVideo()).count() > 1) {
            throw new IllegalArgumentException(
                    tracks.size() + " tracks (at least one, at most one of each kind)");
        }
        if (sorted.equals(next)) {
            return;
        }
        boolean same = open != null && open.tracks.equals(sorted);
        next = same ? null : sorted;
        videoSeen = false;
        early.clear();
    }

    /** See {@link Publication#write}. */
    void write(AccessUnit unit) {
        videoSeen |= unit.track().isVideo();
        if (next != null && opens(next, unit)) {
            open(next, unit);
            return;
        }
        if (open != null && open.tracks.contains(unit.track())) {
            flow(open, unit);
        } else if (next != null && !unit.track().isVideo() && next.contains(unit.track())) {
            keep(unit);
            goOnWithoutVideo(next);
        }
    }

    private static boolean opens(List<Track> tracks, AccessUnit unit) {
        boolean hasVideo = tracks.getFirst().isVideo();
        return (unit.isKeyFrame() || !hasVideo) && tracks.contains(unit.track());
    }

    private void open(List<Track> tracks, AccessUnit first) {
        Timescale timescale = first.track().timescale();
        long startTicks = timescale.fromUs(monitor.nextStartUs());
        if (timescale.toUs(startTicks) < monitor.nextStartUs()) {
            startTicks++;
        }
        long startUs = timescale.toUs(startTicks);
        var lanes = new TrackTimelines(tracks, startUs, startUs - first.dtsUs());
        open = lanes;
        next = null;
        List<AccessUnit> waiting = List.copyOf(early);
        early.clear();
        out.accept(new Timeline(monitor.nextSequence(), tracks, startUs, clock.instant()));
        flow(lanes, first);
        for (AccessUnit unit : waiting) {
            if (tracks.contains(unit.track())
                    && unit.dtsUs() >= first.dtsUs()
                    && fits(lanes, unit)) {
                flow(lanes, unit);
            }
        }
    }

    /** Whoever declares frames and sends none is heard all the same. */
    private void goOnWithoutVideo(List<Track> wanted) {
        AccessUnit oldest = early.getFirst();
        boolean patient = early.getLast().dtsUs() - oldest.dtsUs() < VIDEO_PATIENCE_US;
        if (videoSeen || open != null || patient) {
            return;
        }
        early.removeFirst();
        open(List.of(oldest.track()), oldest);
        next = wanted;
    }

    private void keep(AccessUnit unit) {
        if (early.size() >= MAX_EARLY_UNITS) {
            early.removeFirst();
        }
        early.add(unit);
    }

    private void flow(TrackTimelines lanes, AccessUnit unit) {
        TrackTimeline lane = lanes.of(unit.track());
        long mediaUs = unit.dtsUs() + lane.offsetUs;
        if (!fits(lanes, unit)) {
            misfit(lanes, lane, unit, mediaUs);
            return;
        }
        if (!unit.track().isVideo()) {
            early.clear();
        }
        lane.toldUs = Math.max(lane.toldUs, mediaUs);
        if (mediaUs >= lanes.startUs) {
            lane.place(unit).ifPresent(out);
        }
    }

    /** Whether a unit continues its track, and stands beside the other one. */
    private static boolean fits(TrackTimelines lanes, AccessUnit unit) {
        TrackTimeline lane = lanes.of(unit.track());
        long mediaUs = unit.dtsUs() + lane.offsetUs;
        long newestUs = Math.max(lanes.startUs, lanes.newestUs());
        long oldestUs =
                lane.toldUs == TrackTimeline.NEVER ? newestUs - JUMP_US : lane.toldUs - BACK_US;
        return mediaUs >= oldestUs && mediaUs <= newestUs + JUMP_US;
    }

    private void misfit(TrackTimelines lanes, TrackTimeline lane, AccessUnit unit, long mediaUs) {
        long byUs = mediaUs - Math.max(lanes.startUs, lanes.newestUs());
        boolean alone = lanes.tracks.size() == 1;
        if (!unit.track().isVideo() && !alone) {
            keep(unit);
            if (early.getLast().dtsUs() - early.getFirst().dtsUs() > ASTRAY_US
                    || early.getLast().dtsUs() < early.getFirst().dtsUs()) {
                monitor.jumped(byUs);
                early.clear();
                lane.moveTo(unit, lanes.newestUs());
                flow(lanes, unit);
            }
            return;
        }
        monitor.jumped(byUs);
        next = next == null ? lanes.tracks : next;
        open = null;
        if (opens(next, unit)) {
            open(next, unit);
        }
    }

    /** The tracks of an open timeline. */
    private final class TrackTimelines {
        private final List<Track> tracks;
        private final long startUs;
        private final List<TrackTimeline> lanes = new ArrayList<>();

        TrackTimelines(List<Track> tracks, long startUs, long offsetUs) {
            this.tracks = tracks;
            this.startUs = startUs;
            tracks.forEach(
                    track -> lanes.add(new TrackTimeline(track, startUs, offsetUs, monitor)));
        }

        TrackTimeline of(Track track) {
            TrackTimeline first = lanes.getFirst();
            return first.track.isVideo() == track.isVideo() ? first : lanes.getLast();
        }

        long newestUs() {
            return Math.max(lanes.getFirst().toldUs, lanes.getLast().toldUs);
        }
    }
}
