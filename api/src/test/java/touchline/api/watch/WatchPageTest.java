package touchline.api.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.domain.PlaybackPolicy;
import touchline.config.PageConfig;

final class WatchPageTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String HERE = "https://live.example";

    /** CONTRACT of the page: small enough for a phone's line. */
    private static final long MAX_GZIP_BYTES = 250 << 10;

    private final WatchFiles files = WatchFiles.load(PageConfig.DEFAULT);
    private final WatchPage page = new WatchPage(files);

    @TempDir Path folder;

    private static Watched watched(String title, PlaybackPolicy policy) {
        return new Watched(
                title,
                policy,
                new Watched.Live(
                        "ses_1",
                        /* connected= */ true,
                        OptionalLong.of(1_500_000),
                        /* mediaStartUs= */ OptionalLong.of(80_000),
                        /* dvr= */ true));
    }

    private String html(Watched watched, boolean embedded) {
        return page.html(watched, "abc", embedded, PageConfig.DEFAULT, HERE);
    }

    @Test
    void title_ofAnyCharacters_staysText() {
        String html = html(watched("\"><script>1</script>&{{site}}", PlaybackPolicy.PUBLIC), false);
        assertFalse(html.contains("<script>1"), html);
        assertTrue(html.contains("&quot;&gt;&lt;script&gt;1&lt;/script&gt;&amp;"), html);
    }

    @Test
    void page_ofAStreamOnTheAir_namesThePlaylistThatItRequestsFirst() {
        Watched live = watched("", PlaybackPolicy.SIGNED);
        assertTrue(html(live, false).contains("<html lang=\"en\" data-playlist=\"./abc.m3u8\">"));
        assertTrue(html(live, true).contains(" data-playlist=\"../abc.m3u8\">"));
        Watched idle = new Watched("", PlaybackPolicy.PUBLIC, new Watched.Idle());
        assertTrue(html(idle, false).contains(" data-playlist=\"\">"));
    }

    @Test
    void title_ofAPlaceholder_staysText() {
        String html = html(watched("{{state}}{{logo}}", PlaybackPolicy.PUBLIC), false);
        assertTrue(html.contains("<title>{{state}}{{logo}}</title>"), html);
        assertTrue(html.contains("<h1 id=\"heading\">{{state}}{{logo}}</h1>"), html);
        assertTrue(html.contains("content=\"{{state}}{{logo}}\""), html);
        assertTrue(html.contains("&quot;title&quot;:&quot;{{state}}{{logo}}&quot;"), html);
    }

    @Test
    void page_ofAPublicId_describesItselfForOtherSites() {
        String html = html(watched("Final", PlaybackPolicy.PUBLIC), false);
        assertTrue(html.contains("<meta property=\"og:title\" content=\"Final\">"), html);
        assertTrue(html.contains("og:image\" content=\"" + HERE + "/abc/thumbnail.jpg\""), html);
        assertTrue(html.contains("href=\"" + HERE + "/abc/oembed.json\""), html);
        assertTrue(html.contains("src=\"./~watch/" + files.version() + "/watch.js\""), html);
    }

    @Test
    void page_ofASignedId_hasNoTagsForOtherSites() {
        String html = html(watched("Final", PlaybackPolicy.SIGNED), false);
        assertFalse(html.contains("og:"), html);
        assertFalse(html.contains("oembed"), html);
    }

    @Test
    void embed_isAllowedForTheConfiguredSites() {
        String html = html(watched("Final", PlaybackPolicy.PUBLIC), true);
        assertTrue(html.contains("src=\"../~watch/"), html);
        assertTrue(policy(true, List.of("*")).endsWith("frame-ancestors *"));
        assertTrue(
                policy(true, List.of("https://a.example", "https://*.b.example"))
                        .endsWith("frame-ancestors https://a.example https://*.b.example"));
        assertTrue(policy(true, List.of()).endsWith("frame-ancestors 'none'"));
        assertTrue(policy(false, List.of("*")).endsWith("frame-ancestors 'self'"));
    }

    private static String policy(boolean embedded, List<String> origins) {
        return WatchPage.policy(
                embedded,
                new PageConfig(origins, "", Optional.empty(), "#000000", "#000000", "#000000"));
    }

    @Test
    void state_hasWhatAPageNeeds() throws IOException {
        JsonNode live = JSON.readTree(WatchState.json(watched("Final", PlaybackPolicy.PUBLIC)));
        assertEquals(
                JSON.readTree(
                        """
                        {"state": "live", "title": "Final", "session_id": "ses_1", "position": 1.5,
                         "media_start": 0.08, "dvr": true}
                        """),
                live);
        assertEquals(
                "{\"state\":\"idle\",\"title\":\"\"}",
                WatchState.json(new Watched("", PlaybackPolicy.PUBLIC, new Watched.Idle())));
        assertEquals(
                "{\"state\":\"ready\",\"title\":\"a\",\"duration\":2.5}",
                WatchState.json(
                        new Watched(
                                "a",
                                PlaybackPolicy.SIGNED,
                                new Watched.Stored(/* growing= */ false, 2_500_000))));
    }

    @Test
    void oembed_fitsIntoWhatTheSiteHas() throws IOException {
        JsonNode narrow = oembed(OptionalInt.of(320), OptionalInt.empty());
        assertEquals(320, narrow.path("width").asInt());
        assertEquals(180, narrow.path("height").asInt());
        JsonNode low = oembed(OptionalInt.of(9_000), OptionalInt.of(90));
        assertEquals(160, low.path("width").asInt());
        assertEquals(90, low.path("height").asInt());
        assertTrue(
                low.path("html").asText().contains("title=\"A &quot;final&quot;\""),
                low.path("html").asText());
        assertEquals("video", low.path("type").asText());
    }

    private static JsonNode oembed(OptionalInt maxWidth, OptionalInt maxHeight) throws IOException {
        return JSON.readTree(
                OEmbed.json(
                        new OEmbed.Player("A \"final\"", "", HERE, HERE + "/abc/embed", ""),
                        maxWidth,
                        maxHeight));
    }

    @Test
    void files_ofAPage_fitIntoItsBudget() {
        long all =
                Stream.of(
                                "early.js",
                                "watch.js",
                                "screen.js",
                                "captions.js",
                                "controls.js",
                                "seek-bar.js",
                                "watch.css",
                                "theme.css",
                                "hls.min.mjs",
                                "one-clock.js",
                                "playback.js",
                                "slow-part.js")
                        .mapToLong(this::packed)
                        .sum();
        assertTrue(all < MAX_GZIP_BYTES, () -> all + " bytes");
    }

    private long packed(String name) {
        return files.find(files.version() + "/" + name)
                .map(file -> file.gzip().orElse(file.plain()).remaining())
                .orElseThrow();
    }

    @Test
    void logo_isServedUnderTheVersion_andLimited() throws IOException {
        Path logo = Files.writeString(folder.resolve("club.svg"), "<svg/>");
        WatchFiles with = WatchFiles.load(logo(logo));
        assertEquals(
                "image/svg+xml",
                with.find(with.version() + "/logo.svg").orElseThrow().contentType());
        assertFalse(with.version().equals(files.version()));

        Path text = Files.writeString(folder.resolve("club.txt"), "x");
        assertThrows(IllegalArgumentException.class, () -> WatchFiles.load(logo(text)));
        Path large = Files.write(folder.resolve("large.png"), new byte[(256 << 10) + 1]);
        String refused =
                String.valueOf(
                        assertThrows(
                                        IllegalArgumentException.class,
                                        () -> WatchFiles.load(logo(large)))
                                .getMessage());
        assertTrue(refused.contains("256 KiB"), refused);
    }

    private static PageConfig logo(Path file) {
        return new PageConfig(
                List.of("*"), "Rovers", Optional.of(file), "#000000", "#000000", "#000000");
    }

    @Test
    void theme_isItsColours() {
        assertEquals(
                ":root{--accent:#e5484d;--background:#0b0d10;--text:#f2f4f7}",
                StandardCharsets.UTF_8
                        .decode(
                                files.find(files.version() + "/theme.css")
                                        .orElseThrow()
                                        .plain()
                                        .duplicate())
                        .toString());
    }
}
