package touchline.media.hub;

import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.Timeline;
import touchline.media.Timescale;
import touchline.media.Track;

/**
 * Converts a publisher's timestamps to media time that rises over the whole session. One for each
 * publication, called by its event loop only.
 *
 * <p>A timeline begins with a key frame (without video, with audio) at the end of the timeline
 * before it. All tracks move by the same amount, so audio and video stay in sync. Timestamps that
 * go back, or jump ahead by more than 2 s, end the timeline; the next one begins with the next key
 * frame. If audio drifts more than 1 s from video, audio timestamps are re-aligned to video. Frames
 * that stopped while audio went on ({@link VideoGap}) continue with a key frame. A timeline opens
 * only if its publication may write then.
 *
 * <pre>
 * begin(tracks)             next = tracks          units of unchanged tracks still pass
 * key frame of next         open a timeline        audio that came too early passes
 * timestamp does not fit    next = tracks, close   units wait for the next key frame
 * </pre>
 */
final class TimestampNormalizer {
    private static final long JUMP_US = 2_000_000;

    /** A smaller step back is a unit out of order; the smoother makes decode times rise. */
    private static final long BACK_US = 500_000;

    /** Audio that waits for a key frame, or for video to make the same jump. */
    private static final int MAX_EARLY_UNITS = 512;

    /** How long audio waits for declared video before it continues alone. */
    private static final long MAX_VIDEO_WAIT_US = 5_000_000;

    /** Maximum audio/video offset before re-alignment. */
    private static final long MAX_OFFSET_US = 1_000_000;

    /** Frames that come back this far behind their audio were stamped by a clock that stood. */
    private static final long MAX_STANDSTILL_US = 5_000_000;

    private final InstantSource clock;
    private final IngestMonitor monitor;
    private final BooleanSupplier claim;
    private final Consumer<FeedItem> out;
    private final ArrayDeque<AccessUnit> early = new ArrayDeque<>();
    private @Nullable List<Track> next;
    private boolean videoSeen;
    private @Nullable TrackTimelines open;

    /** Timestamps of frames are not smoothed. */
    private boolean exact;

    /** By which audio was moved against video. */
    private long audioShiftUs;

    /** Media time of the first unit sent, and of the newest. */
    private long firstUs = Long.MIN_VALUE;

    private long newestUs;

