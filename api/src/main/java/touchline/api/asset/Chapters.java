package touchline.api.asset;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import touchline.api.domain.AssetId;
import touchline.packager.delivery.PlaybackDecision;
import touchline.packager.hls.LivePlayback;

/** Port: the chapters that viewers get, as WebVTT. Called on event loops: never blocks. */
public interface Chapters {
    /** Of a running session, up to its newest media. */
    CompletionStage<Optional<String>> of(LivePlayback session);

    /** Of an asset; empty where it is deleted. */
    CompletionStage<Optional<String>> of(AssetId asset);

    /** What a viewer gets; not found where there is no text any more. */
    static PlaybackDecision decision(Optional<String> webVtt, boolean restricted) {
        return webVtt.<PlaybackDecision>map(text -> new PlaybackDecision.Chapters(text, restricted))
                .orElse(PlaybackDecision.Refused.NOT_FOUND);
    }
}
