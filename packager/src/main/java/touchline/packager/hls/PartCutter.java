package touchline.packager.hls;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.Timeline;
import touchline.media.Track;
import touchline.media.hub.PublishBarrier;
import touchline.packager.isobmff.Fragment.Run;
import touchline.packager.isobmff.Fragment.Sample;

/**
 * Cuts the units of a timeline into parts and segments. The packager's thread.
 *
 * <p>The leading track (video, else audio) decides where parts end ({@link #cutPart}) and where
 * segments end ({@link #cutSegment}); the rules are the {@link Segmenter}'s. Audio goes into the
 * part that contains its decode time. Audio that arrives later goes into the next part: parts never
 * wait. Sums of durations are exact, since every duration is the distance of two decode times.
 *
 * <p>If parts are listed and the leading track is steady, a part is published with the arrival of
 * its last unit: the end of that unit is predicted (see {@link SampleQueue}). A segment that ends
 * before a key frame is sealed when the key frame arrives.
 *
 * <p>A new timeline, {@value #MAX_GAP_US} microseconds without a unit of the leading track, and a
 * discarded part end the segment. The next segment starts with a key frame, behind a discontinuity.
 * If the barrier discards a part, everything up to that key frame is discarded.
 */
final class PartCutter {
    /** No EXT-X-TARGETDURATION is shorter. */
    static final long MAX_GAP_US = 4_000_000;

    /** Tracks of the same media time do not end together: a unit of audio is shorter than this. */
    private static final long SEAM_US = 50_000;

    private static final long NOWHERE = Long.MIN_VALUE / 4;

    private final PartPublisher publisher;
    private final Segmenter segmenter;
    private final PartDurationLimiter limiter;
    private final List<Sample> part = new ArrayList<>();
    private final GopIntervalEstimator keyFrames = new GopIntervalEstimator();
    private @Nullable Timeline timeline;
    private @Nullable SampleQueue leading;
    private @Nullable SampleQueue following;

    /** Parts are listed: publish them early. */
    private final boolean early;

    private boolean waitsForKeyFrame;
    private boolean discarded;

    /** The part being published is probably the last of its segment. */
    private boolean segmentIsDue;

    private long partBytes;
    private long lateUnits;

    /** Where the newest published part of the timeline ends. */
    private long publishedUs = NOWHERE;

    /** The timeline before ended here, in the same media time; until the first part. */
    private long seamUs = NOWHERE;

    PartCutter(PartPublisher publisher, LatencyProfile profile) {
        this.publisher = publisher;
        this.segmenter = new Segmenter(profile);
        this.early = profile.listsParts();
        this.limiter = new PartDurationLimiter(segmenter, early);
    }

    /** Starts a timeline, behind a discontinuity. */
    void begin(Timeline started) {
        timeline = started;
        Track lead = started.video().orElseGet(() -> started.tracks().getFirst());
        leading = new SampleQueue(lead);
        following =
                started.video().isPresent()
                        ? started.audio().map(SampleQueue::new).orElse(null)
                        : null;
        waitsForKeyFrame = false;
        discarded = false;
        publishedUs = NOWHERE;
        seamUs = NOWHERE;
        keyFrames.clear();
        publisher.discontinuity();
        segmenter.restart();
    }

    /**
     * Starts a timeline of the same media time as the one before. Durations count from the end of
     * that one, not from the first unit close to it.
     */
    void continueWith(Timeline started) {
        long endUs = endUs();
        begin(started);
        seamUs = endUs;
    }

    /** Adds a unit of the timeline. */
    void accept(AccessUnit unit) throws InterruptedException {
        SampleQueue lead = leading;
        SampleQueue follow = following;
        if (lead != null && unit.track().id() == lead.track().id()) {
            acceptLeading(lead, unit);
        } else if (follow != null && unit.track().id() == follow.track().id()) {
            acceptFollowing(follow, unit);
        }
    }

    /** The barrier has discarded the newest media, and nothing was published since. */
    boolean isDiscarding() {
        return discarded;
    }

    /** Units that came too late. */
    long lateUnits() {
        return lateUnits;
    }

