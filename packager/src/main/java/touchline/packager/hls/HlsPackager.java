package touchline.packager.hls;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.Interruption;
import touchline.media.Timeline;
import touchline.media.Track;
import touchline.media.hub.PublishBarrier;
import touchline.media.hub.Subscription;
import touchline.packager.isobmff.Fragment.Run;
import touchline.packager.isobmff.Fragment.Sample;

/**
 * Packages one session: access units in, parts and segments out. Runs on a virtual thread of its
 * own until the feed ends or the thread is interrupted. Then it seals the last segment, ends the
 * window and the sinks, and closes its subscription. After a failure it restarts in the same
 * session: it pauses, drops media up to the next key frame, and continues behind a discontinuity.
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
 * <p>A new timeline, {@value #MAX_GAP_US} microseconds without video, and a discarded part end the
 * segment. The next segment starts with a key frame, behind a discontinuity. If the barrier
 * discards a part, everything up to that key frame is discarded.
 */
public final class HlsPackager implements Runnable {
    private static final Logger log = LoggerFactory.getLogger(HlsPackager.class);

    /** Shorter than any EXT-X-TARGETDURATION. */
    static final long MAX_GAP_US = 5_000_000;

    /** Between a failure and the next try. */
    private static final Duration RESTART_PAUSE = Duration.ofSeconds(1);

    private final Subscription subscription;
    private final LiveWindow window;
    private final PartPublisher publisher;
    private final Segmenter segmenter;
    private final PartDurationLimiter limiter;
    private final List<Sample> part = new ArrayList<>();
    private @Nullable Timeline timeline;
    private @Nullable SampleQueue leading;
    private @Nullable SampleQueue following;
    private final GopIntervalEstimator keyFrames = new GopIntervalEstimator();

    /** Parts are listed: publish them early. */
    private final boolean early;

    private boolean waitsForKeyFrame;

    /** The part being published is probably the last of its segment. */
    private boolean segmentIsDue;

    private long partBytes;
    private long lateUnits;

    /**
     * @param subscription taken over; closed by {@link #run}
     * @param memory holds parts and playlists
     * @param window serves the viewers; its settings name the latency profile
     * @param sinks also get every part, in order
     * @param barrier decides whether a part with video is published
     */
    public HlsPackager(
            Subscription subscription,
            MediaMemory memory,
            LiveWindow window,
            List<PartSink> sinks,
            PublishBarrier barrier) {
        this.subscription = subscription;
        this.window = window;
        this.publisher = new PartPublisher(memory, window, sinks, barrier);
        this.segmenter = Segmenter.of(window);
        this.early = window.settings().profile().listsParts();
        this.limiter = new PartDurationLimiter(segmenter, early);
        List<PartSink> all = List.copyOf(sinks);
        subscription.handsOnTo(() -> all.stream().mapToDouble(PartSink::fullness).max().orElse(0));
    }

    @Override
    public void run() {
        try (subscription) {
            List<FeedItem> batch = new ArrayList<>();
            while (subscription.drain(batch::add)) {
                for (FeedItem item : batch) {
                    acceptOrRestart(item);
                }
                batch.clear();
            }
            endTimeline();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            log.info("session={} packager interrupted", window.session());
        } catch (RuntimeException e) {
            log.error("session={} packager failed", window.session(), e);
        } finally {
            try {
                sealSegment();
                reportLosses();
            } finally {
                publisher.end();
            }
        }
    }

    private void reportLosses() {
        long dropped = subscription.droppedUnits();
        if (lateUnits > 0 || dropped > 0) {
            log.warn("session={} units late={} dropped={}", window.session(), lateUnits, dropped);
        }
    }

    private void acceptOrRestart(FeedItem item) throws InterruptedException {
        try {
            accept(item);
        } catch (RuntimeException e) {
            log.error("session={} packager failed and restarts", window.session(), e);
            Thread.sleep(RESTART_PAUSE);
            restart(item);
        }
    }

    /** Continues with the next key frame, behind a discontinuity. */
    private void restart(FeedItem failed) {
        part.clear();
        partBytes = 0;
        segmentIsDue = false;
        try {
            sealSegment();
        } catch (RuntimeException e) {
            log.error("session={} a segment is not complete", window.session(), e);
        }
        publisher.discontinuity();
        segmenter.restart();
        switch (failed) {
            case Timeline started -> begin(started);
            case Interruption _ -> clearTimeline();
            case AccessUnit _ -> dropUntilKeyFrame();
        }
    }

    private void accept(FeedItem item) throws InterruptedException {
        switch (item) {
            case Timeline started -> {
                endTimeline();
                begin(started);
            }
            case Interruption _ -> endTimeline();
            case AccessUnit unit -> accept(unit);
        }
    }

    private void begin(Timeline started) {
        timeline = started;
        Track lead = started.video().orElseGet(() -> started.tracks().getFirst());
        leading = new SampleQueue(lead);
        following =
                started.video().isPresent()
                        ? started.audio().map(SampleQueue::new).orElse(null)
                        : null;
        waitsForKeyFrame = false;
        keyFrames.clear();
        publisher.discontinuity();
        segmenter.restart();
    }

