package touchline.moderation;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import touchline.media.codec.DecodingRefusedException;
import touchline.media.ffmpeg.VideoFrame;
import touchline.moderation.InferenceScheduler.Outcome;

/**
 * Passes the sampled frames of a session to inference, each verdict to the gate, and each report to
 * the sink. The gate gets a verdict on the inference thread: it must not wait for the sink. Frames
 * come on the sampler's or the compositor's thread.
 */
final class SampleVerdicts {
    private final SessionModeration.Dependencies dependencies;
    private final ReportQueue reports;
    private volatile boolean ended;

    // Sampler's or compositor's thread.
    private volatile boolean blind;

    // Written by the sampler. With pending: the last one to change sees both.
    private volatile boolean feedEnded;

    /** Frames without a verdict. */
    private final AtomicInteger pending = new AtomicInteger();

    SampleVerdicts(SessionModeration.Dependencies dependencies, ReportQueue reports) {
        this.dependencies = dependencies;
        this.reports = reports;
    }

    /** Nothing could be decoded for an interval. The next frame ends this. */
    void blind(Instant at, Optional<DecodingRefusedException> refusal) {
        blind = true;
        dependencies.gate().blind(true);
        reports.add(() -> reportBlind(/* blind= */ true, at, refusal));
    }

    void refused(DecodingRefusedException cause) {
        if (!ended) {
            dependencies.sink().refused(cause);
        }
    }

    private void sees(Instant at) {
        blind = false;
        dependencies.gate().blind(false);
        reports.add(() -> reportBlind(/* blind= */ false, at, Optional.empty()));
    }

    private void reportBlind(
            boolean blind, Instant at, Optional<DecodingRefusedException> refusal) {
        if (!ended) {
            dependencies.sink().blind(blind, at, refusal);
        }
    }

    /**
     * How a frame is judged.
     *
     * @param opensGate whether a pass opens the gate; a reject shuts it in any case
     */
    record Rules(ModerationPolicy policy, boolean opensGate) {}

    /** Takes ownership of the frame. */
    void submit(VideoFrame frame, Instant capturedAt, Rules rules) {
        if (blind) {
            sees(capturedAt);
        }
        if (reports.isFull() || ended) {
            dependencies.counts().add(SampleCounts.Kind.SAMPLED);
            frame.close();
            dropped();
            return;
        }
        ModerationPolicy policy = rules.policy();
        SessionModeration.Identity identity = dependencies.identity();
        long ptsUs = frame.ptsUs();
        pending.incrementAndGet();
        CompletableFuture<Outcome> outcome;
        try {
            outcome =
                    dependencies
                            .service()
                            .scheduler()
                            .submit(identity.session(), frame, policy.types());
        } catch (RuntimeException | Error e) {
            frame.close();
            settled();
            throw e;
        }
        dependencies.counts().add(SampleCounts.Kind.SAMPLED);
        reports.add(
                new Sample(
                        new Sample.Origin(identity, ptsUs, capturedAt),
                        policy,
                        frame,
                        outcome.thenApply(each -> judged(ptsUs, rules, each)),
                        this::report));
    }

    /** Frames follow: at the start, and when another feed is read. */
    void framesExpected() {
        feedEnded = false;
        dependencies.gate().framesExpected();
    }

    /** The feed has ended; pending frames still get their verdict. */
    void framesEnded() {
        dependencies.gate().framesEnded(/* allJudged= */ false);
        feedEnded = true;
        endGateIfSettled();
    }

    /** Moderation is stopped: later verdicts have no effect. */
    void end() {
        ended = true;
    }

    private Sample.Verdict judged(long ptsUs, Rules rules, Outcome outcome) {
        try {
            Instant at = dependencies.service().clock().instant();
            switch (outcome) {
                case Outcome.Dropped _ -> dropped();
                case Outcome.Analysed analysed -> analysed(ptsUs, rules, analysed);
            }
            return new Sample.Verdict(outcome, at);
        } finally {
            settled();
        }
    }

    private void analysed(long ptsUs, Rules rules, Outcome.Analysed outcome) {
        dependencies.counts().add(SampleCounts.Kind.ANALYSED);
        if (!outcome.failures().isEmpty()) {
            dependencies.counts().add(SampleCounts.Kind.FAILED);
        }
        RiskLevel risk = rules.policy().highest(outcome.detections());
        boolean conclusive = outcome.failures().isEmpty() || risk != RiskLevel.PASS;
        boolean decides = rules.opensGate() || risk == RiskLevel.REJECT;
        if (conclusive && decides && !ended) {
            dependencies.gate().judged(ptsUs, risk);
        }
    }

    private void settled() {
        pending.decrementAndGet();
        endGateIfSettled();
    }

    private void endGateIfSettled() {
        if (feedEnded && pending.get() == 0) {
            dependencies.gate().framesEnded(/* allJudged= */ true);
        }
    }

    private void report(FrameReport report) {
        if (!ended) {
            dependencies.sink().analysed(report);
        }
    }

    /** A frame dropped by a stop is not counted: it does not mean that analysis is slow. */
    private void dropped() {
        if (!ended) {
            dependencies.counts().add(SampleCounts.Kind.DROPPED);
            dependencies.service().fellBehind(dependencies.identity().text());
        }
    }
}
