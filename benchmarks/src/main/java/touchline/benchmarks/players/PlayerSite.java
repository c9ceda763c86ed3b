package touchline.benchmarks.players;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import touchline.benchmarks.load.LocalSite;

/** A website with the page of the players and their scripts. Stateless. */
final class PlayerSite {
    private static final String SCRIPT = "text/javascript; charset=utf-8";

    private PlayerSite() {}

    /** Starts it; the caller closes it. */
    static LocalSite open() throws IOException {
        return new LocalSite()
                .page("/", "text/html; charset=utf-8", resource("/players/player.html"))
                .page("/hls.mjs", SCRIPT, resource("/console/vendor/hls.min.mjs"))
                .page("/one-clock.js", SCRIPT, resource("/console/js/one-clock.js"))
                .page("/playback.js", SCRIPT, resource("/console/js/playback.js"))
                .page("/slow-part.js", SCRIPT, resource("/console/js/slow-part.js"))
                .page("/shaka.js", SCRIPT, resource("/players/shaka-player.hls.js"))
                .page("/video.js", SCRIPT, resource("/players/video.min.js"));
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream from = PlayerSite.class.getResourceAsStream(name)) {
            if (from == null) {
                throw new FileNotFoundException(name + " is not on the class path");
            }
            return from.readAllBytes();
        }
    }
}
