package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import touchline.config.ServerConfig;
import touchline.media.net.FreePorts;

/** The server of {@code demo}, through its link, its API and its playlist. */
@Timeout(240)
final class DemoServerIT {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Duration ONE_BANNER = Duration.ofSeconds(75);
    private static final String SECRET = "demo-secret-0123456789";
    private static final Pattern LINK = Pattern.compile("http://\\S+/#/sign-in/(\\S+)");
    private static final Pattern PLAYLIST = Pattern.compile("http://\\S+\\.m3u8");

    @TempDir private Path temporary;

    @Test
    void start_linkIsOpened_signsInOnce_andAlertsCome_withoutWarnings() throws Exception {
        ListAppender<ILoggingEvent> logged = capture();
        Path folder = Files.createDirectory(temporary.resolve("demo"));
        ServerConfig config = config(folder);
        try (DemoServer demo = DemoServer.start(config, folder, SECRET);
                ApiClient api = new ApiClient(config.publicUrls().apiUrl(), SECRET);
                TestBrowser browser = TestBrowser.start()) {
            MatchResult link = first(LINK, demo.table());
            browser.open(link.group());
            browser.await("document.body.textContent.includes('Riverside v Harbour City')", SOON);
            assertEquals("#/streams", browser.evaluate("location.hash").asText());
            assertEquals(
                    "admin." + SECRET,
                    browser.evaluate("sessionStorage.getItem('touchline.token')").asText());

            browser.evaluate("sessionStorage.clear()");
            browser.evaluate("location.hash = '#/sign-in/" + link.group(1) + "'");
            browser.await(
                    "document.querySelector('#token-error')?.textContent.includes('used before')",
                    SOON);

            assertEquals("low", stream(api).path("latency_mode").asText());
            TestServer.await("an alert", ONE_BANNER, () -> alerts(api, "weapon") > 0);
            assertEquals(0, alerts(api, "nude"));
            JsonNode session =
                    api.get(
                                    "/live/v1/live-streams/"
                                            + stream(api).path("id").asText()
                                            + "/sessions")
                            .path("data")
                            .path(0);
            assertEquals("[]", session.path("warnings").toString());
            String multivariant = first(PLAYLIST, demo.table()).group();
            assertTrue(mediaPlaylist(multivariant).contains("#EXT-X-PART:"));
            for (ILoggingEvent event : logged.list) {
                assertFalse(event.getFormattedMessage().contains(link.group(1)));
                assertFalse(event.getFormattedMessage().contains(SECRET));
            }
        }
        assertFalse(Files.exists(folder));
    }

    private static ServerConfig config(Path folder) throws IOException {
        return ConfigOption.apart(folder.resolve("data"), SECRET)
                .with("moderation.demo-models", "true")
                .with("moderation.models-dir", folder.resolve("models").toString())
                .with("api.port", freePort())
                .with("playback.port", freePort())
                .with("rtmp.port", freePort())
                .load();
    }

    private static JsonNode stream(ApiClient api) {
        return api.get("/live/v1/live-streams").path("data").path(0);
    }

    private static int alerts(ApiClient api, String type) {
        return api.get("/audit/v1/records/moderation-records?alert_type=" + type)
                .path("total")
                .asInt();
    }

    private static String mediaPlaylist(String multivariant)
            throws IOException, InterruptedException {
        String text = text(URI.create(multivariant));
        String address =
                text.lines().filter(line -> !line.startsWith("#")).findFirst().orElseThrow();
        return text(URI.create(multivariant).resolve(address));
    }

    private static String text(URI address) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString())
                    .body();
        }
    }

    private static MatchResult first(Pattern pattern, String text) {
        return pattern.matcher(text).results().findFirst().orElseThrow();
    }

    private static ListAppender<ILoggingEvent> capture() {
        ListAppender<ILoggingEvent> appender = new ListAppender<>();
        appender.start();
        ((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).addAppender(appender);
        return appender;
    }

    private static String freePort() throws IOException {
        return String.valueOf(FreePorts.next());
    }
}
