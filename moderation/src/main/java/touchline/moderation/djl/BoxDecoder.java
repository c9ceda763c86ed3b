package touchline.moderation.djl;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import touchline.moderation.AlertType;
import touchline.moderation.Box;
import touchline.moderation.ModelSpec;
import touchline.moderation.djl.InputTensor.Placement;

/**
 * Reads the boxes of a detector of the YOLO family. Keeps, for each alert type, the best boxes that
 * do not overlap, highest confidence first. Stateless, any thread.
 *
 * <p>Non-maximum suppression is greedy, by intersection over union, within an alert type.
 */
final class BoxDecoder {
    /** Boxes below this score are noise and are left out. */
    private static final double MIN_SCORE = 0.01;

    /** Candidates for suppression, per alert type. */
    private static final int MAX_CANDIDATES = 200;

    /** Boxes that are kept, per alert type. */
    private static final int MAX_BOXES = 10;

    private final ModelSpec spec;
    private final ModelSpec.Output.Boxes output;

    record Found(AlertType type, double confidence, Box box) {}

    BoxDecoder(ModelSpec spec, ModelSpec.Output.Boxes output) {
        this.spec = spec;
        this.output = output;
    }

    /**
     * Decodes one frame. Returns at least one result for each alert type that the model serves.
     *
     * @param numbers values of this frame
     * @param shape of the tensor of the whole batch
     */
    List<Found> decode(float[] numbers, long[] shape, Placement placement) {
        Rows rows = new Rows(numbers, shape, output.layout());
        List<Found> found = new ArrayList<>();
        for (Map.Entry<AlertType, Set<Integer>> alert : spec.alerts().entrySet()) {
            found.addAll(ofType(alert.getKey(), alert.getValue(), rows, placement));
        }
        return found;
    }

    private List<Found> ofType(
            AlertType type, Set<Integer> classes, Rows rows, Placement placement) {
        List<Found> candidates = new ArrayList<>();
        double highest = 0;
        for (int row = 0; row < rows.count; row++) {
            double score = 0;
            for (int index : classes) {
                score = Math.max(score, rows.score(row, index));
            }
            score = Math.min(score, 1);
            highest = Math.max(highest, score);
            if (score >= MIN_SCORE) {
                candidates.add(new Found(type, score, rows.box(row, placement)));
            }
        }
        candidates.removeIf(each -> each.box().width() <= 0 || each.box().height() <= 0);
        candidates.sort(Comparator.comparingDouble(Found::confidence).reversed());
        List<Found> kept = new ArrayList<>();
        for (Found candidate : candidates.subList(0, Math.min(MAX_CANDIDATES, candidates.size()))) {
            boolean separate =
                    kept.stream()
                            .allMatch(
                                    stronger ->
                                            stronger.box().intersectionOverUnion(candidate.box())
                                                    <= output.nmsOverlap());
            if (separate && kept.size() < MAX_BOXES) {
                kept.add(candidate);
            }
        }
        return kept.isEmpty()
                ? List.of(new Found(type, Math.min(highest, MIN_SCORE), Box.NONE))
                : kept;
    }

    /** Access to the tensor that hides the three layouts. */
    private static final class Rows {
        private final float[] numbers;
        private final ModelSpec.Layout layout;
        private final int columns;
        private final int count;

        Rows(float[] numbers, long[] shape, ModelSpec.Layout layout) {
            this.numbers = numbers;
            this.layout = layout;
            boolean transposed = layout == ModelSpec.Layout.YOLOV8;
            this.columns = Math.toIntExact(transposed ? shape[1] : shape[2]);
            this.count = Math.toIntExact(transposed ? shape[2] : shape[1]);
        }

        double score(int row, int classIndex) {
            return switch (layout) {
                case YOLOV8 -> at(row, 4 + classIndex);
                case YOLOV5 -> at(row, 4) * at(row, 5 + classIndex);
                case END_TO_END -> Math.round(at(row, 5)) == classIndex ? at(row, 4) : 0;
            };
        }

        /** The box as fractions of the frame, without the letterbox's border. */
        Box box(int row, Placement placement) {
            double a = at(row, 0);
            double b = at(row, 1);
            double c = at(row, 2);
            double d = at(row, 3);
            boolean corners = layout == ModelSpec.Layout.END_TO_END;
            double left = corners ? a : a - c / 2;
            double top = corners ? b : b - d / 2;
            double right = corners ? c : a + c / 2;
            double bottom = corners ? d : b + d / 2;
            return Box.ofCorners(
                    (left - placement.left()) / placement.width(),
                    (top - placement.top()) / placement.height(),
                    (right - placement.left()) / placement.width(),
                    (bottom - placement.top()) / placement.height());
        }

        private double at(int row, int column) {
            return layout == ModelSpec.Layout.YOLOV8
                    ? numbers[column * count + row]
                    : numbers[row * columns + column];
        }
    }
}
