package touchline.api.session;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import touchline.api.access.ViewerAccess;
import touchline.packager.delivery.PlaybackDecision;
import touchline.packager.delivery.PlaybackRequest;

/** Decisions about media of other nodes: this node checks the viewer, its owner does not. */
final class RemoteDecisions {
    private RemoteDecisions() {}

    static CompletionStage<PlaybackDecision> of(
            ViewerAccess viewers, PlaybackRequest request, RemotePlaybackIds.Found found) {
        return switch (found.policy()) {
            case PUBLIC ->
                    CompletableFuture.completedFuture(
                            shown(found, /* restricted= */ false, Optional.empty()));
            case SIGNED -> viewers.check(request).thenApply(verdict -> signed(found, verdict));
        };
    }

    private static PlaybackDecision signed(
            RemotePlaybackIds.Found found, ViewerAccess.Verdict verdict) {
        return switch (verdict) {
            case ViewerAccess.Verdict.Allowed(var grant) ->
                    shown(found, /* restricted= */ true, grant);
            case ViewerAccess.Verdict.Refused(var reason) -> reason.decision();
        };
    }

    private static PlaybackDecision shown(
            RemotePlaybackIds.Found found, boolean restricted, Optional<String> grant) {
        return new PlaybackDecision.Remote(found.media(), restricted, grant, found.viewers());
    }
}
