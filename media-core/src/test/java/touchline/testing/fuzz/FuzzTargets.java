package touchline.testing.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The targets of the class path, and the inputs that the repository stores for them. */
public final class FuzzTargets {
    private FuzzTargets() {}

    /** All targets, by name. */
    static List<FuzzTarget> all() {
        return ServiceLoader.load(FuzzTarget.class).stream()
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparing(FuzzTarget::name))
                .toList();
    }

    /**
     * The targets of one module.
     *
     * @param packagePrefix such as {@code touchline.ingest.}
     */
    public static Stream<FuzzTarget> below(String packagePrefix) {
        return all().stream()
                .filter(target -> target.getClass().getName().startsWith(packagePrefix));
    }

    static FuzzTarget named(String name) {
        return all().stream()
                .filter(target -> target.name().equals(name))
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "fuzz target: %s (expected: one of %s)"
                                                .formatted(
                                                        name,
                                                        all().stream()
                                                                .map(FuzzTarget::name)
                                                                .toList())));
    }

    /** Seeds of the target, and the files in {@code src/test/resources/fuzz/NAME}. */
    static List<byte[]> inputs(FuzzTarget target) {
        List<byte[]> inputs = new ArrayList<>(target.seeds());
        inputs.addAll(stored(target));
        return inputs;
    }

    private static List<byte[]> stored(FuzzTarget target) {
        @Nullable URL folder = target.getClass().getResource("/fuzz/" + target.name());
        if (folder == null) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(Path.of(toUri(folder)))) {
            List<byte[]> inputs = new ArrayList<>();
            for (Path file : files.sorted().toList()) {
                inputs.add(Files.readAllBytes(file));
            }
            return inputs;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static URI toUri(URL folder) {
        try {
            return folder.toURI();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
