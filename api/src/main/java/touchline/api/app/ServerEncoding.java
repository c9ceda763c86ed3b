package touchline.api.app;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import touchline.api.db.Database;
import touchline.api.db.StreamRepository;
import touchline.api.events.StreamEvents;
import touchline.api.scoreboard.OverlayDependencies;
import touchline.api.session.RenditionDependencies;
import touchline.api.session.TrackCounters;
import touchline.config.EncoderConfig;
import touchline.config.ServerConfig;
import touchline.media.rendition.RenditionCounters;
import touchline.overlay.CompositorCounters;
import touchline.overlay.page.PageRenderer;

/** The encoding of live video: scoreboards and renditions. */
final class ServerEncoding {
    private final CompositorCounters compositors = new CompositorCounters();
    private final RenditionCounters renditions = new RenditionCounters();
    private final TrackCounters tracks = new TrackCounters();

    CompositorCounters compositors() {
        return compositors;
    }

    RenditionDependencies renditions(EncoderConfig config) {
        return RenditionDependencies.of(config, compositors, renditions, tracks);
    }

    OverlayDependencies overlay(
            ServerConfig config,
            PageRenderer pages,
            Database database,
            StreamRepository streams,
            StreamEvents events,
            InstantSource clock) {
        return new OverlayDependencies(
                pages,
                config.encoder(),
                compositors,
                OverlayDependencies.slots(config.overlay().maxCompositors()),
                database,
                streams,
                events,
                clock,
                OverlayDependencies.Timing.REAL);
    }

    void bind(MeterRegistry registry, PageRenderer pages) {
        OverlayMeters.bind(registry, compositors, pages);
        RenditionMeters.bind(registry, renditions);
        RenditionMeters.bind(registry, tracks);
    }
}
