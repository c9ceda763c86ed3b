package touchline.house;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The repository as the tests of this module see it. */
final class SourceTree {
    /** Surefire runs in the module's folder. */
    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private SourceTree() {}

    static List<Path> modules() throws IOException {
        try (Stream<Path> entries = Files.list(ROOT)) {
            return entries.filter(entry -> Files.exists(entry.resolve("pom.xml")))
                    .sorted()
                    .toList();
        }
    }

    /** Java files below {@code src/main} or {@code src/test} of every module. */
    static List<Path> javaFiles(String sources) throws IOException {
        List<Path> files = new ArrayList<>();
        for (Path module : modules()) {
            Path folder = module.resolve("src").resolve(sources).resolve("java");
            if (Files.isDirectory(folder)) {
                try (Stream<Path> walk = Files.walk(folder)) {
                    walk.filter(file -> file.toString().endsWith(".java"))
                            .sorted()
                            .forEach(files::add);
                }
            }
        }
        return files;
    }

    static String shortName(Path file) {
        return ROOT.relativize(file).toString();
    }
}
