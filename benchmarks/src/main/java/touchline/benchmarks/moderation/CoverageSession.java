package touchline.benchmarks.moderation;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongPredicate;
import touchline.config.ModerationConfig;
import touchline.media.AccessUnit;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.Timeline;
import touchline.media.Track;
import touchline.media.decoding.GopDecoders;
import touchline.media.ffmpeg.VideoFrame;
import touchline.media.hub.Feed;
import touchline.media.hub.PublishBarrier;
import touchline.moderation.AlertType;
import touchline.moderation.Box;
import touchline.moderation.Detection;
import touchline.moderation.Detector;
import touchline.moderation.DetectorLoader;
import touchline.moderation.ModelFolder;
import touchline.moderation.ModerationPolicy;
import touchline.moderation.ModerationService;
import touchline.moderation.ModerationTask;

/**
 * A moderated session of this process, faster than real time: the sampler of the server with its
 * decoder, and a detector that rejects frames by their time. Owned by one thread.
 */
final class CoverageSession implements AutoCloseable {
    /** Frames that the decoder returns later, since it reorders them. */
    private static final long DECODER_DELAY_US = 400_000;

    private static final long WAIT_LIMIT_NS = 60_000_000_000L;

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final Feed feed = new Feed();
    private final List<Long> sampledUs = new CopyOnWriteArrayList<>();
    private final ModerationService service;
    private final ModerationTask task;
    private final ModerationPolicy policy;
    private volatile long newestUs;

    /**
     * @param models an empty folder
     * @param seed of the random times
     * @param forbidden presentation times in microseconds that the detector rejects
     */
    CoverageSession(Path models, ModerationPolicy policy, long seed, LongPredicate forbidden) {
        this.policy = policy;
        service =
                ModerationService.start(
                        ModerationConfig.of(models, /* demoModels= */ true, "cpu"),
                        models,
                        new ByTime(forbidden),
                        new ModerationService.Dependencies(
                                Clock.systemUTC(),
                                System::nanoTime,
                                new SplittableRandom(seed)::nextDouble,
                                GopDecoders.LOCAL,
                                timer));
        task =
                service.open(
                        new StreamId("bench"),
                        new SessionId("bench"),
                        () -> feed,
                        report -> {
                            sampledUs.add(report.ptsUs());
                            newestUs = report.ptsUs();
                        });
        task.apply(policy);
    }

    static ModerationPolicy policy(int intervalSeconds, int samples, boolean gate) {
        return new ModerationPolicy(
                intervalSeconds, samples, Map.of(AlertType.WEAPON, 0.5), gate, 0.5);
    }

    /** Rejects by time. */
    private record ByTime(LongPredicate forbidden) implements DetectorLoader {
        @Override
        public String device() {
            return "cpu";
        }

        @Override
        public int batchSize() {
            return 1;
        }

        @Override
        public Detector load(ModelFolder folder) {
            return new Detector() {
                @Override
                public List<List<Detection>> detect(List<VideoFrame> frames) {
                    List<List<Detection>> answers = new ArrayList<>();
                    for (VideoFrame frame : frames) {
                        int confidence = forbidden.test(frame.ptsUs()) ? 1 : 0;
                        answers.add(
                                List.of(
                                        new Detection(
                                                AlertType.WEAPON,
                                                folder.name(),
                                                confidence,
                                                Box.NONE)));
                    }
                    return answers;
                }

                @Override
                public void close() {}
            };
        }
    }

    void begin(List<Track> tracks) {
        feed.offer(new Timeline(0, tracks, 0, Instant.EPOCH));
    }

    void offer(AccessUnit unit) {
        feed.offer(unit);
    }

    /** Waits until a sample of the newest interval before this time has been analysed. */
    void await(long mediaUs) throws InterruptedException {
        feed.flush();
        long fromUs = mediaUs - policy.sampleDistanceUs() - DECODER_DELAY_US;
        long deadlineNs = System.nanoTime() + WAIT_LIMIT_NS;
        while (newestUs < fromUs) {
            if (System.nanoTime() > deadlineNs) {
                throw new IllegalStateException(
                        "no frame analysed from %d us on: %s".formatted(fromUs, task.counters()));
            }
            Thread.sleep(1);
        }
    }

    PublishBarrier barrier() {
        return task.barrier();
    }

    /** The feed has ended: the last verdicts are given. */
    void end() {
        feed.end();
    }

    /** Presentation times of the samples until now. */
    List<Long> sampledUs() {
        return List.copyOf(sampledUs);
    }

    /** Samples that were not analysed: with any of them the result means nothing. */
    long dropped() {
        return task.counters().dropped() + task.counters().failed();
    }

    @Override
    public void close() {
        task.close();
        service.close();
        timer.shutdownNow();
    }
}
