package touchline.media.hub;

import java.util.concurrent.CompletableFuture;

/** Makes standby media. Any thread. */
@FunctionalInterface
public interface StandbyMaker {
    /**
     * Returns at once; the media comes later. Completes exceptionally where neither the last frame
     * nor a slate can be made.
     */
    CompletableFuture<StandbyMedia> make(StandbyRequest request);
}
