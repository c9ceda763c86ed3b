package touchline.moderation;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import touchline.media.ffmpeg.VideoFrame;
import touchline.moderation.FrameReport.Result;
import touchline.moderation.InferenceScheduler.Outcome;

/** A sampled frame in the report queue; owns the frame. Reporting thread. */
final class Sample implements ReportQueue.Work {
    private static final Comparator<Result> RISKIEST_FIRST =
            Comparator.comparing(Result::risk)
                    .thenComparingDouble(result -> result.detection().confidence())
                    .reversed();

    private final Origin origin;
    private final ModerationPolicy policy;
    private final VideoFrame frame;
    private final CompletableFuture<Verdict> verdict;
    private final Consumer<FrameReport> reports;

    /** Session and time of the frame. */
    record Origin(SessionModeration.Identity identity, long ptsUs, Instant capturedAt) {}

    /** The outcome and its time; the gate receives it after that time. */
    record Verdict(Outcome outcome, Instant at) {}

    /**
     * @param verdict until it completes, the inference thread uses the frame too
     */
    Sample(
            Origin origin,
            ModerationPolicy policy,
            VideoFrame frame,
            CompletableFuture<Verdict> verdict,
            Consumer<FrameReport> reports) {
        this.origin = origin;
        this.policy = policy;
        this.frame = frame;
        this.verdict = verdict;
        this.reports = reports;
    }

    @Override
    public void run() throws InterruptedException {
        try {
            if (verdict.get() instanceof Verdict(Outcome.Analysed analysed, Instant at)) {
                reports.accept(report(analysed, at));
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("no verdict: " + e.getCause(), e.getCause());
        }
    }

    @Override
    public void release() {
        CompletableFuture<Verdict> _ = verdict.whenComplete((_, _) -> frame.close());
    }

    private FrameReport report(Outcome.Analysed analysed, Instant judgedAt) {
        List<Result> results = new ArrayList<>();
        for (Detection detection : analysed.detections()) {
            results.add(new Result(detection, policy.judge(detection)));
        }
        results.sort(RISKIEST_FIRST);
        return new FrameReport(
                origin.identity().stream(),
                origin.identity().session(),
                origin.ptsUs(),
                origin.capturedAt(),
                judgedAt,
                policy,
                results,
                analysed.failures(),
                new BorrowedImage(frame));
    }

    private record BorrowedImage(VideoFrame frame) implements SampleImage {
        @Override
        public int width() {
            return frame.format().width();
        }

        @Override
        public int height() {
            return frame.format().height();
        }

        @Override
        public byte[] toJpeg(int quality) {
            return frame.toJpeg(quality);
        }
    }
}
