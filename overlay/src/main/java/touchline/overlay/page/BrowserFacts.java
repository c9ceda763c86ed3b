package touchline.overlay.page;

import java.nio.file.Path;
import java.util.Optional;

/**
 * What a browser turned out to be when it was started.
 *
 * @param version as it names itself
 * @param sandboxed whether pages run in its sandbox
 * @param user whom it runs as, where that is not the server's own user
 * @param beginFrames whether pages are painted at the server's rate; else it paints sixty times a
 *     second, and half of that is left out
 */
public record BrowserFacts(
        Path binary,
        String version,
        boolean sandboxed,
        Optional<String> user,
        boolean beginFrames) {}
