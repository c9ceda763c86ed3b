package touchline.api.session;

import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import touchline.packager.delivery.FrameDecision;
import touchline.packager.delivery.FrameRequest;
import touchline.packager.delivery.PlaybackAccess;
import touchline.packager.delivery.PlaybackDecision;
import touchline.packager.delivery.PlaybackRequest;

/**
 * What a node of a cluster lets its viewers see: nothing while its lease is over, since it does not
 * learn then what was disabled or deleted, and another node may have taken its streams. Any thread.
 */
public final class LeasedPlayback implements PlaybackAccess {
    private static final PlaybackDecision.Refused LEASE_IS_OVER =
            new PlaybackDecision.Refused(
                    503, 50301, "this server has no database now", OptionalInt.of(1));

    private final PlaybackAccess access;
    private final BooleanSupplier mayAnswer;

    /**
     * @param mayAnswer whether the lease is good, or no node has the database
     */
    public LeasedPlayback(PlaybackAccess access, BooleanSupplier mayAnswer) {
        this.access = access;
        this.mayAnswer = mayAnswer;
    }

    @Override
    public CompletionStage<PlaybackDecision> resolve(PlaybackRequest request) {
        return mayAnswer.getAsBoolean()
                ? access.resolve(request)
                : CompletableFuture.completedFuture(LEASE_IS_OVER);
    }

    @Override
    public CompletionStage<PlaybackDecision> resolveForNode(PlaybackRequest request) {
        return mayAnswer.getAsBoolean()
                ? access.resolveForNode(request)
                : CompletableFuture.completedFuture(LEASE_IS_OVER);
    }

    @Override
    public CompletionStage<FrameDecision> frame(FrameRequest request) {
        return mayAnswer.getAsBoolean()
                ? access.frame(request)
                : CompletableFuture.completedFuture(new FrameDecision.Refused(LEASE_IS_OVER));
    }
}
