package touchline.moderation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.config.ModerationConfig;

/** Finds the model folders and describes their state on disk. Stateless, any thread. */
final class ModelFolders {
    private static final Logger log = LoggerFactory.getLogger(ModelFolders.class);

    private final ModerationConfig config;
    private final Path demoFolder;

    /**
     * @param demoFolder receives the demo models that the models folder lacks
     */
    ModelFolders(ModerationConfig config, Path demoFolder) {
        this.config = config;
        this.demoFolder = demoFolder;
    }

    /** Folders by name. A folder of the models folder takes precedence over a demo model. */
    Map<String, Path> find() {
        Map<String, Path> folders = new TreeMap<>();
        if (config.demoModels()) {
            for (DemoModels demo : DemoModels.values()) {
                if (!Files.isDirectory(config.modelsDir().resolve(demo.folder()))) {
                    Path written = demoFolder.resolve(demo.folder());
                    folders.put(
                            demo.folder(),
                            Files.isDirectory(written) ? written : demo.write(demoFolder));
                }
            }
        }
        try (Stream<Path> entries = Files.list(config.modelsDir())) {
            entries.filter(Files::isDirectory)
                    .filter(path -> !String.valueOf(path.getFileName()).startsWith("."))
                    .forEach(path -> folders.put(String.valueOf(path.getFileName()), path));
        } catch (IOException | UncheckedIOException e) {
            log.debug("{} cannot be read: {}", config.modelsDir(), e.toString());
        }
        return folders;
    }

    static Map<String, String> fingerprints(Map<String, Path> folders) {
        Map<String, String> fingerprints = new TreeMap<>();
        folders.forEach((name, path) -> fingerprints.put(name, fingerprint(path)));
        return fingerprints;
    }

    /** Path of the folder; name, size and time of each file in it. */
    static String fingerprint(Path folder) {
        List<String> files = new ArrayList<>(List.of(folder.toString()));
        try (Stream<Path> entries = Files.list(folder)) {
            for (Path file : entries.sorted().toList()) {
                files.add(
                        "%s %d %s"
                                .formatted(
                                        file.getFileName(),
                                        Files.size(file),
                                        Files.getLastModifiedTime(file)));
            }
        } catch (IOException | UncheckedIOException e) {
            files.add(e.getClass().getSimpleName());
        }
        return String.join("\n", files);
    }
}
