package touchline.media.hub;

import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.Timeline;
import touchline.media.Track;

/** Publisher times to continuous media time. SKELETON: no repair yet. */
final class TimestampNormalizer {
    private final InstantSource clock;
    private final Consumer<FeedItem> out;
    private final long startUs;
    private List<Track> tracks = List.of();
    private boolean open;
    private long offsetUs;

    TimestampNormalizer(InstantSource clock, long startUs, Consumer<FeedItem> out) {
        this.clock = clock;
        this.startUs = startUs;
        this.out = out;
    }

    void begin(List<Track> newTracks) {
        tracks = List.copyOf(newTracks);
        open = false;
    }

    void write(AccessUnit unit) {
        if (!open) {
            boolean hasVideo = tracks.stream().anyMatch(Track::isVideo);
            if (hasVideo && !unit.isKeyFrame()) {
                return;
            }
            open = true;
            offsetUs = startUs - unit.dtsUs();
            out.accept(new Timeline(0, tracks, startUs, clock.instant()));
        }
        long dts = unit.track().timescale().fromUs(unit.dtsUs() + offsetUs);
        out.accept(unit.at(unit.track(), dts, unit.compositionTimeOffsetTicks()));
    }
}
