package touchline.moderation.djl;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import touchline.moderation.ModelFolder;
import touchline.moderation.ModelSpecReader;
import touchline.moderation.torchscript.TorchScriptFile;

/** Writes model folders with a few lines of TorchScript. */
final class TestModels {
    /** Means of the planes times a matrix: every output depends on every sample. */
    static final String MEANS =
            """
            means = torch.mean(x, [2, 3])
            return torch.matmul(means, self.weights)
            """;

    private TestModels() {}

    static ModelFolder write(Path folder, String yaml, byte[] file) {
        try {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve(ModelSpecReader.FILE), yaml);
            Files.write(folder.resolve("model.pt"), file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ModelSpecReader.read(folder);
    }

    /** Two logits from the mean of each colour. */
    static byte[] colourClassifier() {
        return new TorchScriptFile("Colours", MEANS)
                .tensor("weights", new int[] {3, 2}, new float[] {-3, 2, 1, 0.5f, 0.25f, 4})
                .toBytes();
    }

    static String classifier(String input, String output) {
        return """
        licence: none
        task: classifier
        input: {%s}
        output: {%s}
        classes: [calm, alarm]
        alerts: {nude: [alarm]}
        """
                .formatted(input, output);
    }

    static String detector(String input, String layout) {
        return """
        licence: none
        task: detector
        input: {%s}
        output: {layout: %s}
        classes: [person, gun, knife]
        alerts: {weapon: [gun, knife], nude: [person]}
        """
                .formatted(input, layout);
    }

    /** Gives the tensor {@code answer} for each frame, independent of its content. */
    static byte[] constant(int[] shape, float... values) {
        return new TorchScriptFile(
                        "Constant",
                        """
                        zeros = torch.mul(torch.mean(x, [1, 2, 3]), 0.)
                        return torch.add(self.answer, torch.view(zeros, [-1%s]))
                        """
                                .formatted(", 1".repeat(shape.length - 1)))
                .tensor("answer", shape, values)
                .toBytes();
    }
}
