package touchline.moderation.djl;

import ai.djl.Device;
import ai.djl.MalformedModelException;
import ai.djl.Model;
import ai.djl.engine.EngineException;
import ai.djl.inference.Predictor;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.translate.NoopTranslator;
import ai.djl.translate.TranslateException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.VideoFrame;
import touchline.moderation.Detection;
import touchline.moderation.Detector;
import touchline.moderation.DetectorException;
import touchline.moderation.ModelFolder;

/**
 * One TorchScript model on one device. Scales frames into the input tensor's memory, and reads the
 * output by {@code model.yaml}. One thread at a time.
 */
public final class DjlDetector implements Detector {
    private static final Logger log = LoggerFactory.getLogger(DjlDetector.class);

    private final ModelFolder folder;
    private final Model model;
    private final Predictor<NDList, NDList> predictor;
    private final InputTensor input;
    private final AnswerReader answers;
    private final int batchSize;
    private Shape answerShape = new Shape();
    private boolean closed;

    private DjlDetector(ModelFolder folder, Model model, int batchSize) {
        this.folder = folder;
        this.model = model;
        // null: no batchifier, because the tensor is a batch.
        this.predictor = model.newPredictor(new NoopTranslator(null));
        this.batchSize = Math.min(batchSize, folder.spec().input().maxBatch());
        this.input = new InputTensor(folder.spec().input(), this.batchSize);
        this.answers = new AnswerReader(folder);
    }

    /**
     * Loads a model and runs it once: the first run is slower than the others.
     *
     * @param batchSize frames in a tensor at most
     * @throws DetectorException the model cannot be loaded, or its output contradicts model.yaml
     */
    static DjlDetector open(ModelFolder folder, Device device, int batchSize) {
        long startedNs = System.nanoTime();
        Model model = Model.newInstance(folder.name(), device, "PyTorch");
        try {
            model.load(folder.path(), folder.spec().file());
        } catch (IOException | MalformedModelException | EngineException e) {
            model.close();
            throw new DetectorException(
                    "%s cannot be loaded: %s".formatted(folder.spec().file(), DjlLoader.reason(e)),
                    e);
        }
        DjlDetector detector = new DjlDetector(folder, model, batchSize);
        try {
            detector.warmUp();
            log.info(
                    "model {} loaded on {} in {} ms",
                    folder.name(),
                    device,
                    (System.nanoTime() - startedNs) / 1_000_000);
            return detector;
        } catch (RuntimeException e) {
            detector.close();
            throw e;
        }
    }

    @Override
    public List<List<Detection>> detect(List<VideoFrame> frames) {
        List<List<Detection>> detections = new ArrayList<>(frames.size());
        for (int from = 0; from < frames.size(); from += batchSize) {
            int to = Math.min(from + batchSize, frames.size());
            detections.addAll(detectBatch(frames.subList(from, to)));
        }
        return detections;
    }

    /** Shape of the last output tensor, as {@code [1, 5, 8400]}. */
    public String answerShape() {
        return answerShape.toString().replace('(', '[').replace(')', ']');
    }

    private List<List<Detection>> detectBatch(List<VideoFrame> frames) {
        List<InputTensor.Placement> placements = input.fill(frames);
        float[] numbers = run(frames.size());
        return answers.read(numbers, answerShape.getShape(), placements);
    }

    /** Runs the model. Returns the values of its first output, row-major. */
    private float[] run(int frames) {
        Shape shape = new Shape(frames, 3, input.height(), input.width());
        try (NDManager scope = model.getNDManager().newSubManager();
                NDArray tensor = scope.create(input.buffer(frames), shape, DataType.FLOAT32);
                NDList output = predictor.predict(new NDList(tensor))) {
            NDArray first = output.head();
            answerShape = first.getShape();
            NDArray floats = first.toType(DataType.FLOAT32, /* copy= */ false);
            return floats.toFloatArray();
        } catch (TranslateException | EngineException | IllegalArgumentException e) {
            throw new DetectorException("inference failed: " + DjlLoader.reason(e), e);
        }
    }

    private void warmUp() {
        int width = folder.spec().input().width();
        int height = folder.spec().input().height();
        try (VideoFrame frame = VideoFrame.allocate(new FrameFormat(width, height, Colour.JPEG))) {
            frame.planes().forEach(plane -> plane.samples().fill((byte) 128));
            List<List<Detection>> _ = detectBatch(List.of(frame));
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        predictor.close();
        model.close();
        input.close();
    }
}
