package touchline.api.audit;

import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import touchline.api.access.FrameLinks;
import touchline.api.domain.FrameName;
import touchline.packager.delivery.FrameDecision;
import touchline.packager.delivery.FrameRequest;
import touchline.packager.delivery.PlaybackDecision;

/** Resolves links to evidence frames. Called on event loops; another thread reads the disk. */
public final class EvidenceFrames {
    private static final FrameDecision EXPIRED = refused("this link has expired");
    private static final FrameDecision FORGED = refused("this link is not valid");

    private final FrameLinks links;
    private final EvidenceFolder folder;
    private final Executor disk;

    public EvidenceFrames(FrameLinks links, EvidenceFolder folder) {
        this(links, folder, work -> Thread.ofVirtual().name("evidence-frame").start(work));
    }

    /**
     * @param disk runs the work that waits for the disk
     */
    EvidenceFrames(FrameLinks links, EvidenceFolder folder, Executor disk) {
        this.links = links;
        this.folder = folder;
        this.disk = disk;
    }

    /** Completes at once if the link is not valid. */
    public CompletionStage<FrameDecision> find(FrameRequest request) {
        if (!FrameName.isSafe(request.name())) {
            return CompletableFuture.completedFuture(FORGED);
        }
        FrameName frame = new FrameName(request.name());
        return switch (links.check(frame, request.expiry(), request.signature())) {
            case FORGED -> CompletableFuture.completedFuture(FORGED);
            case EXPIRED -> CompletableFuture.completedFuture(EXPIRED);
            case GOOD -> CompletableFuture.supplyAsync(() -> onDisk(frame), disk);
        };
    }

    private FrameDecision onDisk(FrameName frame) {
        return folder.find(frame)
                .<FrameDecision>map(FrameDecision.Image::new)
                .orElse(FrameDecision.Refused.NOT_FOUND);
    }

    private static FrameDecision refused(String message) {
        return new FrameDecision.Refused(
                new PlaybackDecision.Refused(403, 40302, message, OptionalInt.empty()));
    }
}
