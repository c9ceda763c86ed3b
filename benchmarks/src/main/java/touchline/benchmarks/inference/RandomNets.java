package touchline.benchmarks.inference;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import touchline.moderation.ModelFolder;
import touchline.moderation.ModelSpecReader;
import touchline.moderation.torchscript.TorchScriptFile;

/** Model folders of convolutional networks with random weights and typical cost. */
enum RandomNets {
    /** About 0.25 GMAC: a small classifier. */
    CLASSIFIER(224, "classifier"),
    /** About 2 GMAC: a small detector, one box for each of 20x20 cells. */
    DETECTOR(640, "detector");

    private static final int CLASSES = 2;

    /** Channels of the input, then of each layer, which halves both sides. */
    private static final int[] CHANNELS = {3, 32, 64, 128, 256, 512};

    private final int side;
    private final String task;

    RandomNets(int side, String task) {
        this.side = side;
        this.task = task;
    }

    String label() {
        return task + " " + side;
    }

    ModelFolder write(Path parent) throws IOException {
        Path folder = Files.createDirectories(parent.resolve(task));
        Files.write(folder.resolve("model.pt"), torchScript());
        Files.writeString(
                folder.resolve(ModelSpecReader.FILE),
                """
                licence: none
                task: %s
                input: {width: %d, height: %d}
                classes: [calm, alarm]
                alerts: {weapon: [alarm]}
                """
                        .formatted(task, side, side));
        return ModelSpecReader.read(folder);
    }

    private byte[] torchScript() {
        Random random = new Random(5);
        boolean classifier = this == CLASSIFIER;
        StringBuilder forward = new StringBuilder();
        int layers = CHANNELS.length - 1;
        for (int i = 0; i < layers; i++) {
            forward.append("x%d = torch.relu(".formatted(i + 1))
                    .append(convolution("x" + (i == 0 ? "" : i), "w" + i, /* stride= */ 2))
                    .append(")\n");
        }
        if (classifier) {
            forward.append("means = torch.mean(x%d, [2, 3])\n".formatted(layers));
            forward.append("return torch.matmul(means, self.head)\n");
        } else {
            // Sigmoid, then the scale of boxes and scores.
            forward.append("y = ").append(convolution("x" + layers, "head", 1)).append('\n');
            forward.append("z = torch.sigmoid(torch.flatten(y, 2))\n");
            forward.append("return torch.mul(z, self.scale)\n");
        }
        TorchScriptFile file = new TorchScriptFile("RandomNet", forward.toString());
        for (int i = 0; i < layers; i++) {
            int[] shape = {CHANNELS[i + 1], CHANNELS[i], 3, 3};
            file = file.tensor("w" + i, shape, weights(random, shape));
        }
        int[] head =
                classifier
                        ? new int[] {CHANNELS[layers], CLASSES}
                        : new int[] {4 + CLASSES, CHANNELS[layers], 3, 3};
        file = file.tensor("head", head, weights(random, head));
        if (!classifier) {
            float[] scale = {side, side, 100, 100, 1, 1};
            file = file.tensor("scale", new int[] {1, 4 + CLASSES, 1}, scale);
        }
        return file.toBytes();
    }

    private static String convolution(String input, String weights, int stride) {
        return "torch.conv2d(%s, self.%s, None, [%d, %d], [1, 1], [1, 1], 1)"
                .formatted(input, weights, stride, stride);
    }

    /** Weights that keep the size of values from layer to layer. */
    private static float[] weights(Random random, int[] shape) {
        int count = 1;
        for (int each : shape) {
            count *= each;
        }
        double deviation = Math.sqrt(2.0 * shape[0] / count);
        float[] weights = new float[count];
        for (int i = 0; i < count; i++) {
            weights[i] = (float) (random.nextGaussian() * deviation);
        }
        return weights;
    }
}
