package touchline.moderation;

import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.FeedItem;
import touchline.media.FrameView;
import touchline.media.Timeline;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.VideoFrame;
import touchline.media.hub.Feed;
import touchline.media.hub.Subscription;
import touchline.moderation.InferenceScheduler.Outcome;

/**
 * Sampling of a session from the policy that starts it to the stop. Started, changed and ended
 * under the task's lock; frames come on the sampler's thread or the compositor's, verdicts on the
 * inference thread.
 */
final class SessionSampler implements FeedSampler.Outlet {
    private static final Logger log = LoggerFactory.getLogger(SessionSampler.class);

    /** Media that waits to be looked at; beyond it the sampler skips to the next key frame. */
    private static final long MAX_QUEUED_BYTES = 16L << 20;

    private final SessionModeration task;
    private final ReportQueue reports;

    /** Of the compositor's frames; the compositor's thread alone. */
    private final SampleSchedule tapSchedule;

    // Written under the task's lock, read by the other threads, which may be late by a frame.
    private volatile ModerationPolicy policy;
    private volatile boolean tapped;
    private volatile @Nullable Subscription subscription;
    private volatile boolean ended;

    /** Of the programme; whoever lends frames does not tell theirs. */
    private volatile @Nullable Timeline newest;

    // Written where reading starts and ends; with underWay, whoever is last sees both.
    private volatile boolean feedEnded;

    /**
     * Time of the newest frame taken, by whichever thread: a reading goes on where the one before
     * it stopped.
     */
    private final AtomicLong newestTakenUs = new AtomicLong(Long.MIN_VALUE);

    /** Frames without a verdict. */
    private final AtomicInteger underWay = new AtomicInteger();

    SessionSampler(SessionModeration task, ModerationPolicy policy, ReportQueue reports) {
        this.task = task;
        this.policy = policy;
        this.reports = reports;
        this.tapSchedule = new SampleSchedule(policy.frameIntervalSeconds());
    }

    ModerationPolicy policy() {
        return policy;
    }

    void policy(ModerationPolicy changed) {
        policy = changed;
    }

    /**
     * Reads this programme from now on.
     *
     * @param byTap its frames come by the tap, and the feed tells of the end only
     */
    void read(Feed program, boolean byTap) {
        Subscription before = subscription;
        Subscription opened = program.subscribe("sampler", MAX_QUEUED_BYTES);
        subscription = opened;
        tapped = byTap;
        feedEnded = false;
        task.gate().moreFrames();
        if (before != null) {
            before.close();
        }
        Thread.ofPlatform()
                .name("sampler " + task.identity().session())
                .daemon()
                .start(() -> sample(opened));
    }

    void end() {
        ended = true;
        Subscription current = subscription;
        if (current != null) {
            current.close();
        }
    }

    /** The sampler's thread, until the feed ends or another reading takes over. */
    private void sample(Subscription from) {
        SampleSchedule schedule = new SampleSchedule(policy.frameIntervalSeconds());
        schedule.taken(newestTakenUs.get());
        try (FeedSampler sampler = new FeedSampler(schedule, this)) {
            while (from.drain(item -> pass(item, sampler))) {}
            sampler.end();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            log.error("{} sampling failed", task.name(), e);
        }
        if (!ended && subscription == from) {
            task.gate().noMore(/* allJudged= */ false);
            feedEnded = true;
            tellNoMore();
        }
    }

    /** The feed has ended and nothing is being worked at. */
    private void tellNoMore() {
        if (feedEnded && underWay.get() == 0) {
            task.gate().noMore(/* allJudged= */ true);
        }
    }

    private void pass(FeedItem item, FeedSampler sampler) {
        if (item instanceof Timeline next) {
            newest = next;
        }
        if (!tapped) {
            sampler.accept(item);
        }
    }

    /** The compositor's thread asks. */
    boolean wants(long ptsUs) {
        if (!tapped || ended) {
            return false;
        }
        tapSchedule.interval(policy.frameIntervalSeconds());
        tapSchedule.taken(newestTakenUs.get());
        tapSchedule.seen(ptsUs, /* keyFrame= */ false);
        return tapSchedule.isDue(ptsUs);
    }

    /** The compositor's thread lends. */
    void offer(FrameView view) {
        Timeline shown = newest;
        Instant capturedAt =
                shown == null ? task.room().clock().instant() : shown.wallClock(view.ptsUs());
        // A compositor's output has the matrix that its size makes players assume.
        submit(VideoFrame.copyOf(view, Colour.UNSPECIFIED), capturedAt);
    }

    @Override
    public void sampled(VideoFrame frame, Timeline timeline) {
        submit(frame, timeline.wallClock(frame.ptsUs()));
    }

    /** Takes ownership of the frame. */
    private void submit(VideoFrame frame, Instant capturedAt) {
        newestTakenUs.accumulateAndGet(frame.ptsUs(), Math::max);
        task.counts().add(SampleCounts.Kind.SAMPLED);
        if (reports.isFull() || ended) {
            frame.close();
            dropped();
            return;
        }
        ModerationPolicy now = policy;
        long ptsUs = frame.ptsUs();
        Sample.Origin origin = new Sample.Origin(task.identity(), ptsUs, capturedAt);
        underWay.incrementAndGet();
        CompletableFuture<Sample.Verdict> verdict =
                task.room()
                        .detectors()
                        .submit(task.identity().session(), frame, now.types())
                        .thenApply(each -> judged(ptsUs, now, each));
        reports.add(new Sample(origin, now, frame, verdict, this::report));
    }

    private void report(FrameReport report) {
        if (!ended) {
            task.sink().analysed(report);
        }
    }

    /** On the inference thread: the gate must not wait for the sink. */
    private Sample.Verdict judged(long ptsUs, ModerationPolicy by, Outcome outcome) {
        Instant at = task.room().clock().instant();
        switch (outcome) {
            case Outcome.Dropped _ -> dropped();
            case Outcome.Analysed(var detections, var failures) -> {
                task.counts().add(SampleCounts.Kind.ANALYSED);
                if (!failures.isEmpty()) {
                    task.counts().add(SampleCounts.Kind.FAILED);
                }
                RiskLevel risk = by.highest(detections);
                boolean told = failures.isEmpty() || risk != RiskLevel.PASS;
                if (told && !ended) {
                    task.gate().judged(ptsUs, risk);
                }
            }
        }
        underWay.decrementAndGet();
        tellNoMore();
        return new Sample.Verdict(outcome, at);
    }

    /** What a stop leaves behind is no sign of slowness. */
    private void dropped() {
        if (!ended) {
            task.counts().add(SampleCounts.Kind.DROPPED);
            task.room().fellBehind(task.name());
        }
    }

    @Override
    public void undecodable() {
        task.counts().add(SampleCounts.Kind.UNDECODABLE);
    }

    @Override
    public boolean wantsLast() {
        return policy.gate() && !ended;
    }

    @Override
    public int intervalSeconds() {
        return policy.frameIntervalSeconds();
    }
}
