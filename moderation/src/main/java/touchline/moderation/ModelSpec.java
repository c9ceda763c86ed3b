package touchline.moderation;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Content of a {@code model.yaml}. Immutable, any thread.
 *
 * @param licence of the weights
 * @param demo a demo model; used only with {@code moderation.demo-models}
 * @param file name of the TorchScript file in the folder
 * @param input the input tensor
 * @param output the output tensor
 * @param classes names by index
 * @param alerts class indexes of each alert type; at least one type, each with at least one index
 * @param description free text; may be empty
 */
public record ModelSpec(
        String licence,
        boolean demo,
        String file,
        Input input,
        Output output,
        List<String> classes,
        Map<AlertType, Set<Integer>> alerts,
        String description) {
    public ModelSpec {
        classes = List.copyOf(classes);
        alerts = Map.copyOf(alerts);
    }

    public Set<AlertType> serves() {
        return alerts.keySet();
    }

    /** How a frame is scaled to the size of the input. */
    public enum Resize {
        /** Keeps the aspect ratio, centred, the rest filled with grey. */
        LETTERBOX,
        /** Does not keep the aspect ratio. */
        STRETCH
    }

    /**
     * The tensor {@code [N, 3, height, width]}, float32, planes R, G, B. A value is {@code (sample
     * - mean) / std} with samples of 0 to 1.
     *
     * @param width 16 to 4096
     * @param height 16 to 4096
     * @param mean for R, G and B
     * @param std for R, G and B, above 0
     * @param maxBatch frames in one inference at most
     */
    public record Input(
            int width,
            int height,
            Resize resize,
            List<Double> mean,
            List<Double> std,
            int maxBatch) {
        public Input {
            mean = List.copyOf(mean);
            std = List.copyOf(std);
        }
    }

    /** The output tensor and its meaning. */
    public sealed interface Output {
        /**
         * {@code [N, classes]}.
         *
         * @param activation turns the values into probabilities
         */
        record Classifier(Activation activation) implements Output {}

        /**
         * Boxes in pixels of the input, and scores.
         *
         * @param layout of the tensor
         * @param nmsOverlap intersection over union above which the weaker box is dropped, 0 to 1
         */
        record Boxes(Layout layout, double nmsOverlap) implements Output {}
    }

    /** Function that turns a classifier's values into probabilities. */
    public enum Activation {
        SOFTMAX,
        SIGMOID,
        /** The values are probabilities. */
        NONE
    }

    /** Layout of a detector's output tensor. */
    public enum Layout {
        /** {@code [N, 4 + classes, boxes]}: centre x, centre y, width, height, scores. */
        YOLOV8,
        /** {@code [N, boxes, 5 + classes]}: as YOLOV8, with the objectness before the scores. */
        YOLOV5,
        /** {@code [N, boxes, 6]}: left, top, right, bottom, score, class; no overlaps. */
        END_TO_END
    }
}