    private void accept(AccessUnit unit) throws InterruptedException {
        SampleQueue lead = leading;
        SampleQueue follow = following;
        if (lead != null && unit.track().id() == lead.track().id()) {
            acceptLeading(lead, unit);
        } else if (follow != null && unit.track().id() == follow.track().id()) {
            acceptFollowing(follow, unit);
        }
    }

    private void acceptLeading(SampleQueue lead, AccessUnit unit) throws InterruptedException {
        if (lead.newest().isPresent()) {
            long distanceUs = lead.distanceUs(unit);
            if (distanceUs <= 0) {
                lateUnits++;
                return;
            }
            if (distanceUs > MAX_GAP_US) {
                endAtGap();
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

    private void acceptFollowing(SampleQueue follow, AccessUnit unit) throws InterruptedException {
        if (waitsForKeyFrame) {
            return;
        }
        if (follow.newest().isPresent() && follow.distanceUs(unit) <= 0) {
            lateUnits++;
            return;
        }
        follow.queue(unit);
        if (unit.dtsUs() - newestFrameUs() > MAX_GAP_US) {
            endAtGap();
        }
    }

    private long newestFrameUs() {
        AccessUnit frame = leading == null ? null : leading.newest().orElse(null);
        if (frame != null) {
            return frame.dtsUs();
        }
        return timeline == null ? 0 : timeline.startUs();
    }

    /** Adds a sample of the leading track; {@code nextCanStart}: the next unit is a key frame. */
    private void advance(SampleQueue lead, Sample sample, boolean nextCanStart)
            throws InterruptedException {
        cut(segmenter.before(sample.startUs(), sample.endUs()));
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

    private void cut(Segmenter.Cut cut) throws InterruptedException {
        switch (cut) {
            case NONE -> {}
            case PART -> cutPart();
            case SEGMENT -> cutSegment();
        }
    }

    /** Ends the part. Its segment continues. */
    private void cutPart() throws InterruptedException {
        if (publishPart(/* last= */ false)) {
            segmenter.partEnded();
        }
    }

    /** Ends the segment: with the part, or at the end of the last part if none has begun. */
    private void cutSegment() throws InterruptedException {
        segmentIsDue = true;
        if (part.isEmpty() || publishPart(/* last= */ false)) {
            sealSegment();
        }
        segmentIsDue = false;
    }

    /** No video arrives: ends the segment and waits for the next key frame. */
    private void endAtGap() throws InterruptedException {
        finishTimeline();
        dropUntilKeyFrame();
    }

    private void endTimeline() throws InterruptedException {
        if (timeline != null) {
            finishTimeline();
        }
        clearTimeline();
    }

    private void clearTimeline() {
        timeline = null;
        leading = null;
        following = null;
    }

    private void finishTimeline() throws InterruptedException {
        SampleQueue lead = leading;
        if (lead != null && !waitsForKeyFrame) {
            Optional<Sample> last = lead.completeLast(end -> limiter.endOfLast(lead, end));
            if (last.isPresent()) {
                cut(segmenter.before(last.get().startUs(), last.get().endUs()));
                if (!waitsForKeyFrame) {
                    part.add(part.isEmpty() ? limiter.first(lead, last.get()) : last.get());
                }
            }
            publishPart(/* last= */ true);
        }
        sealSegment();
        publisher.discontinuity();
        segmenter.restart();
    }

    /**
     * Publishes the growing part.
     *
     * @param last the timeline ends: all queued audio goes into this part
     * @return false when there was no part, or the barrier discarded it
     */
    private boolean publishPart(boolean last) throws InterruptedException {
        Timeline current = timeline;
        SampleQueue lead = leading;
        if (part.isEmpty() || current == null || lead == null) {
            return false;
        }
        long startUs = part.getFirst().startUs();
        long endUs = part.getLast().endUs();
        List<Run> runs = new ArrayList<>(List.of(new Run(lead.track(), part)));
        SampleQueue follow = following;
        if (follow != null) {
            List<Sample> audioSamples = last ? follow.takeAll() : follow.takeBefore(endUs, early);
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
            return true;
        }
        discard();
        return false;
    }

    private void discard() {
        sealSegment();
        publisher.discontinuity();
        segmenter.restart();
        dropUntilKeyFrame();
    }

    /** Drops all queued media, and everything up to the next key frame. */
    private void dropUntilKeyFrame() {
        if (leading != null) {
            leading.clear();
        }
        if (following != null) {
            following.clear();
        }
        keyFrames.clear();
        waitsForKeyFrame = true;
    }

    private void sealSegment() {
        long durationUs = publisher.segmentUs();
        if (durationUs > 0) {
            segmenter.segmentEnded(durationUs);
            publisher.seal(segmenter.targetDurationS(), segmenter.partTargetUs());
        }
    }
}
