package touchline.moderation.djl;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import touchline.moderation.AlertType;
import touchline.moderation.Box;
import touchline.moderation.Detection;
import touchline.moderation.DetectorException;
import touchline.moderation.ModelFolder;
import touchline.moderation.ModelSpec;
import touchline.moderation.ModelSpec.Output;
import touchline.moderation.djl.InputTensor.Placement;

/** Turns a model's output tensor into detections, by its {@code model.yaml}. Any thread. */
final class AnswerReader {
    private final String model;
    private final ModelSpec spec;

    AnswerReader(ModelFolder folder) {
        this.model = folder.name();
        this.spec = folder.spec();
    }

    /**
     * The detections of each frame of a batch.
     *
     * @param numbers the output tensor, row-major
     * @param shape of the output tensor
     * @param placements one per frame
     * @throws DetectorException the shape is not the declared one, or a value is not finite
     */
    List<List<Detection>> read(float[] numbers, long[] shape, List<Placement> placements) {
        checkShape(shape, placements.size());
        for (float number : numbers) {
            if (!Float.isFinite(number)) {
                throw new DetectorException("the answer holds " + number);
            }
        }
        int each = numbers.length / placements.size();
        List<List<Detection>> frames = new ArrayList<>(placements.size());
        for (int i = 0; i < placements.size(); i++) {
            float[] own = Arrays.copyOfRange(numbers, i * each, (i + 1) * each);
            frames.add(
                    switch (spec.output()) {
                        case Output.Classifier classifier -> classified(own, classifier);
                        case Output.Boxes boxes ->
                                new BoxDecoder(spec, boxes)
                                        .decode(own, shape, placements.get(i)).stream()
                                                .map(this::named)
                                                .toList();
                    });
        }
        return frames;
    }

    private Detection named(BoxDecoder.Found found) {
        return new Detection(found.type(), model, found.confidence(), found.box());
    }

    private List<Detection> classified(float[] numbers, Output.Classifier classifier) {
        double[] shares = probabilities(numbers, classifier.activation());
        List<Detection> detections = new ArrayList<>();
        for (AlertType type : AlertType.values()) {
            Set<Integer> indexes = spec.alerts().get(type);
            if (indexes == null) {
                continue;
            }
            double confidence = 0;
            for (int index : indexes) {
                // Exclusive classes (softmax) add up; otherwise the most likely class counts.
                confidence =
                        classifier.activation() == ModelSpec.Activation.SOFTMAX
                                ? confidence + shares[index]
                                : Math.max(confidence, shares[index]);
            }
            detections.add(new Detection(type, model, Math.clamp(confidence, 0.0, 1.0), Box.WHOLE));
        }
        return detections;
    }

    private static double[] probabilities(float[] numbers, ModelSpec.Activation activation) {
        double[] shares = new double[numbers.length];
        double highest = Double.NEGATIVE_INFINITY;
        for (float number : numbers) {
            highest = Math.max(highest, number);
        }
        double sum = 0;
        for (int i = 0; i < shares.length; i++) {
            shares[i] =
                    switch (activation) {
                        case SOFTMAX -> Math.exp(numbers[i] - highest);
                        case SIGMOID -> 1 / (1 + Math.exp(-numbers[i]));
                        case NONE -> numbers[i];
                    };
            sum += shares[i];
        }
        if (activation == ModelSpec.Activation.SOFTMAX) {
            for (int i = 0; i < shares.length; i++) {
                shares[i] /= sum;
            }
        }
        return shares;
    }

    private void checkShape(long[] shape, int frames) {
        int classes = spec.classes().size();
        long[] expected =
                switch (spec.output()) {
                    case Output.Classifier _ -> new long[] {frames, classes};
                    case Output.Boxes boxes ->
                            switch (boxes.layout()) {
                                case YOLOV8 -> new long[] {frames, 4 + classes, -1};
                                case YOLOV5 -> new long[] {frames, -1, 5 + classes};
                                case END_TO_END -> new long[] {frames, -1, 6};
                            };
                };
        boolean fits = shape.length == expected.length;
        for (int i = 0; fits && i < shape.length; i++) {
            fits = expected[i] < 0 ? shape[i] > 0 : shape[i] == expected[i];
        }
        if (!fits) {
            throw new DetectorException(
                    "the answer has the shape %s (expected by output and %d classes: %s)"
                            .formatted(text(shape), classes, text(expected)));
        }
    }

    private static String text(long[] shape) {
        return Arrays.toString(shape).replace("-1", "any");
    }
}
