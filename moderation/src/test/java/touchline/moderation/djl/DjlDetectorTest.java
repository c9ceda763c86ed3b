package touchline.moderation.djl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import touchline.config.ModerationConfig;
import touchline.media.FrameView;
import touchline.media.ffmpeg.VideoFrame;
import touchline.moderation.AlertType;
import touchline.moderation.Box;
import touchline.moderation.Detection;
import touchline.moderation.Detector;
import touchline.moderation.DetectorException;
import touchline.moderation.ModelFolder;
import touchline.moderation.Painted;
import touchline.moderation.Painted.Paint;
import touchline.moderation.torchscript.TorchScriptFile;

/** Models that PyTorch runs on the CPU. */
final class DjlDetectorTest {
    private static final String SMALL = "width: 64, height: 64, resize: stretch";

    @TempDir Path folder;

    private final DjlLoader loader = loader(/* batchSize= */ 3);

    /** The expected values are computed from the frame's pixels. */
    @ParameterizedTest
    @CsvSource({"64, 64, softmax", "64, 64, sigmoid", "640, 360, softmax", "16, 16, softmax"})
    void classifier_scoresMatchTheNumbersOfThePixels(int width, int height, String activation) {
        String input = SMALL + ", mean: [0.4, 0.5, 0.6], std: [0.8, 1, 0.5]";
        ModelFolder model =
                TestModels.write(
                        folder.resolve("colours"),
                        TestModels.classifier(input, "activation: " + activation),
                        TestModels.colourClassifier());
        try (Detector detector = loader.load(model);
                VideoFrame frame = noisy(width, height)) {
            double[] means = means(frame);
            double[] mean = {0.4, 0.5, 0.6};
            double[] std = {0.8, 1, 0.5};
            double[][] weights = {{-3, 2}, {1, 0.5}, {0.25, 4}};
            double calm = 0;
            double alarm = 0;
            for (int i = 0; i < 3; i++) {
                double sample = (means[i] - mean[i]) / std[i];
                calm += sample * weights[i][0];
                alarm += sample * weights[i][1];
            }
            double expected =
                    activation.equals("softmax")
                            ? 1 / (1 + Math.exp(calm - alarm))
                            : 1 / (1 + Math.exp(-alarm));
            Detection found = detector.detect(List.of(frame)).getFirst().getFirst();

            assertEquals(expected, found.confidence(), 0.015);
            assertEquals(Box.WHOLE, found.box());
            assertEquals(AlertType.NUDE, found.type());
            assertEquals("colours", found.modelVersion());
        }
    }

    /** The detector and the formula on the same tensor agree within 1e-4. */
    @Test
    void scores_equalTheModelRunOnTheSameTensor_inAnyBatch() {
        ModelFolder model =
                TestModels.write(
                        folder.resolve("colours"),
                        TestModels.classifier(
                                "width: 96, height: 64, mean: [0.485, 0.456, 0.406],"
                                        + " std: [0.229, 0.224, 0.225]",
                                ""),
                        TestModels.colourClassifier());
        List<VideoFrame> frames = new ArrayList<>();
        try (Detector detector = loader.load(model);
                InputTensor input = new InputTensor(model.spec().input(), 7)) {
            for (int i = 0; i < 7; i++) {
                frames.add(noisy(160 + 32 * i, 90));
            }
            List<InputTensor.Placement> _ = input.fill(frames);
            float[] tensor = new float[7 * 3 * 96 * 64];
            input.buffer(7).get(tensor);
            for (float sample : tensor) {
                assertTrue(sample >= -0.486 / 0.224 && sample <= 0.595 / 0.224, "of 0 to 1");
            }
            List<List<Detection>> batches = detector.detect(frames);
            for (int i = 0; i < 7; i++) {
                double direct = direct(tensor, i);
                assertEquals(direct, batches.get(i).getFirst().confidence(), 1e-4);
                assertEquals(
                        direct,
                        detector.detect(List.of(frames.get(i))).getFirst().getFirst().confidence(),
                        1e-4);
            }
        } finally {
            frames.forEach(VideoFrame::close);
        }
    }

