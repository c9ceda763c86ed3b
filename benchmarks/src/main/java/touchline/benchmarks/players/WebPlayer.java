package touchline.benchmarks.players;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import touchline.benchmarks.load.CameraSource;
import touchline.benchmarks.load.LocalSite;
import touchline.benchmarks.load.Samples;
import touchline.overlay.page.Browser;
import touchline.overlay.page.BrowserLaunch;
import touchline.overlay.page.BrowserPage;

/**
 * A player in a page of a Chromium of its own: a page in the background would be slowed down. The
 * page has another origin than the stream.
 */
final class WebPlayer implements RunningPlayer {
    private static final Duration SCRIPTS = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(50);

    private final PlayerKind kind;
    private final Browser browser;
    private final BrowserPage page;

    private WebPlayer(PlayerKind kind, Browser browser, BrowserPage page) {
        this.kind = kind;
        this.browser = browser;
        this.page = page;
    }

    /**
     * Opens the page with its scripts, ready to play; the caller stops it.
     *
     * @param site see {@link PlayerSite#open}
     * @param startMs push of frame 0, by the wall clock
     */
    static WebPlayer start(LocalSite site, PlayerKind kind, URI address, double startMs)
            throws IOException, InterruptedException {
        return start(
                site, kind, address, startMs, CameraSource.NUMBERED_SMALL, /* switching= */ false);
    }

    /**
     * @param source of the numbered frames
     * @param switching each segment comes from another rendition than the one before; hls.js and
     *     Shaka only
     */
    static WebPlayer start(
            LocalSite site,
            PlayerKind kind,
            URI address,
            double startMs,
            CameraSource source,
            boolean switching)
            throws IOException, InterruptedException {
        Browser browser = Browser.start(BrowserLaunch.ofPlayers());
        BrowserPage page = browser.openPage();
        page.navigate(
                site.address("/?player=%s&address=%s&start=%s&fps=%d&loop=%d&switching=%d")
                        .formatted(
                                kind.argument(),
                                URLEncoder.encode(address.toString(), StandardCharsets.UTF_8),
                                startMs,
                                CameraSource.FRAMES_PER_SECOND,
                                source.seconds() * CameraSource.FRAMES_PER_SECOND,
                                switching ? 1 : 0));
        WebPlayer player = new WebPlayer(kind, browser, page);
        player.awaitScripts();
        return player;
    }

    private void awaitScripts() throws IOException, InterruptedException {
        long deadlineNs = System.nanoTime() + SCRIPTS.toNanos();
        while (!page.evaluate("typeof window.begin === 'function'").asBoolean()) {
            if (System.nanoTime() > deadlineNs) {
                stop();
                throw new IOException("no scripts of " + kind + " within " + SCRIPTS);
            }
            Thread.sleep(POLL);
        }
    }

    @Override
    public void begin() throws InterruptedException {
        page.evaluate("window.begin()");
    }

    @Override
    public PlayerKind kind() {
        return kind;
    }

    @Override
    public boolean hasStarted() throws InterruptedException {
        return has("firstMs");
    }

    @Override
    public boolean hasReturned() throws InterruptedException {
        return has("returnedMs");
    }

    private boolean has(String time) throws InterruptedException {
        return page.evaluate("window.found." + time + " !== null").asBoolean();
    }

    @Override
    public void rewind(int second) throws InterruptedException {
        page.evaluate("window.rewind(" + second + ")");
    }

    @Override
    public void encoderIsBack(double startMs) throws InterruptedException {
        page.evaluate("window.again(" + startMs + ")");
    }

    /** Limits its network. */
    void network(long bitsPerSecond, Duration roundTrip) throws InterruptedException {
        page.network(bitsPerSecond, roundTrip);
    }

    /** Notes each shown frame from now on, for {@link #watched}. */
    void watch() throws InterruptedException {
        page.evaluate("window.watch()");
    }

    /** What was shown since {@link #watch}. */
    WatchedFrames watched() throws InterruptedException {
        return WatchedFrames.of(page.evaluate("window.watched()"));
    }

    @Override
    public PlayerResult result() throws InterruptedException {
        JsonNode result = page.evaluate("window.result()");
        Samples behind = new Samples();
        JsonNode ages = result.path("ages");
        for (int i = ages.size() / 3; i < ages.size(); i++) {
            behind.add(ages.path(i).path(1).asDouble());
        }
        List<String> errors = new ArrayList<>();
        result.path("errors").forEach(error -> errors.add(error.asText()));
        return new PlayerResult(
                result.path("version").asText(),
                seconds(result.path("firstMs")),
                behind,
                result.path("stalls").asInt(),
                result.path("frozenMs").asDouble() / 1000,
                result.path("stillMs").asDouble() / 1000,
                seconds(result.path("rewoundMs")),
                seconds(result.path("returnedMs")),
                errors);
    }

    /** Where it plays, and how far it has loaded. */
    Position position() throws InterruptedException {
        JsonNode found =
                page.evaluate(
                        "(v => [v.currentTime, v.buffered.length ?"
                                + " v.buffered.end(v.buffered.length - 1) : v.currentTime])"
                                + "(document.getElementById('v'))");
        return new Position(found.path(0).asDouble(), found.path(1).asDouble());
    }

    /**
     * A position of playback.
     *
     * @param loadedS end of what is loaded
     */
    record Position(double timeS, double loadedS) {}

    /** Hinted parts that did not come: Shaka says an error of each, and goes on by itself. */
    int refusedHints() throws InterruptedException {
        return page.evaluate("window.found.refusedHints").asInt();
    }

    /** Seconds that the position of playback has stood at most, since it began to move. */
    double longestStillS() throws InterruptedException {
        return page.evaluate("window.result().longestStillMs").asDouble() / 1000;
    }

    /** Each time of more than half a second in which the position of playback stood. */
    List<Still> stills() throws InterruptedException {
        List<Still> stills = new ArrayList<>();
        page.evaluate("window.found.stills")
                .forEach(
                        each ->
                                stills.add(
                                        new Still(each.path(0).asLong(), each.path(1).asLong())));
        return stills;
    }

    /** The newest lines that the player has logged; only hls.js does. */
    List<String> logged() throws InterruptedException {
        List<String> lines = new ArrayList<>();
        page.evaluate("window.logged").forEach(line -> lines.add(line.asText()));
        return lines;
    }

    /**
     * Playback stood.
     *
     * @param fromMs since 1970
     */
    record Still(long fromMs, long lengthMs) {}

    private static OptionalDouble seconds(JsonNode ms) {
        return ms.isNumber() ? OptionalDouble.of(ms.asDouble() / 1000) : OptionalDouble.empty();
    }

    @Override
    public void stop() throws IOException {
        page.close();
        browser.close();
    }
}
