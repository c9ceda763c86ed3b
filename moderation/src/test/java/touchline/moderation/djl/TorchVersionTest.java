package touchline.moderation.djl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TorchVersionTest {
    @TempDir Path folder;

    @Test
    void ofFolder_libtorch_isReadBesideItsLibraries() throws Exception {
        Path library = Files.createDirectories(folder.resolve("libtorch/lib"));
        Files.writeString(folder.resolve("libtorch/build-version"), "2.7.1+cu128\n");

        assertEquals(Optional.of("2.7.1+cu128"), TorchVersion.ofFolder(library));
    }

    @Test
    void ofFolder_withoutAVersion_isEmpty() throws Exception {
        assertEquals(Optional.empty(), TorchVersion.ofFolder(folder.resolve("lib")));
        assertEquals(Optional.empty(), TorchVersion.ofFolder(Path.of("/")));
    }

    @Test
    void text_ofTheJar_hasNoSuffix() {
        String version = TorchVersion.text().orElseThrow();

        assertTrue(version.matches("\\d+\\.\\d+\\.\\d+(\\+\\w+)?"), version);
    }
}
