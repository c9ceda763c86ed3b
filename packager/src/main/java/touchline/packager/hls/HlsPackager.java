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
 * <p>The leading track (frames, else audio) says where parts end; audio goes into the part in which
 * its decode time lies, as far as it has come by then, and otherwise into the next one: parts never
 * wait. Sums of durations are exact because every duration is the distance of two decode times.
 *
 * <p>Where parts are listed and the leading track is steady, a part is published when its last unit
 * has come: that unit's end is predicted (see {@link SampleQueue}) instead of waiting for the next
 * one to tell it. A segment that ends before a key frame is sealed when the key frame is here.
 *
 * <p>A new timeline, media that has waited in vain for a frame for {@value #MAX_GAP_US}
 * microseconds, and a discarded part end the segment; what follows starts with a key frame behind a
 * discontinuity. What the barrier discards is everything from the asked part to that key frame.
 */
public final class HlsPackager implements Runnable {
    private static final Logger log = LoggerFactory.getLogger(HlsPackager.class);

    /** Shorter than any EXT-X-TARGETDURATION. */
    static final long MAX_GAP_US = 5_000_000;

    /** Between a failure and the next try. */
    private static final Duration RESTART_PAUSE = Duration.ofSeconds(1);

    private final Subscription subscription;
    private final LiveWindow window;
    private final PartPublisher outlet;
    private final Segmenter segmenter;
    private final PartDurationLimiter fit;
    private final List<Sample> part = new ArrayList<>();
    private @Nullable Timeline timeline;
    private @Nullable SampleQueue leading;
    private @Nullable SampleQueue following;
    private final GopIntervalEstimator keyFrames = new GopIntervalEstimator();
    private final boolean early;
    private boolean waitsForKeyFrame;

    /** The part being published probably is its segment's last. */
    private boolean segmentIsDue;

    private long partBytes;
    private long lateUnits;

    /**
     * @param subscription whose reading end this is from now on; closed by {@link #run}
     * @param memory where parts and playlists live
     * @param window what viewers read; its settings name the latency profile
     * @param sinks who else gets every part, in order
     * @param barrier asked before a part with frames becomes public
     */
    public HlsPackager(
            Subscription subscription,
            MediaMemory memory,
            LiveWindow window,
            List<PartSink> sinks,
            PublishBarrier barrier) {
        this.subscription = subscription;
        this.window = window;
        this.outlet = new PartPublisher(memory, window, sinks, barrier);
        this.segmenter = new Segmenter(window.settings().profile());
        this.early = window.settings().profile().listsParts();
        this.fit = new PartDurationLimiter(segmenter, early);
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
            endSession();
            reportLosses();
        }
    }

    private void reportLosses() {
        long dropped = subscription.droppedUnits();
        if (lateUnits > 0 || dropped > 0) {
            log.warn(
                    "session={} units out of order={} dropped while busy={}",
                    window.session(),
                    lateUnits,
                    dropped);
        }
    }

    private void endSession() {
        try {
            sealSegment();
        } finally {
            outlet.end();
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
        outlet.discontinuity();
        segmenter.restart();
        switch (failed) {
            case Timeline started -> begin(started);
            case Interruption _ -> clearTimeline();
            case AccessUnit _ -> forget();
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
        outlet.discontinuity();
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
                breakOff();
            }
        }
        // Never empty-handed: what is pending is published before the next unit takes its place.
        boolean canStart = unit.idr();
        Optional<Sample> sample = waitsForKeyFrame ? Optional.empty() : lead.complete(unit);
        if (sample.isPresent()) {
            advance(lead, fit.fitted(lead, sample.get()), canStart);
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

    /** Ends the part with the unit that has just come, if that is its last and the end is plain. */
    private void advanceEarly(SampleQueue lead, AccessUnit unit) throws InterruptedException {
        OptionalLong expected = lead.expectedEndTicks();
        if (expected.isEmpty()) {
            return;
        }
        long endTicks = fit.notBeyondThePart(lead.track().timescale(), expected.getAsLong());
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
            breakOff();
        }
    }

    private long newestFrameUs() {
        AccessUnit frame = leading == null ? null : leading.newest().orElse(null);
        if (frame != null) {
            return frame.dtsUs();
        }
        return timeline == null ? 0 : timeline.startUs();
    }

    /** A sample of the leading track, and whether decoding can start behind it. */
    private void advance(SampleQueue lead, Sample sample, boolean nextCanStart)
            throws InterruptedException {
        cut(segmenter.before(sample.startUs(), sample.endUs()));
        if (waitsForKeyFrame) {
            return;
        }
        Sample added = part.isEmpty() ? fit.first(lead, sample) : sample;
        part.add(added);
        partBytes += added.unit().payload().byteSize();
        cut(
                segmenter.after(
                        added.endUs(), PartDurationLimiter.unitUs(added), nextCanStart, partBytes));
    }

    private void cut(Segmenter.Cut cut) throws InterruptedException {
        switch (cut) {
            case NONE -> {}
            case PART -> {
                if (finishPart(/* last= */ false)) {
                    segmenter.partEnded();
                }
            }
            case SEGMENT -> {
                // Nothing since the last part: the cut falls on its end.
                segmentIsDue = true;
                if (part.isEmpty() || finishPart(/* last= */ false)) {
                    sealSegment();
                }
                segmentIsDue = false;
            }
        }
    }

    /** Frames stay away: ends the segment and waits for the next key frame. */
    private void breakOff() throws InterruptedException {
        finishTimeline();
        forget();
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
            Optional<Sample> last = lead.completeLast(end -> fit.endOfLast(lead, end));
            if (last.isPresent()) {
                cut(segmenter.before(last.get().startUs(), last.get().endUs()));
                if (!waitsForKeyFrame) {
                    part.add(part.isEmpty() ? fit.first(lead, last.get()) : last.get());
                }
            }
            finishPart(/* last= */ true);
        }
        sealSegment();
        outlet.discontinuity();
        segmenter.restart();
    }

    /**
     * Publishes the part so far.
     *
     * @param last nothing of this timeline follows: all audio goes with it
     * @return false when there was nothing, or the barrier discarded it
     */
    private boolean finishPart(boolean last) throws InterruptedException {
        Timeline current = timeline;
        SampleQueue lead = leading;
        if (part.isEmpty() || current == null || lead == null) {
            return false;
        }
        long startUs = part.getFirst().startUs();
        long endUs = part.getLast().endUs();
        List<Run> runs = new ArrayList<>(2);
        runs.add(new Run(lead.track(), part));
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
                outlet.publish(
                        new PartPublisher.PartBuilder(current, startUs, endUs, segmentIsDue, runs));
        if (verdict == PublishBarrier.Verdict.PASS) {
            return true;
        }
        discard();
        return false;
    }

    private void discard() {
        sealSegment();
        outlet.discontinuity();
        segmenter.restart();
        forget();
    }

    /** Drops what waits, and everything up to the next key frame. */
    private void forget() {
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
        long durationUs = outlet.segmentUs();
        if (durationUs > 0) {
            segmenter.segmentEnded(durationUs);
            outlet.seal(segmenter.targetDurationS(), segmenter.partTargetUs());
        }
    }
}
