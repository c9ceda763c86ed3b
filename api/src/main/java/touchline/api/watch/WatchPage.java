package touchline.api.watch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import touchline.api.domain.PlaybackPolicy;
import touchline.config.PageConfig;
import touchline.packager.delivery.WatchPages;

/** The HTML of the pages. Any thread. */
final class WatchPage {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{(\\w+)}}");

    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
                    + " media-src 'self' blob:; connect-src 'self'; worker-src blob:;"
                    + " base-uri 'none'; form-action 'none'; frame-ancestors ";

    private final String template = new String(WatchFiles.resource("page.html"), UTF_8);
    private final WatchFiles files;

    WatchPage(WatchFiles files) {
        this.files = files;
    }

    /** What it loads. */
    WatchFiles files() {
        return files;
    }

    /**
     * @param embedded the player alone
     * @param address of the playback port, without a slash at its end
     */
    String html(
            Watched watched,
            String playbackId,
            boolean embedded,
            PageConfig config,
            String address) {
        boolean open = watched.policy() == PlaybackPolicy.PUBLIC;
        String title = title(watched, config);
        String below = embedded ? "../" : "./";
        String assets = below + WatchPages.FILES.substring(1) + files.version() + "/";
        Map<String, String> values =
                Map.ofEntries(
                        Map.entry("title", Html.escape(title)),
                        Map.entry(
                                "social",
                                open && !embedded ? social(title, playbackId, address) : ""),
                        Map.entry("logo", logo(assets, config)),
                        Map.entry("heading", Html.escape(watched.title())),
                        Map.entry("site", Html.escape(config.name())),
                        Map.entry("files", Html.escape(assets)),
                        Map.entry("kind", embedded ? "embed" : "watch"),
                        Map.entry("playback_id", Html.escape(playbackId)),
                        Map.entry("base", below),
                        Map.entry("playlist", Html.escape(playlist(watched, below, playbackId))),
                        Map.entry("state", Html.escape(WatchState.json(watched))));
        return PLACEHOLDER
                .matcher(template)
                .replaceAll(found -> Matcher.quoteReplacement(value(values, found.group(1))));
    }

    /** What the page requests before its player has loaded; empty if nothing is shown yet. */
    private static String playlist(Watched watched, String below, String playbackId) {
        return switch (watched.now()) {
            case Watched.Live _, Watched.Stored _ -> below + playbackId + ".m3u8";
            case Watched.Idle _, Watched.Disabled _ -> "";
        };
    }

    private static String value(Map<String, String> values, String name) {
        return Objects.requireNonNull(values.get(name), name);
    }

    /** The Content-Security-Policy of a page. */
    static String policy(boolean embedded, PageConfig config) {
        String ancestors =
                config.embedOrigins().isEmpty()
                        ? "'none'"
                        : String.join(" ", config.embedOrigins());
        return POLICY + (embedded ? ancestors : "'self'");
    }

    static String title(Watched watched, PageConfig config) {
        if (watched.title().isEmpty()) {
            return config.name().isEmpty() ? "Live video" : config.name();
        }
        return watched.title();
    }

    /** Open Graph, and where the oEmbed description is. */
    private static String social(String title, String playbackId, String address) {
        String page = Html.escape(address + "/" + playbackId);
        return """
        <meta property="og:type" content="video.other">
        <meta property="og:title" content="%s">
        <meta property="og:url" content="%s">
        <meta property="og:image" content="%s/thumbnail.jpg">
        <meta property="og:video" content="%s/embed">
        <meta name="twitter:card" content="summary_large_image">
        <link rel="canonical" href="%s">
        <link rel="alternate" type="application/json+oembed" href="%s/oembed.json" title="%s">
        """
                .formatted(Html.escape(title), page, page, page, page, page, Html.escape(title));
    }

    private String logo(String assets, PageConfig config) {
        Optional<String> name = files.logo();
        return name.isEmpty()
                ? ""
                : "<img class=\"logo\" src=\"%s\" alt=\"%s\">"
                        .formatted(Html.escape(assets + name.get()), Html.escape(config.name()));
    }
}
