package touchline.api.session;

import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.Optional;
import touchline.config.EncoderConfig;
import touchline.media.ffmpeg.EncoderCapabilities;
import touchline.media.ffmpeg.Ffmpeg;
import touchline.media.ffmpeg.Gpu;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.ffmpeg.VideoSettings;
import touchline.media.rendition.LoadRules;
import touchline.media.rendition.RenditionCounters;
import touchline.media.rendition.RenditionEncoding;
import touchline.overlay.CompositorCounters;

/**
 * Dependencies of the renditions of all sessions; shared. Any thread.
 *
 * @param rules how many renditions this host encodes
 * @param counters of all renditions
 * @param tracks of all that are sent by encoders
 */
public record RenditionDependencies(
        EncoderConfig encoder, LoadRules rules, RenditionCounters counters, TrackCounters tracks) {
    /**
     * @param compositors encode as well
     */
    public static RenditionDependencies of(
            EncoderConfig encoder,
            CompositorCounters compositors,
            RenditionCounters counters,
            TrackCounters tracks) {
        if (usesGpu(encoder)) {
            Thread.ofPlatform().name("gpu").daemon().start(Gpu::prepare);
        }
        int configured = encoder.maxRenditions();
        var system =
                ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
        return new RenditionDependencies(
                encoder,
                new LoadRules(
                        () ->
                                configured > 0
                                        ? configured
                                        : LoadRules.hostLimit(
                                                Runtime.getRuntime().availableProcessors(),
                                                compositors.running()),
                        system::getCpuLoad,
                        System::nanoTime),
                counters,
                tracks);
    }

    /** How renditions are encoded; empty if this host has no permitted encoder. */
    Optional<RenditionEncoding> encoding() {
        EncoderCapabilities encoders = Ffmpeg.encoders();
        Optional<H264Encoder> chosen =
                H264Encoder.ofConfig(encoder.video())
                        .map(named -> Optional.of(named).filter(encoders::canUse))
                        .orElseGet(encoders::best);
        return chosen.map(
                each ->
                        new RenditionEncoding(
                                each,
                                VideoSettings.Speed.valueOf(
                                        encoder.speed().toUpperCase(Locale.ROOT)),
                                encoder.threads(),
                                usesGpu(encoder)));
    }

    private static boolean usesGpu(EncoderConfig encoder) {
        return !encoder.decoder().equals("software");
    }
}
