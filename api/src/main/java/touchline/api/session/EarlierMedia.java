package touchline.api.session;

import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.asset.AssetService;
import touchline.api.domain.AssetId;
import touchline.packager.hls.LiveWindow;
import touchline.packager.record.ContinuedRecording;

/**
 * What other servers have recorded of a session, as the beginning of its playlists here. Stateless;
 * blocks.
 */
final class EarlierMedia {
    private static final Logger log = LoggerFactory.getLogger(EarlierMedia.class);

    private EarlierMedia() {}

    /**
     * Its index is here, and nothing is written to it meanwhile.
     *
     * @param isAlone the session has no renditions
     */
    static void show(AssetId asset, LiveWindow window, AssetService assets, boolean isAlone) {
        try {
            window.beginning()
                    .provide(
                            ContinuedRecording.earlier(
                                    assets.folders().of(asset),
                                    file -> assets.files().ensure(asset, List.of(file))),
                            isAlone);
        } catch (IOException | RuntimeException e) {
            log.warn(
                    "session={} asset={} playlists lack what other servers recorded: {}",
                    window.session(),
                    asset,
                    e.toString());
            window.beginning().provideNone();
        }
    }
}
