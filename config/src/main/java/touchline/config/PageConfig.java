package touchline.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * {@code playback.embed-origins} and {@code playback.theme}: the watch pages.
 *
 * @param embedOrigins sites that may show the embedded player; {@code *} stands for all
 * @param name of the site, shown on its pages
 * @param logo an image file
 * @param accent colour of what can be operated, {@code #rrggbb}
 * @param background colour around the video, {@code #rrggbb}
 * @param text colour of texts, {@code #rrggbb}
 */
public record PageConfig(
        List<String> embedOrigins,
        String name,
        Optional<Path> logo,
        String accent,
        String background,
        String text) {
    /** The defaults of application.yaml. */
    public static final PageConfig DEFAULT =
            new PageConfig(List.of("*"), "", Optional.empty(), "#e5484d", "#0b0d10", "#f2f4f7");

    public PageConfig {
        embedOrigins = List.copyOf(embedOrigins);
    }
}
