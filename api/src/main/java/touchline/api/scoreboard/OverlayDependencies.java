package touchline.api.scoreboard;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import touchline.api.db.Database;
import touchline.api.db.StreamRepository;
import touchline.api.events.StreamEvents;
import touchline.config.EncoderConfig;
import touchline.media.ffmpeg.EncoderCapabilities;
import touchline.media.ffmpeg.Ffmpeg;
import touchline.media.ffmpeg.Gpu;
import touchline.media.ffmpeg.GpuUse;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.ffmpeg.VideoSettings;
import touchline.overlay.CompositorCounters;
import touchline.overlay.CompositorSettings;
import touchline.overlay.page.PageRenderer;

/**
 * Dependencies of every session's scoreboard; all shared, none owned. Any thread.
 *
 * @param pages renders web pages
 * @param counters of all compositors
 * @param slots one permit for each concurrent compositor
 * @param events records the events of scoreboards
 */
public record OverlayDependencies(
        PageRenderer pages,
        EncoderConfig encoder,
        CompositorCounters counters,
        Semaphore slots,
        Database database,
        StreamRepository streams,
        StreamEvents events,
        InstantSource clock,
        Timing timing) {
    /**
     * Real times of a scoreboard.
     *
     * @param nanoTime clock of the compositor for lateness and load
     * @param pagesAnswer maximum wait for the renderer; a session then starts without its page
     */
    public record Timing(LongSupplier nanoTime, Duration pagesAnswer) {
        public static final Timing REAL = new Timing(System::nanoTime, Duration.ofSeconds(1));
    }

    /** Permits for {@code overlay.max-compositors}; 0 means no limit. */
    public static Semaphore slots(int maxCompositors) {
        return new Semaphore(maxCompositors == 0 ? Integer.MAX_VALUE : maxCompositors);
    }

    /** The encoder of frames; empty if this host has no permitted one. */
    Optional<CompositorSettings.Encoding> encoding() {
        EncoderCapabilities encoders = Ffmpeg.encoders();
        Optional<H264Encoder> chosen =
                H264Encoder.ofConfig(encoder.video())
                        .map(named -> Optional.of(named).filter(encoders::canUse))
                        .orElseGet(encoders::best);
        return chosen.map(
                each ->
                        new CompositorSettings.Encoding(
                                each,
                                encoder.bitrateBps(),
                                VideoSettings.Speed.valueOf(
                                        encoder.speed().toUpperCase(Locale.ROOT)),
                                encoder.threads()));
    }

    /**
     * What a GPU may do: nothing before it has been tried. Frames stay in its memory only where it
     * encodes them as well, since other encoders need all of each frame in main memory.
     */
    GpuUse gpu(H264Encoder chosen) {
        if (encoder.decoder().equals("software") || !Gpu.isTried()) {
            return GpuUse.NONE;
        }
        return Gpu.isReadBy(chosen) ? GpuUse.FRAMES : GpuUse.DECODING;
    }
}
