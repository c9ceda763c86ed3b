package touchline.api.demo;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.programme.BitmapFont;
import touchline.media.ffmpeg.Ffmpeg;
import touchline.media.ffmpeg.FfmpegException;
import touchline.media.ffmpeg.FrameRate;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.ffmpeg.PushTarget;

/**
 * The built-in publisher of {@code demo}: a synthetic football match, encoded live and pushed
 * through real RTMP to a loopback address until it is closed. It connects again, with growing
 * pauses, when the connection is refused or lost; the clocks of the match run on meanwhile. Two
 * platform threads: one draws and encodes by the wall clock, one waits for the network. Any thread
 * may call this.
 */
public final class DemoMatch implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(DemoMatch.class);
    private static final Duration CLOSE_LIMIT = Duration.ofMillis(1_800);
    private static final int WARM_UP_FRAMES = 30;
    private static final int MEASURED_FRAMES = 30;

    private final MatchQueue queue = new MatchQueue();
    private final MatchStudio studio;
    private final MatchPusher pusher;
    private final Thread drawing;
    private final Thread pushing;

    /**
     * What to show, and where to publish it.
     *
     * @param target address and key
     * @param frameRate 48 000 Hz must be a whole number of samples a frame
     * @param videoBitrateBps constant
     * @param encoder one that this host can open
     * @param home name in capital letters, at most 16
     * @param away name in capital letters, at most 16
     * @param zone of the wall clock in the frame
     */
    public record Settings(
            PushTarget target,
            FrameRate frameRate,
            int videoBitrateBps,
            H264Encoder encoder,
            String home,
            String away,
            ZoneId zone) {
        private static final int MAX_NAME_CHARS = 16;

        public Settings {
            checkName(home);
            checkName(away);
            long samples = (long) MatchAudio.RATE_HZ * frameRate.denominator();
            if (samples % frameRate.numerator() != 0) {
                throw new IllegalArgumentException(
                        "frame rate: " + frameRate + " (expected: 48000 Hz divides by it)");
            }
        }

        /**
         * 720p30 at 2.5 Mbit/s by the best encoder of this host.
         *
         * @param server {@code rtmp://127.0.0.1:port/live}
         * @param streamKey kept out of every log line
         * @throws IllegalStateException this host has no H.264 encoder
         */
        public static Settings of(URI server, String streamKey) {
            H264Encoder encoder =
                    Ffmpeg.encoders()
                            .best()
                            .orElseThrow(() -> new IllegalStateException("no H.264 encoder"));
            return new Settings(
                    new PushTarget(server, streamKey, Duration.ofSeconds(5)),
                    FrameRate.of(30),
                    2_500_000,
                    encoder,
                    "RIVERSIDE",
                    "HARBOUR CITY",
                    ZoneId.systemDefault());
        }

        private static void checkName(String name) {
            if (name.isBlank() || name.length() > MAX_NAME_CHARS || !BitmapFont.covers(name)) {
                throw new IllegalArgumentException(
                        "team: " + name + " (expected: 1..16 of A-Z, 0-9, space, : . -)");
            }
        }
    }

    /**
     * Counters since the start.
     *
     * @param frames drawn and encoded
     * @param framesSkipped not drawn, because the host was too busy
     * @param unitsPushed access units handed to the network
     * @param unitsDropped access units that the network was too slow for
     * @param connects how often publishing began
     * @param publishing now
     * @param drawMs mean time to draw a frame
     * @param encodeMs mean time to encode a frame
     */
    public record Stats(
            long frames,
            long framesSkipped,
            long unitsPushed,
            long unitsDropped,
            long connects,
            boolean publishing,
            double drawMs,
            double encodeMs) {}

    private DemoMatch(Settings settings, MatchEncoder encoder, FramePacing pacing) {
        this.studio = new MatchStudio(settings.frameRate(), encoder, queue, pacing);
        this.pusher = new MatchPusher(settings.target(), encoder::tracks, queue);
        this.drawing = Thread.ofPlatform().name("demo-match-draw").unstarted(studio::run);
        this.pushing = Thread.ofPlatform().name("demo-match-push").unstarted(pusher::run);
    }

    /**
     * Starts publishing; the first frame is sent within a second. The caller closes it.
     *
     * @throws FfmpegException the encoder does not open
     */
    public static DemoMatch start(Settings settings) {
        return start(settings, FramePacing.everyFrame());
    }

    /**
     * The same with fewer frames a second where this host is slow or busy, which is measured first
     * and watched later. Called by a platform thread.
     *
     * @throws FfmpegException the encoder does not open
     */
    public static DemoMatch startAdaptive(Settings settings) {
        return start(
                settings,
                FramePacing.adaptive(
                        measureFrameMs(settings), settings.frameRate(), DemoMatch::hostLoad));
    }

    static DemoMatch start(Settings settings, FramePacing pacing) {
        MatchEncoder encoder = MatchEncoder.open(settings, InstantSource.system());
        if (pacing.divisor() > 1) {
            encoder.divideFrameRate(pacing.divisor());
        }
        DemoMatch match = new DemoMatch(settings, encoder, pacing);
        log.info(
                "demo match starts, pushing to {} with {} frames a second",
                settings.target().server(),
                settings.frameRate().perSecond() / pacing.divisor());
        match.drawing.start();
        match.pushing.start();
        return match;
    }

    /** Time to draw and encode a frame, after some that warm the JVM up. */
    private static double measureFrameMs(Settings settings) {
        long startNs = 0;
        try (MatchEncoder encoder = MatchEncoder.open(settings, InstantSource.system())) {
            for (int i = 0; i < WARM_UP_FRAMES + MEASURED_FRAMES; i++) {
                if (i == WARM_UP_FRAMES) {
                    startNs = System.nanoTime();
                }
                encoder.next(/* forceKeyFrame= */ false);
            }
        }
        return (System.nanoTime() - startNs) / 1e6 / MEASURED_FRAMES;
    }

    private static double hostLoad() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getCpuLoad();
    }

    public Stats stats() {
        MatchStudio.Counts drawn = studio.counts();
        return new Stats(
                drawn.frames(),
                drawn.skipped(),
                pusher.unitsPushed(),
                queue.dropped(),
                pusher.connects(),
                queue.isOpen(),
                drawn.drawMs(),
                drawn.encodeMs());
    }

    /** Ends the publication and both threads within two seconds. */
    @Override
    public void close() {
        long deadlineNs = System.nanoTime() + CLOSE_LIMIT.toNanos();
        studio.stop();
        pusher.stop();
        drawing.interrupt();
        try {
            // A regular end first; after half of the time the connection is cut.
            pushing.join(CLOSE_LIMIT.dividedBy(2));
            pusher.cut();
            boolean ended = join(pushing, deadlineNs) && join(drawing, deadlineNs);
            if (!ended) {
                log.warn("demo match: a thread did not end in {} ms", CLOSE_LIMIT.toMillis());
            }
        } catch (InterruptedException _) {
            pusher.cut();
            Thread.currentThread().interrupt();
        }
    }

    private static boolean join(Thread thread, long deadlineNs) throws InterruptedException {
        return thread.join(Duration.ofNanos(Math.max(1, deadlineNs - System.nanoTime())));
    }
}
