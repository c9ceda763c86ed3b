package touchline.api.app;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where native libraries are unpacked, and browsers have their profiles: below the data folder,
 * which only the server's user can write. Their default is the home folder, and the temporary
 * folder for users without one: there any user of the host could put a library before the server
 * does. Call it before anything native is loaded. Any thread.
 */
final class NativeCaches {
    private static final String JAVACPP = "org.bytedeco.javacpp.cachedir";
    private static final String DJL = "DJL_CACHE_DIR";

    /** Read where a browser starts as the server's user; another one cannot enter the folder. */
    private static final String BROWSER = "touchline.browser.folder";

    private static final String NATIVES = "natives";

    private NativeCaches() {}

    /** Unpacks below the data folder of a server that stays. Keeps folders that were chosen. */
    static void in(Path dataDir) {
        Path folder = dataDir.resolve(NATIVES);
        choose(JAVACPP, folder.resolve("javacpp"));
        if (System.getenv(DJL) == null) {
            choose(DJL, folder.resolve("djl"));
        }
        choose(BROWSER, dataDir.resolve("browser"));
    }

    /** The same below a temporary data folder, if the user has no home to unpack to once. */
    static void inUnlessHome(Path dataDir) {
        Path home = Path.of(System.getProperty("user.home", ""));
        if (!home.isAbsolute() || !Files.isWritable(home)) {
            in(dataDir);
        }
    }

    private static void choose(String property, Path folder) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, folder.toString());
        }
    }
}
