package touchline.api.session;

import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import touchline.api.cluster.ownership.ResumeRecord;
import touchline.api.domain.AssetId;
import touchline.api.domain.LatencyMode;
import touchline.media.Timeline;
import touchline.media.hub.LiveStream;
import touchline.packager.hls.LiveWindow;
import touchline.packager.hls.MediaBlock;
import touchline.packager.hls.PartSink;
import touchline.packager.hls.StoredWindow;

/**
 * What another server would need to go on with a session, as it is now. The packager's thread
 * writes it; any thread may {@link #send} it.
 */
final class ResumePoint implements PartSink {
    private final LiveStream live;
    private final LiveWindow window;
    private final Supplier<Optional<AssetId>> asset;
    private final Consumer<ResumeRecord> receiver;

    // Written by the packager's thread.
    private volatile @Nullable Init init;
    private volatile ResumeRecord.@Nullable SealedSegment newest;

    /**
     * @param timeline of the media behind it, with the dates of its segments
     */
    private record Init(int number, Timeline timeline) {}

    /**
     * @param asset that takes the media now
     * @param receiver does not block
     */
    ResumePoint(
            LiveStream live,
            LiveWindow window,
            Supplier<Optional<AssetId>> asset,
            Consumer<ResumeRecord> receiver) {
        this.live = live;
        this.window = window;
        this.asset = asset;
        this.receiver = receiver;
    }

    @Override
    public void initSegment(int number, Timeline timeline, MediaBlock bytes) {
        init = new Init(number, timeline);
        // The discontinuity must not be used again.
        send();
    }

    @Override
    public void part(FinishedPart part) {}

    @Override
    public void sealed(SealedSegment segment) {
        Init of = init;
        if (of == null) {
            return;
        }
        boolean first = newest == null;
        newest =
                new ResumeRecord.SealedSegment(
                        segment.mediaSequence(),
                        segment.startUs(),
                        segment.durationUs(),
                        of.timeline().wallClock(segment.startUs()).toEpochMilli());
        if (first) {
            send();
        }
    }

    @Override
    public void end() {}

    /** No effect before the first segment is sealed. */
    void send() {
        ResumeRecord.SealedSegment segment = newest;
        Init of = init;
        Optional<StoredWindow.Targets> targets = window.targets();
        if (segment != null && of != null && targets.isPresent()) {
            receiver.accept(record(segment, of, targets.get()));
        }
    }

    private ResumeRecord record(
            ResumeRecord.SealedSegment segment, Init of, StoredWindow.Targets targets) {
        LiveWindow.Settings settings = window.settings();
        StoredWindow.Newest playlist = window.newestPlaylist();
        LatencyMode mode = settings.profile().listsParts() ? LatencyMode.LOW : LatencyMode.STANDARD;
        return new ResumeRecord(
                live.startedAt().orElse(live.publishedAt()).toEpochMilli(),
                mode.wireName(),
                settings.window().toMillis(),
                settings.recorded(),
                settings.composited(),
                targets.durationS(),
                targets.partUs(),
                window.zeroUs().orElse(0),
                segment,
                of.timeline().sequence() + 1,
                of.number() + 1 - targets.skippedInits(),
                playlist.version(),
                playlist.listedFrom(),
                asset.get().map(AssetId::value).orElse(null));
    }
}