    /**
     * @param claim asked before a timeline opens; while it is false, units are dropped
     * @param out receives timelines, and units in media time
     */
    TimestampNormalizer(
            InstantSource clock,
            IngestMonitor monitor,
            BooleanSupplier claim,
            Consumer<FeedItem> out) {
        this.clock = clock;
        this.monitor = monitor;
        this.claim = claim;
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
            pass(open, unit);
        } else if (next != null && !unit.track().isVideo() && next.contains(unit.track())) {
            keep(unit);
            continueWithoutVideo(next);
        }
    }

    /** Another writer is selected: the next timeline begins with a key frame. Idempotent. */
    void suspend() {
        TrackTimelines opened = open;
        if (opened != null) {
            next = next == null ? opened.tracks : next;
            open = null;
            early.clear();
        }
    }

    /** Whether the timestamps of the frames that follow are exact, and not to be smoothed. */
    void exact(boolean now) {
        exact = now;
    }

    /** Moves audio against video, by this much in all, in this timeline and the next ones. */
    void shiftAudio(long us) {
        TrackTimelines opened = open;
        if (opened != null && opened.tracks.size() > 1) {
            opened.timelines.getLast().shift(us - audioShiftUs);
        }
        audioShiftUs = us;
    }

    /** Media time less the publisher's time, of the leading track; 0 without a timeline. */
    long offsetUs() {
        TrackTimelines opened = open;
        return opened == null ? 0 : opened.timelines.getFirst().offsetUs;
    }

    /** Whether a unit was sent. */
    boolean hasSent() {
        return firstUs != Long.MIN_VALUE;
    }

    /** Media time minus the publisher's, of one kind; empty while no timeline is open. */
    OptionalLong offsetUs(boolean video) {
        TrackTimelines now = open;
        return now == null ? OptionalLong.empty() : OptionalLong.of(now.of(video).offsetUs);
    }

    /** Media time from the first unit sent to the newest. */
    long sentUs() {
        return newestUs - firstUs;
    }

    private static boolean opens(List<Track> tracks, AccessUnit unit) {
        boolean hasVideo = tracks.getFirst().isVideo();
        return (unit.isKeyFrame() || !hasVideo) && tracks.contains(unit.track());
    }

    private void open(List<Track> tracks, AccessUnit first) {
        if (!claim.getAsBoolean()) {
            return;
        }
        Timescale timescale = first.track().timescale();
        long startTicks = timescale.fromUs(monitor.nextStartUs());
        if (timescale.toUs(startTicks) < monitor.nextStartUs()) {
            startTicks++;
        }
        long startUs = timescale.toUs(startTicks);
        var opened = new TrackTimelines(tracks, startUs, startUs - first.dtsUs());
        if (tracks.size() > 1) {
            opened.timelines.getLast().shift(audioShiftUs);
        }
        open = opened;
        next = null;
        List<AccessUnit> waiting = List.copyOf(early);
        early.clear();
        out.accept(new Timeline(monitor.nextSequence(), tracks, startUs, clock.instant()));
        pass(opened, first);
        for (AccessUnit unit : waiting) {
            if (tracks.contains(unit.track())
                    && unit.dtsUs() >= first.dtsUs()
                    && fits(opened, unit)) {
                pass(opened, unit);
            }
        }
    }

    /** Audio of a publisher that declares video and sends none continues alone. */
    private void continueWithoutVideo(List<Track> wanted) {
        AccessUnit oldest = early.getFirst();
        long waitedUs = early.getLast().dtsUs() - oldest.dtsUs();
        if (videoSeen || open != null || waitedUs < MAX_VIDEO_WAIT_US) {
            return;
        }
        early.removeFirst();
        open(List.of(oldest.track()), oldest);
        next = wanted;
        if (open != null) {
            monitor.withoutVideo(waitedUs);
        }
    }

    private void keep(AccessUnit unit) {
        if (early.size() >= MAX_EARLY_UNITS) {
            early.removeFirst();
        }
        early.add(unit);
    }

    private void pass(TrackTimelines opened, AccessUnit unit) {
        TrackTimeline track = opened.of(unit.track());
        long mediaUs = unit.dtsUs() + track.offsetUs;
        if (!fits(opened, unit)) {
            misfit(opened, track, unit, mediaUs);
            return;
        }
        if (!unit.track().isVideo()) {
            early.clear();
            opened.gap.audio(mediaUs);
        } else if (!continuesFrames(opened, unit, mediaUs)) {
            return;
        }
        track.newestUs = Math.max(track.newestUs, mediaUs);
        if (mediaUs >= opened.startUs) {
            (exact && unit.track().isVideo() ? Optional.of(track.exact(unit)) : track.place(unit))
                    .ifPresent(this::send);
        }
    }

    /** Whether a frame is sent: behind a gap, from a key frame on. */
    private boolean continuesFrames(TrackTimelines opened, AccessUnit frame, long mediaUs) {
        opened.waitsForKeyFrame |= opened.gap.isOpen();
        opened.gap.frame(mediaUs);
        if (!opened.waitsForKeyFrame) {
            return true;
        }
        if (!frame.isKeyFrame()) {
            return false;
        }
        opened.waitsForKeyFrame = false;
        if (opened.newestUs() - mediaUs > MAX_STANDSTILL_US) {
            reopen(opened, frame, mediaUs);
            return false;
        }
        return true;
    }

    private void send(AccessUnit unit) {
        newestUs = unit.dtsUs();
        if (firstUs == Long.MIN_VALUE) {
            firstUs = newestUs;
        }
        out.accept(unit);
    }

    /** Whether a unit continues its track and lies near the other one. */
    private static boolean fits(TrackTimelines opened, AccessUnit unit) {
        TrackTimeline track = opened.of(unit.track());
        long mediaUs = unit.dtsUs() + track.offsetUs;
        long newestUs = Math.max(opened.startUs, opened.newestUs());
        long oldestUs =
                track.newestUs == TrackTimeline.NEVER
                        ? newestUs - JUMP_US
                        : track.newestUs - BACK_US;
        return mediaUs >= oldestUs && mediaUs <= newestUs + JUMP_US;
    }

    private void misfit(TrackTimelines opened, TrackTimeline track, AccessUnit unit, long mediaUs) {
        long byUs = mediaUs - Math.max(opened.startUs, opened.newestUs());
        boolean alone = opened.tracks.size() == 1;
        if (!unit.track().isVideo() && !alone) {
            keep(unit);
            if (early.getLast().dtsUs() - early.getFirst().dtsUs() > MAX_OFFSET_US
                    || early.getLast().dtsUs() < early.getFirst().dtsUs()) {
                monitor.jumped(byUs);
                early.clear();
                track.moveTo(unit, opened.newestUs());
                pass(opened, unit);
            }
            return;
        }
        reopen(opened, unit, mediaUs);
    }

    /** Ends the timeline. The next one begins with this unit, if it can. */
    private void reopen(TrackTimelines opened, AccessUnit unit, long mediaUs) {
        monitor.jumped(mediaUs - Math.max(opened.startUs, opened.newestUs()));
        next = next == null ? opened.tracks : next;
        open = null;
        if (opens(next, unit)) {
            open(next, unit);
        }
    }

    /** The tracks of an open timeline. */
    private final class TrackTimelines {
        private final List<Track> tracks;
        private final long startUs;
        private final List<TrackTimeline> timelines = new ArrayList<>();
        private final VideoGap gap = new VideoGap();
        private boolean waitsForKeyFrame;

        TrackTimelines(List<Track> tracks, long startUs, long offsetUs) {
            this.tracks = tracks;
            this.startUs = startUs;
            tracks.forEach(
                    track -> timelines.add(new TrackTimeline(track, startUs, offsetUs, monitor)));
        }

        TrackTimeline of(Track track) {
            return of(track.isVideo());
        }

        TrackTimeline of(boolean video) {
            TrackTimeline first = timelines.getFirst();
            return first.track.isVideo() == video ? first : timelines.getLast();
        }

        long newestUs() {
            return Math.max(timelines.getFirst().newestUs, timelines.getLast().newestUs);
        }
    }
}
