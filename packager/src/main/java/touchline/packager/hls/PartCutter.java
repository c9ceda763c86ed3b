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

    private final PartPublisher publisher;
    private final Segmenter segmenter;
    private final PartDurationLimiter limiter;
    private final GrowingPart part = new GrowingPart();
    private final GopIntervalEstimator keyFrames = new GopIntervalEstimator();
    private @Nullable Timeline timeline;
    private @Nullable SampleQueue leading;
    private @Nullable SampleQueue following;

    /** Parts are listed: publish them early. */
    private final boolean early;

    private boolean waitsForKeyFrame;
    private boolean discarded;
    private boolean holding;

    /** The part being published is probably the last of its segment. */
    private boolean segmentIsDue;

    private long lateUnits;

    PartCutter(PartPublisher publisher, Segmenter segmenter, LatencyProfile profile) {
        this.publisher = publisher;
        this.segmenter = segmenter;
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
        holding = false;
        part.clear();
        keyFrames.clear();
        publisher.discontinuity();
        segmenter.restart();
        segmenter.nominal(NominalUnit.us(lead.codec()));
    }

    /**
     * The frames of the timeline have stopped. Ends the segment; the next one starts with a
     * repeated frame.
     */
    void startHold(AccessUnit repeated) throws InterruptedException {
        holding = true;
        keyFrames.clear();
        accept(repeated);
        if (!waitsForKeyFrame && !(part.isEmpty() && publisher.segmentUs() == 0)) {
            cutSegment();
        }
    }

    /** The frames are back. */
    void endHold() {
        holding = false;
    }

    /** From one repeated frame to the next: each is a part. */
    long repeatUs() {
        return segmenter.partTargetUs();
    }

    /** Where the last frame ends; empty if none has come since a failure. */
    OptionalLong nextFrameTicks() {
        return leading == null ? OptionalLong.empty() : leading.nextTicks();
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
        if (!waitsForKeyFrame && early && !holding) {
            if (unit.isKeyFrame()) {
                keyFrames.keyFrame(unit.dtsUs());
            }
            advanceEarly(lead, unit);
        }
    }

    /** Ends the part with the unit just added, if it is the last one and its end is predictable. */
    private void advanceEarly(SampleQueue lead, AccessUnit unit) throws InterruptedException {
        OptionalLong expected = lead.expectedEndTicks();
        if (expected.isEmpty() || spansParts(lead)) {
            return;
        }
        long endTicks = limiter.clampToPart(lead.track().timescale(), expected.getAsLong());
        long startUs = lead.startUs();
        long endUs = lead.track().timescale().toUs(endTicks);
        boolean nextCanStart = !lead.track().isVideo();
        long bytes = part.bytes() + unit.payload().byteSize();
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
        if (spansParts(lead)) {
            advanceThroughParts(sample, nextCanStart);
            return;
        }
        cut(segmenter.before(sample));
        if (waitsForKeyFrame) {
            return;
        }
        Sample added = part.hasNoSample() ? limiter.first(lead, sample) : sample;
        part.add(added);
        cut(
                segmenter.after(
                        added.endUs(),
                        PartDurationLimiter.unitUs(added),
                        nextCanStart,
                        part.bytes()));
    }

    /** Frames last longer than parts: audio fills the parts in which no frame starts. */
    private boolean spansParts(SampleQueue lead) {
        return following != null && limiter.isSlow(lead);
    }

    private void advanceThroughParts(Sample sample, boolean nextCanStart)
            throws InterruptedException {
        long fromUs = sample.startUs();
        cut(segmenter.before(fromUs, fromUs + 1));
        if (waitsForKeyFrame) {
            return;
        }
        part.add(sample);
        while (fromUs < sample.endUs() && !waitsForKeyFrame) {
            // If there is no audio either, the part goes on.
            long limitUs = segmenter.latestEndUs();
            long toUs = limitUs > fromUs ? Math.min(sample.endUs(), limitUs) : sample.endUs();
            boolean isLast = toUs == sample.endUs();
            part.extend(fromUs, toUs);
            Segmenter.Cut cut =
                    segmenter.after(toUs, toUs - fromUs, isLast && nextCanStart, part.bytes());
            cut(cut == Segmenter.Cut.NONE && !isLast ? Segmenter.Cut.PART : cut);
            fromUs = toUs;
        }
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
        if (publishPart(/* takesAll= */ false)) {
            segmenter.partEnded();
        }
    }

    /** Ends the segment: with the part, or at the end of the last part if none has begun. */
    private void cutSegment() throws InterruptedException {
        segmentIsDue = true;
        if (part.isEmpty() || publishPart(/* takesAll= */ false)) {
            seal();
        }
        segmentIsDue = false;
    }

    /** Publishes everything, audio behind the last frame too, and ends the segment. */
    void finish() throws InterruptedException {
        SampleQueue lead = leading;
        if (lead != null && !waitsForKeyFrame) {
            Optional<Sample> last = lead.completeLast(end -> endOfLast(lead, end));
            if (last.isPresent()) {
                cut(segmenter.before(last.get()));
                if (!waitsForKeyFrame) {
                    Sample sample = last.get();
                    part.add(part.hasNoSample() ? limiter.first(lead, sample) : sample);
                }
            }
            publishPart(/* takesAll= */ true);
        }
        seal();
        publisher.discontinuity();
        segmenter.restart();
    }

    /** A repeated frame ends with the audio. */
    private long endOfLast(SampleQueue lead, long guessedTicks) {
        SampleQueue follow = following;
        if (!holding || follow == null || follow.nextTicks().isEmpty()) {
            return limiter.endOfLast(lead, guessedTicks);
        }
        long endUs = follow.track().timescale().toUs(follow.nextTicks().getAsLong());
        return lead.track().timescale().fromUs(endUs);
    }

    /**
     * Publishes the growing part; false when there was none, or the barrier discarded it.
     *
     * @param takesAll all queued audio goes into it, not only what starts before its end
     */
    private boolean publishPart(boolean takesAll) throws InterruptedException {
        Timeline current = timeline;
        SampleQueue lead = leading;
        if (part.isEmpty() || current == null || lead == null) {
            return false;
        }
        long startUs = part.startUs();
        long endUs = part.endUs();
        List<Run> runs = new ArrayList<>(2);
        part.addRun(lead.track(), runs);
        if (following != null) {
            following.addRun(takesAll ? Long.MAX_VALUE : endUs, runs);
        }
        if (runs.isEmpty()) {
            return false;
        }
        part.clear();
        PublishBarrier.Verdict verdict =
                publisher.publish(
                        new PartPublisher.PartBuilder(current, startUs, endUs, segmentIsDue, runs));
        if (verdict == PublishBarrier.Verdict.PASS) {
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