    private void acceptLeading(SampleQueue lead, AccessUnit unit) throws InterruptedException {
        if (lead.newest().isPresent()) {
            long distanceUs = lead.distanceUs(unit);
            if (distanceUs <= 0) {
                lateUnits++;
                return;
            }
            if (distanceUs > MAX_GAP_US) {
                finish();
                dropUntilKeyFrame();
            }
        }
        // Flushes the pending unit before the new one takes its place.
        boolean canStart = unit.idr();
        Optional<Sample> sample = waitsForKeyFrame ? Optional.empty() : lead.complete(unit);
        if (sample.isPresent()) {
            advance(lead, limiter.limit(lead, sample.get()), canStart);
        } else if (canStart && !waitsForKeyFrame) {
            cut(segmenter.beforeKeyFrame(unit.dtsUs()));
        }
        if (waitsForKeyFrame) {
            lead.clear();
            if (canStart) {
                waitsForKeyFrame = false;
                lead.complete(unit);
            }
        }
        if (!waitsForKeyFrame && early) {
            if (unit.isKeyFrame()) {
                keyFrames.keyFrame(unit.dtsUs());
            }
            advanceEarly(lead, unit);
        }
    }

    /** Ends the part with the unit just added, if it is the last one and its end is predictable. */
    private void advanceEarly(SampleQueue lead, AccessUnit unit) throws InterruptedException {
        OptionalLong expected = lead.expectedEndTicks();
        if (expected.isEmpty()) {
            return;
        }
        long endTicks = limiter.clampToPart(lead.track().timescale(), expected.getAsLong());
        long startUs = lead.startUs();
        long endUs = lead.track().timescale().toUs(endTicks);
        boolean nextCanStart = !lead.track().isVideo();
        long bytes = partBytes + unit.payload().byteSize();
        if (endUs > startUs && segmenter.fills(startUs, endUs, nextCanStart, bytes)) {
            segmentIsDue = keyFrames.isDue(endUs) && segmenter.isLongEnough(endUs);
            advance(lead, lead.completeAt(endTicks), nextCanStart);
            segmentIsDue = false;
        }
    }

    private void acceptFollowing(SampleQueue follow, AccessUnit unit) {
        if (waitsForKeyFrame) {
            return;
        }
        if (follow.newest().isPresent() && follow.distanceUs(unit) <= 0) {
            lateUnits++;
            return;
        }
        follow.queue(unit);
    }

    /** Adds a sample of the leading track; {@code nextCanStart}: the next unit is a key frame. */
    private void advance(SampleQueue lead, Sample sample, boolean nextCanStart)
            throws InterruptedException {
        cut(segmenter.before(startUs(sample), sample.endUs()));
        if (waitsForKeyFrame) {
            return;
        }
        Sample added = part.isEmpty() ? limiter.first(lead, sample) : sample;
        part.add(added);
        partBytes += added.unit().payload().byteSize();
        cut(
                segmenter.after(
                        added.endUs(), PartDurationLimiter.unitUs(added), nextCanStart, partBytes));
    }

    /** Where a part starts with this sample. */
    private long startUs(Sample first) {
        return seamUs == NOWHERE || first.startUs() > seamUs + SEAM_US ? first.startUs() : seamUs;
    }

    private void cut(Segmenter.Cut cut) throws InterruptedException {
        switch (cut) {
            case NONE -> {}
            case PART -> cutPart();
            case SEGMENT -> cutSegment();
        }
    }

    /** Ends the part. Its segment continues. */
    private void cutPart() throws InterruptedException {
        if (publishPart(Following.BEFORE_END, NOWHERE)) {
            segmenter.partEnded();
        }
    }

    /** Ends the segment: with the part, or at the end of the last part if none has begun. */
    private void cutSegment() throws InterruptedException {
        segmentIsDue = true;
        if (part.isEmpty() || publishPart(Following.BEFORE_END, NOWHERE)) {
            seal();
        }
        segmentIsDue = false;
    }

    /** Publishes everything, audio behind the last frame too, and ends the segment. */
    void finish() throws InterruptedException {
        finish(Following.ALL, NOWHERE);
    }

