package touchline.moderation.djl;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;

/** The version of the libtorch that moderation uses, without loading it. Any thread. */
public final class TorchVersion {
    /** Of the jar with libtorch for the processor. */
    private static final String RESOURCE = "/native/lib/pytorch.properties";

    private TorchVersion() {}

    /** As in {@code 2.7.1} or {@code 2.7.1+cu128}; empty where it is not known. Blocks. */
    public static Optional<String> text() {
        String library = DjlLoader.libraryPath();
        try {
            return library.isEmpty() ? ofJar() : ofFolder(Path.of(library));
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    /** A libtorch names its version in a file beside the folder {@code lib}. */
    static Optional<String> ofFolder(Path library) throws IOException {
        Path parent = library.toAbsolutePath().normalize().getParent();
        Path version = parent == null ? library : parent.resolve("build-version");
        return Files.isRegularFile(version)
                ? Optional.of(Files.readString(version).strip())
                : Optional.empty();
    }

    private static Optional<String> ofJar() throws IOException {
        try (InputStream in = TorchVersion.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                return Optional.empty();
            }
            Properties properties = new Properties();
            properties.load(in);
            return Optional.ofNullable(properties.getProperty("version"))
                    .map(version -> version.replaceFirst("-.*", ""));
        }
    }
}