    /** Gun 200x100 at 100,150 of a 400x400 input; the frame of 16:9 lies in rows 87 to 311. */
    @ParameterizedTest
    @CsvSource({"yolov8", "yolov5", "end-to-end"})
    void boxesOfEveryLayout_areFractionsOfTheFrame(String layout) {
        float[] gun = {200, 200, 200, 100, 0.02f, 0.9f, 0.1f};
        float[] sameGun = {204, 202, 200, 100, 0, 0.8f, 0};
        float[] knife = {50, 100, 20, 10, 0, 0.3f, 0.5f};
        byte[] answer =
                switch (layout) {
                    case "yolov8" ->
                            TestModels.constant(
                                    new int[] {1, 7, 3}, transposed(gun, sameGun, knife));
                    case "yolov5" ->
                            TestModels.constant(
                                    new int[] {1, 3, 8},
                                    joined(
                                            withObjectness(gun),
                                            withObjectness(sameGun),
                                            withObjectness(knife)));
                    default ->
                            TestModels.constant(
                                    new int[] {1, 3, 6},
                                    joined(
                                            new float[] {100, 150, 300, 250, 0.9f, 1},
                                            new float[] {40, 95, 60, 105, 0.5f, 2},
                                            new float[] {0, 0, 0, 0, 0, 0}));
                };
        ModelFolder model =
                TestModels.write(
                        folder.resolve(layout),
                        TestModels.detector("width: 400, height: 400", layout),
                        answer);
        try (Detector detector = loader.load(model);
                VideoFrame wide = Painted.grey(1280, 720);
                VideoFrame high = Painted.grey(720, 1280)) {
            List<List<Detection>> found = detector.detect(List.of(wide, high));
            List<Detection> weapons =
                    found.getFirst().stream()
                            .filter(each -> each.type() == AlertType.WEAPON)
                            .toList();

            assertEquals(2, weapons.size(), "the weaker of two that overlap is dropped");
            assertEquals(0.9, weapons.getFirst().confidence(), 1e-4);
            assertEquals(0.5, weapons.getLast().confidence(), 1e-4);
            assertBox(0.25, (150 - 87) / 225.0, 0.5, 100 / 225.0, weapons.getFirst().box());
            Box upright =
                    found.getLast().stream()
                            .filter(each -> each.confidence() > 0.85)
                            .findFirst()
                            .orElseThrow()
                            .box();
            assertBox((100 - 87) / 225.0, 0.375, 200 / 225.0, 0.25, upright);
            Detection person =
                    found.getFirst().stream()
                            .filter(each -> each.type() == AlertType.NUDE)
                            .findFirst()
                            .orElseThrow();
            assertTrue(person.confidence() < 0.05, "every served type has a detection: " + person);
        }
    }

    @ParameterizedTest
    @CsvSource({"16, 16", "4096, 2160"})
    void frameOfAnySize_isAnalysed(int width, int height) {
        ModelFolder model =
                TestModels.write(
                        folder.resolve("colours"),
                        TestModels.classifier("width: 64, height: 64", ""),
                        TestModels.colourClassifier());
        try (Detector detector = loader.load(model);
                VideoFrame cyan = Painted.with(width, height, Paint.CYAN, Box.WHOLE)) {
            assertTrue(detector.detect(List.of(cyan)).getFirst().getFirst().confidence() > 0.9);
        }
    }

    @Test
    void brokenModels_areRejectedWithTheReason() {
        assertRejected(new byte[] {'P', 'K', 3, 4, 0, 0, 0}, "model.pt cannot be loaded: ");
        assertRejected(
                "not a model at all".getBytes(StandardCharsets.UTF_8),
                "model.pt cannot be loaded: ");
        byte[] whole = TestModels.colourClassifier();
        assertRejected(Arrays.copyOf(whole, whole.length / 2), "model.pt cannot be loaded: ");
        assertRejected(
                TestModels.constant(new int[] {1, 3}, 1, 2, 3),
                "the answer has the shape [1, 3] (expected by output and 2 classes: [1, 2])");
        assertRejected(
                TestModels.constant(new int[] {1, 2, 1}, 1, 2),
                "the answer has the shape [1, 2, 1] (expected by output and 2 classes: [1, 2])");
        assertRejected(TestModels.constant(new int[] {1, 2}, 1, Float.NaN), "the answer holds NaN");
        assertRejected(
                new TorchScriptFile("Thrower", "return torch.view(x, [-1, 7, 11])").toBytes(),
                "inference failed: ");
    }

