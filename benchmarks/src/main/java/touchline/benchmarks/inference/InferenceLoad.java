package touchline.benchmarks.inference;

import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Benchmark;
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
 * Frames a second by network, device and batch, scaling included, and the difference between the
 * answers of a GPU and the CPU. Without a GPU it reports what it skips.
 */
public final class InferenceLoad implements Benchmark {
    private static final List<Integer> BATCHES = List.of(1, 2, 4, 8, 16);

    /** Maximum difference of a confidence between GPU and CPU. */
    private static final double TOLERANCE = 1e-3;

    private static final int FRAMES = 16;

    private final String device;
    private final Duration time;
    private final Report report;

    /**
     * Seconds of each measurement, 3 by default; {@code --device} as in {@code moderation.device},
     * {@code cpu} by default.
     */
    public InferenceLoad(Arguments given, Report report) {
        device = given.option("--device", "cpu");
        time = Duration.ofSeconds(given.number(0, 3));
        this.report = report;
    }

    /** Returns 1 if a GPU's answers differ too much from the CPU's. */
    @Override
    public int run() throws Exception {
        Path folder = Files.createTempDirectory("touchline-bench-models");
        List<VideoFrame> frames = frames();
        boolean good = true;
        try {
            boolean gpu = hasGpu(folder);
            Report.Table speeds =
                    report.table("speed", "network | device | batch | frames a second");
            Report.Table differences =
                    gpu
                            ? report.table(
                                    "difference",
                                    "network | largest difference of a confidence | allowed")
                            : speeds;
            for (RandomNets net : RandomNets.values()) {
                ModelFolder model = net.write(folder);
                List<List<Detection>> onCpu = measure(speeds, net, model, "cpu", frames);
                if (gpu) {
                    List<List<Detection>> onGpu = measure(speeds, net, model, device, frames);
                    double difference = difference(onCpu, onGpu);
                    differences.row(net.label(), difference, TOLERANCE);
                    good &= difference <= TOLERANCE;
                }
            }
        } finally {
            frames.forEach(VideoFrame::close);
        }
        return good ? 0 : 1;
    }

    private boolean hasGpu(Path folder) {
        if (device.equals("cpu")) {
            report.note("skipped: CUDA, not requested (--device cuda:0)");
            return false;
        }
        try {
            boolean gpu = !loader(folder, device, 1).device().equals("cpu");
            if (!gpu) {
                report.note("skipped: CUDA, since %s is the CPU here", device);
            }
            return gpu;
        } catch (DetectorException e) {
            report.note("skipped: CUDA, since %s", e.reason());
            return false;
        }
    }

    /** Returns the answers of the largest batch. */
    private List<List<Detection>> measure(
            Report.Table speeds,
            RandomNets net,
            ModelFolder model,
            String onDevice,
            List<VideoFrame> frames) {
        List<List<Detection>> answers = List.of();
        for (int batch : BATCHES) {
            try (Detector detector = loader(model.path(), onDevice, batch).load(model)) {
                List<VideoFrame> together = frames.subList(0, batch);
                answers = detector.detect(together);
                long startedNs = System.nanoTime();
                long passedNs = 0;
                long count = 0;
                while (passedNs < time.toNanos()) {
                    answers = detector.detect(together);
                    count += batch;
                    passedNs = System.nanoTime() - startedNs;
                }
                double perSecond = count * 1e9 / passedNs;
                report.note(
                        "%s, %s, batch %d: %.1f a second", net.label(), onDevice, batch, perSecond);
                speeds.row(net.label(), onDevice, batch, perSecond);
            }
        }
        return answers;
    }

    private static double difference(List<List<Detection>> expected, List<List<Detection>> actual) {
        double largest = 0;
        for (int i = 0; i < expected.size(); i++) {
            double one = expected.get(i).getFirst().confidence();
            double other = actual.get(i).getFirst().confidence();
            largest = Math.max(largest, Math.abs(one - other));
        }
        return largest;
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

    /** Frames of smooth noise, each different. */
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
