package touchline.moderation.djl;

import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import touchline.media.FrameView;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.VideoFrame;
import touchline.moderation.Detection;
import touchline.moderation.DetectorException;
import touchline.moderation.ModelFolder;
import touchline.moderation.ModelSpec;
import touchline.moderation.ModelSpecReader;

/** Loads a model folder, runs it on sample frames, returns the results. One platform thread. */
public final class ModelCheck {
    private static final int TIMED_RUNS = 20;

    private ModelCheck() {}

    /** Sample frames that every model must accept: Y, U, V of a colour; a negative Y is noise. */
    private enum Sample {
        GREY("grey", 1280, 720, 110, 128, 128),
        NOISE("noise", 1280, 720, -1, 128, 128),
        CYAN("cyan rectangle on grey", 1280, 720, 188, 154, 16),
        MAGENTA("magenta rectangle on grey", 1280, 720, 78, 214, 230),
        TINY("tiny", 16, 16, 188, 154, 16),
        LARGE("large", 4096, 2160, 78, 214, 230);

        private final String title;
        private final int width;
        private final int height;
        private final int y;
        private final int u;
        private final int v;

        Sample(String title, int width, int height, int y, int u, int v) {
            this.title = title;
            this.width = width;
            this.height = height;
            this.y = y;
            this.u = u;
            this.v = v;
        }
    }

    /** The detections in one sample frame. */
    public record Answer(String frame, int width, int height, List<Detection> detections) {}

    /**
     * Result of the check.
     *
     * @param device {@code cpu} or {@code cuda:N}
     * @param inputShape of one frame
     * @param answerShape of one frame
     * @param loadMs time to load the model, with its first run
     * @param medianMs median time from a decoded 1280x720 frame to its detections
     */
    public record Result(
            ModelFolder folder,
            String device,
            String inputShape,
            String answerShape,
            double loadMs,
            double medianMs,
            List<Answer> answers) {}

    /**
     * Checks the folder.
     *
     * @throws DetectorException the folder is not a model, or the model does not work
     */
    public static Result run(Path path, DjlLoader loader) {
        ModelFolder folder = ModelSpecReader.read(path.toAbsolutePath().normalize());
        String device = loader.device();
        long startedNs = System.nanoTime();
        try (DjlDetector detector = loader.open(folder)) {
            double loadMs = (System.nanoTime() - startedNs) / 1e6;
            List<Answer> answers = new ArrayList<>();
            for (Sample sample : Sample.values()) {
                try (VideoFrame frame = paint(sample)) {
                    List<Detection> found = detector.detect(List.of(frame)).getFirst();
                    answers.add(new Answer(sample.title, sample.width, sample.height, found));
                }
            }
            double medianMs = medianMs(detector);
            ModelSpec.Input input = folder.spec().input();
            return new Result(
                    folder,
                    device,
                    "[1, 3, %d, %d]".formatted(input.height(), input.width()),
                    detector.answerShape(),
                    loadMs,
                    medianMs,
                    List.copyOf(answers));
        }
    }

    private static double medianMs(DjlDetector detector) {
        double[] timesMs = new double[TIMED_RUNS];
        try (VideoFrame frame = paint(Sample.NOISE)) {
            for (int i = 0; i < TIMED_RUNS; i++) {
                long startedNs = System.nanoTime();
                List<List<Detection>> _ = detector.detect(List.of(frame));
                timesMs[i] = (System.nanoTime() - startedNs) / 1e6;
            }
        }
        Arrays.sort(timesMs);
        return timesMs[TIMED_RUNS / 2];
    }

    /** Grey with a centred rectangle of half the width and half the height, or noise. */
    private static VideoFrame paint(Sample sample) {
        VideoFrame frame =
                VideoFrame.allocate(new FrameFormat(sample.width, sample.height, Colour.BT709));
        Random random = new Random(7);
        int[] inside = {sample.y, sample.u, sample.v};
        int[] outside = {110, 128, 128};
        for (int i = 0; i < inside.length; i++) {
            int width = i == 0 ? sample.width : frame.format().chromaWidth();
            int height = i == 0 ? sample.height : frame.format().chromaHeight();
            FrameView.Plane plane = frame.planes().get(i);
            for (int y = 0; y < height; y++) {
                for (int x = 0; x < width; x++) {
                    boolean within =
                            x >= width / 4
                                    && x < width * 3 / 4
                                    && y >= height / 4
                                    && y < height * 3 / 4;
                    int value = within ? inside[i] : outside[i];
                    int sampleValue = sample.y < 0 ? 16 + random.nextInt(219) : value;
                    plane.samples()
                            .set(
                                    ValueLayout.JAVA_BYTE,
                                    (long) y * plane.strideBytes() + x,
                                    (byte) sampleValue);
                }
            }
        }
        return frame;
    }
}
