package touchline.overlay.page;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Properties of a started browser.
 *
 * @param version product and version, from the browser
 * @param sandboxed whether pages run in its sandbox
 * @param user the user it runs as, if not the server's own
 * @param ownNetwork whether it has no network but the proxies of its pages; otherwise the server's
 * @param beginFrames whether the server triggers each paint; otherwise the browser paints 60 times
 *     a second and half of the frames are skipped
 */
public record BrowserFacts(
        Path binary,
        String version,
        boolean sandboxed,
        Optional<String> user,
        boolean ownNetwork,
        boolean beginFrames) {}
