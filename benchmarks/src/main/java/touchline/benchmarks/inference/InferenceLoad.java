package touchline.benchmarks.inference;

import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Report;
import touchline.config.ModerationConfig;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.VideoFrame;
import touchline.moderation.Detection;
import touchline.moderation.Detector;
import touchline.moderation.DetectorException;
import touchline.moderation.ModelFolder;
import touchline.moderation.djl.DjlLoader;

/**
 * Frames a second by network, device and batch, preparation included, and how far the answers of a
 * graphics card are from the processor's. Says what it leaves out where there is no card.
 */
public final class InferenceLoad {
    private static final List<Integer> BATCHES = List.of(1, 2, 4, 8, 16);

    /** What a card's answers may differ from the processor's. */
    private static final double TOLERANCE = 1e-3;

    private static final int FRAMES = 16;

    /**
     * @param device as {@code moderation.device} has it
     * @param time of each measurement
     */
    public record Plan(String device, Duration time) {
        /** {@code --device cuda:0}, the processor alone unless given; seconds of each, 3. */
        public static Plan of(Arguments given) {
            return new Plan(
                    given.option("--device", "cpu"), Duration.ofSeconds(given.number(0, 3)));
        }
    }

    private final Plan plan;
    private final Report report;
    private final List<List<Object>> speeds = new ArrayList<>();
    private final List<List<Object>> differences = new ArrayList<>();

    public InferenceLoad(Plan plan, Report report) {
        this.plan = plan;
        this.report = report;
    }

    /** The exit code: 1 where a card's answers are too far off. */
    public int run(Path results) throws Exception {
        Path folder = Files.createTempDirectory("touchline-bench-models");
        List<VideoFrame> frames = frames();
        boolean good = true;
        try {
            boolean card = isThere(folder);
            for (RandomNets net : RandomNets.values()) {
                ModelFolder model = net.write(folder);
                List<List<Detection>> onProcessor = measure(net, model, "cpu", frames);
                if (card) {
                    List<List<Detection>> onCard = measure(net, model, plan.device(), frames);
                    good &= compare(net, onProcessor, onCard);
                }
            }
        } finally {
            frames.forEach(VideoFrame::close);
        }
        report.table("speed", List.of("network", "device", "batch", "frames a second"), speeds);
        if (!differences.isEmpty()) {
            report.table(
                    "difference",
                    List.of("network", "largest difference of a confidence", "allowed"),
                    differences);
        }
        report.finish(results);
        return good ? 0 : 1;
    }

    private boolean isThere(Path folder) {
        if (plan.device().equals("cpu")) {
            report.note("skipped: CUDA, since only the processor was asked for (--device cuda:0)");
            return false;
        }
        try {
            String device = loader(folder, plan.device(), 1).device();
            if (device.equals("cpu")) {
                report.note("skipped: CUDA, since %s is the processor here", plan.device());
            }
            return !device.equals("cpu");
        } catch (DetectorException e) {
            report.note("skipped: CUDA, since %s", e.reason());
            return false;
        }
    }

    /** Answers of the largest batch. */
    private List<List<Detection>> measure(
            RandomNets net, ModelFolder model, String device, List<VideoFrame> frames) {
        List<List<Detection>> answers = List.of();
        for (int batch : BATCHES) {
            try (Detector detector = loader(model.path(), device, batch).load(model)) {
                List<VideoFrame> together = frames.subList(0, batch);
                answers = detector.detect(together);
                long startedNs = System.nanoTime();
                long passedNs = 0;
                long count = 0;
                while (passedNs < plan.time().toNanos()) {
                    answers = detector.detect(together);
                    count += batch;
                    passedNs = System.nanoTime() - startedNs;
                }
                double perSecond = count * 1e9 / passedNs;
                report.note(
                        "%s, %s, batch %d: %.1f a second", net.label(), device, batch, perSecond);
                speeds.add(List.of(net.label(), device, batch, perSecond));
            }
        }
        return answers;
    }

    private boolean compare(
            RandomNets net, List<List<Detection>> expected, List<List<Detection>> actual) {
        double largest = 0;
        for (int i = 0; i < expected.size(); i++) {
            double there = expected.get(i).getFirst().confidence();
            double here = actual.get(i).getFirst().confidence();
            largest = Math.max(largest, Math.abs(there - here));
        }
        differences.add(List.of(net.label(), largest, TOLERANCE));
        return largest <= TOLERANCE;
    }

    private static DjlLoader loader(Path folder, String device, int batch) {
        return new DjlLoader(
                new ModerationConfig(
                        folder,
                        /* demoModels= */ false,
                        device,
                        /* threads= */ 0,
                        batch,
                        Duration.ZERO,
                        /* queueFrames= */ 1,
                        Duration.ZERO,
                        /* rejectCutoff= */ 0.5));
    }

    /** Smooth noise, different in each. */
    private static List<VideoFrame> frames() {
        List<VideoFrame> frames = new ArrayList<>();
        Random random = new Random(11);
        for (int i = 0; i < FRAMES; i++) {
            VideoFrame frame = VideoFrame.allocate(new FrameFormat(1280, 720, Colour.BT709));
            frame.planes()
                    .forEach(
                            plane -> {
                                int value = 128;
                                for (long at = 0; at < plane.samples().byteSize(); at++) {
                                    value = Math.clamp(value + random.nextInt(9) - 4, 30, 220);
                                    plane.samples().set(ValueLayout.JAVA_BYTE, at, (byte) value);
                                }
                            });
            frames.add(frame);
        }
        return frames;
    }
}
