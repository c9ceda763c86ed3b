package touchline.moderation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import touchline.media.AccessUnit;
import touchline.media.Timeline;
import touchline.media.codec.DecodingRefusedException;
import touchline.media.decoding.DecodingFailedException;
import touchline.media.decoding.DecodingPool;
import touchline.media.decoding.GopDecoder;
import touchline.media.decoding.GopDecoders;
import touchline.media.ffmpeg.VideoFrame;
import touchline.media.worker.WorkerLaunch;
import touchline.media.worker.WorkerLimits;
import touchline.testing.Await;

/** Samples decoded in a child process: the same frames, and what a crash costs. */
@Timeout(480)
final class IsolatedSamplingIT {
    private static final List<AccessUnit> UNITS =
            CodedStream.small().gopFrames(20).bFrames(2).units(130, 0, IsolatedSamplingIT::shade);

    @TempDir Path folder;

    private DecodingPool pool;

    /** Takes frames, each by its time and its first sample. */
    private static final class Shots implements FeedSampler.Receiver {
        private final List<String> taken = new ArrayList<>();
        private int undecodable;

        @Override
        public void sampled(VideoFrame frame, Timeline timeline, boolean opensGate) {
            try (frame) {
                MemorySegment luma = frame.planes().getFirst().samples();
                taken.add(frame.ptsUs() + " " + luma.get(ValueLayout.JAVA_BYTE, 0));
            }
        }

        @Override
        public void undecodable() {
            undecodable++;
        }

        @Override
        public void blind(
                long ptsUs, Timeline timeline, Optional<DecodingRefusedException> refusal) {
            // A lost GOP can be as long as the interval.
        }

        @Override
        public void refused(DecodingRefusedException cause) {
            throw new AssertionError(cause);
        }

        @Override
        public void failed(Throwable error) {
            throw new AssertionError(error);
        }

        @Override
        public boolean takesLast() {
            return true;
        }

        @Override
        public long intervalUs() {
            return 1_000_000;
        }
    }

    private static void shade(VideoFrame frame, int index) {
        frame.planes().getFirst().samples().fill((byte) (20 + index));
    }

    @BeforeEach
    void start() {
        pool =
                new DecodingPool(
                        WorkerLaunch.likeThisJvm(
                                "touchline.media.decoding.FaultyDecodingMain",
                                folder,
                                WorkerLimits.DEFAULTS),
                        new DecodingPool.Settings(
                                /* children= */ 1, Duration.ofSeconds(20), Duration.ofMinutes(1)));
    }

    @AfterEach
    void stop() {
        pool.close();
    }

    private static Shots sampled(GopDecoders decoders, Consumer<AccessUnit> beforeUnit) {
        Shots shots = new Shots();
        SampleSchedule schedule = new SampleSchedule(shots.intervalUs(), () -> 1);
        try (FeedSampler sampler =
                new FeedSampler(schedule, track -> decoders.open(track, "session"), shots)) {
            sampler.accept(CodedStream.timeline(0, UNITS));
            for (AccessUnit unit : UNITS) {
                beforeUnit.accept(unit);
                sampler.accept(unit);
            }
            sampler.end();
        }
        return shots;
    }

    @Test
    void sampling_inAChild_takesTheSameFrames() {
        assertEquals(sampled(GopDecoders.LOCAL, _ -> {}).taken, sampled(pool, _ -> {}).taken);
        assertEquals(1, pool.started());
    }

    @Test
    void childKilled_costsItsGop_theNextKeyFrameIsTaken() {
        List<AccessUnit> keyFrames = UNITS.stream().filter(AccessUnit::isKeyFrame).toList();
        Shots shots =
                sampled(
                        pool,
                        unit -> {
                            if (unit.equals(keyFrames.get(1))) {
                                kill();
                            } else if (unit.equals(keyFrames.get(2))) {
                                awaitChild();
                            }
                        });

        // The end of the GOP before, if its last frame was still to come, and the GOP itself.
        assertTrue(shots.undecodable == 1 || shots.undecodable == 2, "" + shots.undecodable);
        List<String> all = sampled(GopDecoders.LOCAL, _ -> {}).taken;
        assertEquals(all.getFirst(), shots.taken.getFirst());
        assertEquals(all.getLast(), shots.taken.getLast());
        assertTrue(shots.taken.size() >= all.size() - 2, shots.taken.toString());
        assertEquals(2, pool.started());
        assertEquals(1, pool.crashed());
    }

    private void kill() {
        ProcessHandle child = ProcessHandle.of(pool.pids().findFirst().orElseThrow()).orElseThrow();
        child.destroyForcibly();
        child.onExit().join();
    }

    /** Returns when the pause after the crash is over. */
    private void awaitChild() {
        Await.until(
                () -> {
                    try (GopDecoder decoder = pool.open(UNITS.getFirst().track(), "session")) {
                        decoder.keyFrame(UNITS.getFirst()).orElseThrow().close();
                        return true;
                    } catch (DecodingFailedException _) {
                        return false;
                    }
                });
    }
}
