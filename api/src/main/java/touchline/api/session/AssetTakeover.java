package touchline.api.session;

import java.util.Optional;
import java.util.function.Function;
import touchline.api.asset.AssetService;
import touchline.api.asset.RecordingAsset;
import touchline.api.asset.RecordingTakeover;
import touchline.api.domain.AssetId;
import touchline.packager.hls.LiveWindow;

/**
 * Goes on with the asset of another node. The window gets the time of the asset at which the new
 * media begins: so positions of the live session are times of the asset again. It also gets the
 * segments of the asset, for its playlists.
 *
 * @param isAlone the session has no renditions
 * @param recorder begins to store behind what the asset has
 */
record AssetTakeover(
        RecordingTakeover recording,
        LiveWindow window,
        AssetService assets,
        boolean isAlone,
        Function<RecordingAsset, RecordingPart> recorder)
        implements InterruptedPart.Takeover {
    @Override
    public AssetId asset() {
        return recording.id();
    }

    @Override
    public boolean prepare() {
        return recording.prepare();
    }

    @Override
    public Optional<RecordingPart> take() {
        Optional<RecordingAsset> taken = recording.take();
        if (taken.isPresent()) {
            window.beginning().endsAt(recording.durationUs());
            EarlierMedia.show(asset(), window, assets, isAlone);
        }
        return taken.map(recorder);
    }

    @Override
    public void discard() {
        recording.discard();
    }
}
