package touchline.moderation;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What {@code model.yaml} says of a model. Immutable, any thread.
 *
 * @param licence of the weights, for people
 * @param demo only demonstrates; used with {@code moderation.demo-models} alone
 * @param file name of the TorchScript file in the folder
 * @param input what the model is fed
 * @param output what comes out
 * @param classes names by index
 * @param alerts which classes count as what; at least one type, each with at least one class index
 * @param description for people; may be empty
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

    /** How a frame of another shape gets to the model's size. */
    public enum Resize {
        /** Shape kept, centred, the rest filled with grey. */
        LETTERBOX,
        /** Shape lost. */
        STRETCH
    }

    /**
     * The tensor {@code [N, 3, height, width]}, float32, planes R, G, B: samples of 0 to 1, less
     * the mean, divided by the deviation.
     *
     * @param width 16 to 4096
     * @param height 16 to 4096
     * @param mean for R, G and B
     * @param std for R, G and B, above 0
     * @param maxBatch frames that the model takes at once
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

    /** What the model answers. */
    public sealed interface Output {
        /**
         * {@code [N, classes]}.
         *
         * @param activation what makes probabilities of the numbers
         */
        record Classifier(Activation activation) implements Output {}

        /**
         * Boxes in pixels of the input, and scores.
         *
         * @param layout how they lie in the tensor
         * @param nmsOverlap intersection over union above which the weaker box is dropped, 0 to 1
         */
        record Boxes(Layout layout, double nmsOverlap) implements Output {}
    }

    /** What makes probabilities of a classifier's numbers. */
    public enum Activation {
        SOFTMAX,
        SIGMOID,
        /** They are probabilities already. */
        NONE
    }

    /** How a detector's boxes lie in the tensor. */
    public enum Layout {
        /** {@code [N, 4 + classes, boxes]}: centre x, centre y, width, height, scores. */
        YOLOV8,
        /** {@code [N, boxes, 5 + classes]}: the same with an objectness before the scores. */
        YOLOV5,
        /** {@code [N, boxes, 6]}: left, top, right, bottom, score, class; without overlaps. */
        END_TO_END
    }
}
