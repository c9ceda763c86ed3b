package touchline.moderation;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import touchline.media.FeedItem;
import touchline.media.FrameView;
import touchline.media.Timeline;
import touchline.media.Track;
import touchline.media.codec.DecodingRefusedException;
import touchline.media.concurrent.LogContext;
import touchline.media.decoding.GopDecoder;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.VideoFrame;
import touchline.media.hub.Feed;
import touchline.media.hub.Subscription;

/**
 * Takes the frames of a session from the first policy to the stop. The frames come from the
 * programme's feed, decoded on the sampler's thread, or from a compositor, on the compositor's
 * thread. Methods of the life cycle are called under the task's lock. An exception costs one frame:
 * it is counted and reported, and the next frame is tried.
 */
final class SessionSampler implements FeedSampler.Receiver {
    /** Bound of the subscription's queue; beyond it, media is skipped to the next key frame. */
    private static final long MAX_QUEUED_BYTES = 16L << 20;

    private final SessionModeration.Dependencies dependencies;
    private final SampleVerdicts verdicts;
    private final InternalErrors.Source errors;

    /** For the compositor's frames; the compositor's thread only. */
    private final SampleSchedule tapSchedule;

    // Written under the task's lock. Other threads may see a change one frame later.
    private volatile ModerationPolicy policy;
    private volatile boolean tapped;
    private volatile @Nullable Subscription subscription;
    private volatile boolean ended;

    /** The programme's timeline: a compositor's frames do not carry one. */
    private volatile @Nullable Timeline newest;

    /** Time of the newest due frame, taken by either thread: the next reader continues there. */
    private final AtomicLong newestTakenUs = new AtomicLong(Long.MIN_VALUE);

    SessionSampler(
            SessionModeration.Dependencies dependencies,
            ModerationPolicy policy,
            ReportQueue reports) {
        this.dependencies = dependencies;
        this.policy = policy;
        this.verdicts = new SampleVerdicts(dependencies, reports);
        this.errors = dependencies.errors("sampling");
        this.tapSchedule = schedule();
    }

    ModerationPolicy policy() {
        return policy;
    }

    void policy(ModerationPolicy changed) {
        policy = changed;
    }

    /**
     * Reads this programme, instead of the one before.
     *
     * @param byTap frames come through the tap; the feed gives only the timeline and the end
     */
    void read(Feed program, boolean byTap) {
        Subscription before = subscription;
        Subscription opened = program.subscribe("sampler", MAX_QUEUED_BYTES);
        subscription = opened;
        tapped = byTap;
        verdicts.framesExpected();
        if (before != null) {
            before.close();
        }
        Thread.ofPlatform()
                .name("sampler " + dependencies.identity().session())
                .daemon()
                .start(
                        LogContext.session(
                                dependencies.identity().stream(),
                                dependencies.identity().session(),
                                () -> sample(opened)));
    }

    void end() {
        ended = true;
        verdicts.end();
        errors.close();
        Subscription current = subscription;
        if (current != null) {
            current.close();
        }
    }

    /** The sampler's thread. Ends with the feed, or when another one is read. */
    private void sample(Subscription from) {
        SampleSchedule schedule = schedule();
        schedule.taken(newestTakenUs.get());
        try (FeedSampler sampler = new FeedSampler(schedule, this::decoder, this)) {
            while (from.drain(item -> accept(item, sampler))) {}
            sampler.end();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            failed(e);
        }
        if (!ended && subscription == from) {
            verdicts.framesEnded();
        }
    }

    /** The decoders of a session are kept apart from those of others. */
    private GopDecoder decoder(Track track) {
        return dependencies
                .service()
                .decoders()
                .open(track, dependencies.identity().session().value());
    }

    private void accept(FeedItem item, FeedSampler sampler) {
        if (item instanceof Timeline next) {
            newest = next;
        }
        if (tapped) {
            return;
        }
        try {
            sampler.accept(item);
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    /** Whether the compositor's frame of this time is due. */
    boolean isDue(long ptsUs) {
        if (!tapped || ended) {
            return false;
        }
        tapSchedule.interval(intervalUs());
        tapSchedule.taken(newestTakenUs.get());
        tapSchedule.seen(ptsUs, /* keyFrame= */ false);
        return tapSchedule.isDue(ptsUs);
    }

    /** Takes a copy of the compositor's frame. Never throws into the compositor. */
    void offer(FrameView view) {
        try {
            Timeline shown = newest;
            Instant capturedAt =
                    shown == null
                            ? dependencies.service().clock().instant()
                            : shown.wallClock(view.ptsUs());
            // A compositor's output has the matrix that players assume for its size.
            submit(VideoFrame.copyOf(view, Colour.UNSPECIFIED), capturedAt, /* opensGate= */ true);
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    @Override
    public void sampled(VideoFrame frame, Timeline timeline, boolean opensGate) {
        submit(frame, timeline.wallClock(frame.ptsUs()), opensGate);
    }

    @Override
    public void blind(long ptsUs, Timeline timeline, Optional<DecodingRefusedException> refusal) {
        verdicts.blind(timeline.wallClock(ptsUs), refusal);
    }

    @Override
    public void refused(DecodingRefusedException cause) {
        verdicts.refused(cause);
    }

    private void submit(VideoFrame frame, Instant capturedAt, boolean opensGate) {
        if (opensGate) {
            newestTakenUs.accumulateAndGet(frame.ptsUs(), Math::max);
        }
        verdicts.submit(frame, capturedAt, new SampleVerdicts.Rules(policy, opensGate));
        errors.succeeded();
    }

    @Override
    public void failed(Throwable error) {
        dependencies.counts().add(SampleCounts.Kind.FAILED);
        errors.failed(error);
    }

    @Override
    public void undecodable() {
        dependencies.counts().add(SampleCounts.Kind.UNDECODABLE);
    }

    @Override
    public boolean takesLast() {
        return policy.gate() && !ended;
    }

    @Override
    public long intervalUs() {
        return policy.sampleDistanceUs();
    }

    private SampleSchedule schedule() {
        return new SampleSchedule(intervalUs(), dependencies.service().random());
    }
}
