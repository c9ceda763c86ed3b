package touchline.moderation;

import java.nio.file.Path;

/**
 * A model on disk.
 *
 * @param path the folder; its name is the model's name and version
 * @param spec content of its {@code model.yaml}
 */
public record ModelFolder(Path path, ModelSpec spec) {
    public String name() {
        return String.valueOf(path.getFileName());
    }

    /** The TorchScript file. */
    public Path file() {
        return path.resolve(spec.file());
    }
}
