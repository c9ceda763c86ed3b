package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class NativeCachesTest {
    private static final List<String> KEYS =
            List.of(
                    "org.bytedeco.javacpp.cachedir",
                    "DJL_CACHE_DIR",
                    "touchline.browser.folder",
                    "user.home");
    private static final Path DATA = Path.of("/srv/touchline");

    private final Map<String, @Nullable String> before = new HashMap<>();

    @BeforeEach
    void keep() {
        KEYS.forEach(key -> before.put(key, System.getProperty(key)));
        KEYS.subList(0, 3).forEach(System::clearProperty);
    }

    @AfterEach
    void restore() {
        before.forEach(
                (key, value) -> {
                    if (value == null) {
                        System.clearProperty(key);
                    } else {
                        System.setProperty(key, value);
                    }
                });
    }

    @Test
    void caches_ofAServer_lieInTheDataFolder() {
        NativeCaches.in(DATA);

        assertEquals(
                "/srv/touchline/natives/javacpp",
                System.getProperty("org.bytedeco.javacpp.cachedir"));
        if (System.getenv("DJL_CACHE_DIR") == null) {
            assertEquals("/srv/touchline/natives/djl", System.getProperty("DJL_CACHE_DIR"));
        }
        assertEquals("/srv/touchline/browser", System.getProperty("touchline.browser.folder"));
    }

    @Test
    void foldersThatWereChosen_stay() {
        System.setProperty("org.bytedeco.javacpp.cachedir", "/opt/natives");

        NativeCaches.in(DATA);

        assertEquals("/opt/natives", System.getProperty("org.bytedeco.javacpp.cachedir"));
    }

    @Test
    void caches_ofADemo_lieInTheHomeFolder_ifThereIsOne() {
        System.setProperty("user.home", "/nonexistent");
        NativeCaches.inUnlessHome(DATA);
        assertEquals(
                "/srv/touchline/natives/javacpp",
                System.getProperty("org.bytedeco.javacpp.cachedir"));

        KEYS.subList(0, 3).forEach(System::clearProperty);
        System.setProperty("user.home", System.getProperty("java.io.tmpdir"));
        NativeCaches.inUnlessHome(DATA);
        assertNull(System.getProperty("org.bytedeco.javacpp.cachedir"));
    }
}