    /**
     * Publishes everything, and ends the segment.
     *
     * @param nextUs where the next timeline of the same media time starts
     */
    void finishBefore(long nextUs) throws InterruptedException {
        finish(Following.ALL, nextUs);
    }

    /**
     * Publishes all frames with the audio beside them, and ends the segment.
     *
     * @return the audio behind the last frame, in order
     */
    List<AccessUnit> finishFrames() throws InterruptedException {
        finish(Following.BEFORE_END, NOWHERE);
        SampleQueue follow = following;
        return follow == null ? List.of() : follow.takeUnits();
    }

    private void finish(Following audio, long nextUs) throws InterruptedException {
        SampleQueue lead = leading;
        if (lead != null && !waitsForKeyFrame) {
            Optional<Sample> last = lead.completeLast(end -> limiter.endOfLast(lead, end));
            if (last.isPresent()) {
                cut(segmenter.before(startUs(last.get()), last.get().endUs()));
                if (!waitsForKeyFrame) {
                    part.add(part.isEmpty() ? limiter.first(lead, last.get()) : last.get());
                }
            }
            publishPart(audio, nextUs);
        }
        seal();
        publisher.discontinuity();
        segmenter.restart();
    }

    /** Where published media of the timeline ends; its start if there is none. */
    long endUs() {
        if (publishedUs != NOWHERE) {
            return publishedUs;
        }
        Timeline current = timeline;
        return seamUs == NOWHERE && current != null ? current.startUs() : seamUs;
    }

    /** What goes into a part beside its leading track. */
    private enum Following {
        /** Audio that starts before the part's end. */
        BEFORE_END,
        /** All of it: the timeline ends. */
        ALL
    }

    /**
     * Publishes the growing part.
     *
     * @param nextUs where the next timeline of the same media time starts, if it does
     * @return false when there was no part, or the barrier discarded it
     */
    private boolean publishPart(Following audio, long nextUs) throws InterruptedException {
        Timeline current = timeline;
        SampleQueue lead = leading;
        if (part.isEmpty() || current == null || lead == null) {
            return false;
        }
        long startUs = startUs(part.getFirst());
        long lastUs = part.getLast().endUs();
        long seam = Math.min(nextUs, segmenter.latestEndUs());
        long endUs = Math.max(startUs + 1, Math.abs(seam - lastUs) <= SEAM_US ? seam : lastUs);
        List<Run> runs = new ArrayList<>(List.of(new Run(lead.track(), part)));
        SampleQueue follow = following;
        if (follow != null) {
            List<Sample> audioSamples =
                    audio == Following.ALL ? follow.takeAll() : follow.takeBefore(lastUs, early);
            if (!audioSamples.isEmpty()) {
                runs.add(new Run(follow.track(), audioSamples));
            }
        }
        part.clear();
        partBytes = 0;
        PublishBarrier.Verdict verdict =
                publisher.publish(
                        new PartPublisher.PartBuilder(current, startUs, endUs, segmentIsDue, runs));
        if (verdict == PublishBarrier.Verdict.PASS) {
            seamUs = NOWHERE;
            publishedUs = endUs;
            discarded = false;
            return true;
        }
        discard();
        return false;
    }

    private void discard() {
        seal();
        publisher.discontinuity();
        segmenter.restart();
        dropUntilKeyFrame();
        discarded = true;
    }

    /** Drops all queued media, and everything up to the next key frame. */
    void dropUntilKeyFrame() {
        part.clear();
        partBytes = 0;
        if (leading != null) {
            leading.clear();
        }
        if (following != null) {
            following.clear();
        }
        keyFrames.clear();
        waitsForKeyFrame = true;
    }

    /** Drops the growing part after a failure. The next unit follows a discontinuity. */
    void reset() {
        part.clear();
        partBytes = 0;
        segmentIsDue = false;
        publisher.discontinuity();
        segmenter.restart();
    }

    /** The timeline is over. */
    void clear() {
        timeline = null;
        leading = null;
        following = null;
    }

    /** Ends the segment if it has a part. */
    void seal() {
        long durationUs = publisher.segmentUs();
        if (durationUs > 0) {
            segmenter.segmentEnded(durationUs);
            publisher.seal(segmenter.targetDurationS(), segmenter.partTargetUs());
        }
    }
}