    @Test
    void cudaWithoutALibtorchThatHasIt_saysSo() {
        ModerationConfig cuda = ModerationConfig.of(folder, false, "cuda:0");
        DetectorException failure =
                assertThrows(DetectorException.class, () -> new DjlLoader(cuda).device());

        assertEquals(
                "moderation.device is cuda:0, but PYTORCH_LIBRARY_PATH names no libtorch with CUDA",
                failure.reason());
    }

    private void assertRejected(byte[] file, String reason) {
        ModelFolder model =
                TestModels.write(folder.resolve("broken"), TestModels.classifier(SMALL, ""), file);
        DetectorException failure =
                assertThrows(DetectorException.class, () -> loader.load(model).close());
        assertTrue(failure.reason().startsWith(reason), failure.reason());
    }

    private DjlLoader loader(int batchSize) {
        return new DjlLoader(
                new ModerationConfig(
                        Path.of("unused"),
                        false,
                        "cpu",
                        1,
                        batchSize,
                        Duration.ZERO,
                        8,
                        Duration.ZERO,
                        0.5));
    }

    private static double direct(float[] tensor, int frame) {
        double[] means = new double[3];
        for (int colour = 0; colour < 3; colour++) {
            int start = (frame * 3 + colour) * 96 * 64;
            for (int i = start; i < start + 96 * 64; i++) {
                means[colour] += tensor[i] / (96.0 * 64);
            }
        }
        double calm = -3 * means[0] + means[1] + 0.25 * means[2];
        double alarm = 2 * means[0] + 0.5 * means[1] + 4 * means[2];
        return 1 / (1 + Math.exp(calm - alarm));
    }

    /** Means of R, G and B, 0 to 1: BT.709 in video range is linear, scaling keeps means. */
    private static double[] means(VideoFrame frame) {
        double y = (mean(frame, 0) - 16) / 219;
        double cb = (mean(frame, 1) - 128) / 224;
        double cr = (mean(frame, 2) - 128) / 224;
        return new double[] {y + 1.5748 * cr, y - 0.1873 * cb - 0.4681 * cr, y + 1.8556 * cb};
    }

    private static double mean(VideoFrame frame, int plane) {
        int width = plane == 0 ? frame.format().width() : frame.format().chromaWidth();
        int height = plane == 0 ? frame.format().height() : frame.format().chromaHeight();
        FrameView.Plane samples = frame.planes().get(plane);
        double sum = 0;
        for (int row = 0; row < height; row++) {
            for (int column = 0; column < width; column++) {
                long at = (long) row * samples.strideBytes() + column;
                sum += samples.samples().get(ValueLayout.JAVA_BYTE, at) & 0xFF;
            }
        }
        return sum / ((double) width * height);
    }

    /** Noise within the range of RGB: other colours are clipped, and means would differ. */
    private static VideoFrame noisy(int width, int height) {
        Random random = new Random(width);
        VideoFrame frame = Painted.grey(width, height);
        for (int plane = 0; plane < 3; plane++) {
            MemorySegment samples = frame.planes().get(plane).samples();
            int middle = plane == 0 ? 128 : plane == 1 ? 108 : 158;
            for (long i = 0; i < samples.byteSize(); i++) {
                int sample = middle - 10 + random.nextInt(20);
                samples.set(ValueLayout.JAVA_BYTE, i, (byte) sample);
            }
        }
        return frame;
    }

    private static void assertBox(double x, double y, double w, double h, Box box) {
        assertEquals(x, box.x(), 0.005, box.toString());
        assertEquals(y, box.y(), 0.005, box.toString());
        assertEquals(w, box.width(), 0.005, box.toString());
        assertEquals(h, box.height(), 0.005, box.toString());
    }

    private static float[] withObjectness(float[] row) {
        float[] all = new float[row.length + 1];
        System.arraycopy(row, 0, all, 0, 4);
        all[4] = 1;
        System.arraycopy(row, 4, all, 5, row.length - 4);
        return all;
    }

    private static float[] joined(float[]... rows) {
        float[] all = new float[rows.length * rows[0].length];
        for (int i = 0; i < rows.length; i++) {
            System.arraycopy(rows[i], 0, all, i * rows[0].length, rows[0].length);
        }
        return all;
    }

    private static float[] transposed(float[]... rows) {
        float[] all = new float[rows.length * rows[0].length];
        for (int i = 0; i < rows.length; i++) {
            for (int j = 0; j < rows[0].length; j++) {
                all[j * rows.length + i] = rows[i][j];
            }
        }
        return all;
    }
}
