package touchline.moderation;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * The two demo models. Each one boxes the region of one saturated colour, to show moderation with a
 * test pattern. Both are TorchScript files among the resources; {@code config/models} has copies.
 * Stateless.
 */
public enum DemoModels {
    /** Magenta: green at most 80, red and blue at least 180 of 255. */
    NUDE(AlertType.NUDE),
    /** Cyan: red at most 80, green and blue at least 180 of 255. */
    WEAPON(AlertType.WEAPON);

    /** The files of a model folder. */
    static final List<String> FILES = List.of("model.pt", ModelSpecReader.FILE);

    private final AlertType type;

    DemoModels(AlertType type) {
        this.type = type;
    }

    /** Name of the folder. */
    public String folder() {
        return "demo-" + type.wireName();
    }

    public static List<String> folders() {
        return Arrays.stream(values()).map(DemoModels::folder).toList();
    }

    /** Writes the model's folder into a parent folder. Replaces existing files. */
    public Path write(Path parent) {
        Path folder = parent.resolve(folder());
        try {
            Files.createDirectories(folder);
            for (String file : FILES) {
                Files.write(folder.resolve(file), resource(file));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(folder + ": cannot be written", e);
        }
        return folder;
    }

    private byte[] resource(String file) throws IOException {
        String name = folder() + "/" + file;
        try (InputStream resource = DemoModels.class.getResourceAsStream(name)) {
            if (resource == null) {
                throw new FileNotFoundException("resource " + name);
            }
            return resource.readAllBytes();
        }
    }
}
