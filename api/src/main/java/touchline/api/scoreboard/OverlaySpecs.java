package touchline.api.scoreboard;

import java.time.Duration;
import touchline.api.domain.AudioMixSettings;
import touchline.api.domain.OverlaySettings;
import touchline.api.domain.WatermarkSettings;
import touchline.overlay.OverlaySpec;
import touchline.overlay.Placement;
import touchline.overlay.Placement.Axis;

/** Converts stored scoreboard settings to the compositor's types. */
final class OverlaySpecs {
    private OverlaySpecs() {}

    static OverlaySpec of(WatermarkSettings settings) {
        Placement placement = placement(settings.overlay().orElse(OverlaySettings.DEFAULTS));
        return switch (settings) {
            case WatermarkSettings.Html html ->
                    new OverlaySpec.Html(
                            html.url(),
                            Duration.ofSeconds(html.pageLoadTimeoutSeconds()),
                            placement);
            case WatermarkSettings.Stream stream ->
                    new OverlaySpec.Stream(mix(stream.audioMix()), placement);
        };
    }

    private static Placement placement(OverlaySettings settings) {
        return new Placement(
                Axis.parse(
                        settings.width(), settings.horizontalAlign(), settings.horizontalMargin()),
                Axis.parse(settings.height(), settings.verticalAlign(), settings.verticalMargin()),
                settings.opacity().map(Placement::percent).orElse(100.0));
    }

    private static OverlaySpec.AudioMix mix(AudioMixSettings settings) {
        return new OverlaySpec.AudioMix(
                switch (settings.mode()) {
                    case MAIN -> OverlaySpec.AudioMix.Mode.MAIN;
                    case SECONDARY -> OverlaySpec.AudioMix.Mode.SECONDARY;
                    case MIX -> OverlaySpec.AudioMix.Mode.MIX;
                },
                settings.volumeMain(),
                settings.volumeSecondary());
    }
}
