package touchline.benchmarks.inference;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import touchline.moderation.ModelFolder;
import touchline.moderation.ModelSpecReader;

/**
 * Model folders of convolutional networks with random weights and typical cost. The TorchScript
 * files are compressed resources; {@code RandomNetsTest} generates them.
 */
enum RandomNets {
    /** About 0.25 GMAC: a small classifier. */
    CLASSIFIER(224, "classifier"),
    /** About 2 GMAC: a small detector, one box for each of 20x20 cells. */
    DETECTOR(640, "detector");

    private final int side;
    private final String task;

    RandomNets(int side, String task) {
        this.side = side;
        this.task = task;
    }

    int side() {
        return side;
    }

    String label() {
        return task + " " + side;
    }

    /** Name of the resource with the TorchScript file. */
    String resource() {
        return task + ".pt.gz";
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

    byte[] torchScript() throws IOException {
        try (InputStream resource = RandomNets.class.getResourceAsStream(resource())) {
            if (resource == null) {
                throw new FileNotFoundException("resource " + resource());
            }
            return new GZIPInputStream(resource).readAllBytes();
        }
    }
}
