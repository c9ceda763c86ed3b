package touchline.api.scoreboard;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import touchline.api.domain.WatermarkSettings;
import touchline.media.concurrent.LogContext;
import touchline.media.ffmpeg.FfmpegException;
import touchline.media.ffmpeg.GpuUse;
import touchline.media.hub.LiveStream;
import touchline.overlay.CompositorSettings;

/**
 * Decides whether a compositor may start for one session, and with which settings. A refusal is
 * reported as the scoreboard's failure. Blocks for the database; any thread.
 */
final class CompositorAdmission {
    private final LiveStream live;
    private final OverlayDependencies dependencies;
    private final OverlayReports reports;

    /** Whether a compositor of this session failed in FFmpeg: a GPU is not tried again. */
    private volatile boolean withoutGpu;

    /**
     * Whether this host can render pages.
     *
     * @param asked false: the renderer has not answered yet
     * @param problem why pages cannot be rendered
     */
    record Pages(boolean asked, Optional<String> problem) {
        static final Pages UNKNOWN = new Pages(false, Optional.empty());
    }

    CompositorAdmission(LiveStream live, OverlayDependencies dependencies, OverlayReports reports) {
        this.live = live;
        this.dependencies = dependencies;
        this.reports = reports;
    }

    /**
     * Checks the renderer. Blocks as long as a hung browser does, so never call it under a lock.
     */
    Pages askForPages() {
        return new Pages(true, dependencies.pages().unavailable());
    }

    /** The same with a short limit: unknown if the renderer has not answered by then. */
    Pages askBriefly() throws InterruptedException {
        CompletableFuture<Pages> answer =
                CompletableFuture.supplyAsync(
                        this::askForPages,
                        task ->
                                Thread.ofVirtual()
                                        .name("overlay-pages-" + live.session())
                                        .start(LogContext.carried(task)));
        try {
            return answer.get(
                    dependencies.timing().pagesAnswer().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException _) {
            return Pages.UNKNOWN;
        }
    }

    /**
     * Takes a slot and returns the settings; the caller returns the slot with {@link #release}.
     * Empty if a page is wanted and the renderer has not been checked.
     *
     * @param keyFrameUs distance of key frames at which segments are cut
     */
    Optional<CompositorSettings> take(WatermarkSettings wanted, long keyFrameUs, Pages pages) {
        if (wanted instanceof WatermarkSettings.Html) {
            if (!pages.asked()) {
                return Optional.empty();
            }
            if (pages.problem().isPresent()) {
                return refused(pages.problem().get());
            }
        }
        Optional<CompositorSettings.Encoding> encoding = dependencies.encoding();
        if (encoding.isEmpty()) {
            return refused("this host has no video encoder that may be used (see doctor)");
        }
        if (!dependencies.slots().tryAcquire()) {
            return refused("overlay.max-compositors scoreboards are composited already");
        }
        return Optional.of(
                new CompositorSettings(
                        live.stream(),
                        live.session(),
                        keyFrameUs,
                        encoding.get(),
                        withoutGpu ? GpuUse.NONE : dependencies.gpu(encoding.get().encoder())));
    }

    /** The next compositor does without what has failed. */
    void failed(RuntimeException cause) {
        withoutGpu |= cause instanceof FfmpegException;
    }

    void release() {
        dependencies.slots().release();
    }

    private Optional<CompositorSettings> refused(String reason) {
        reports.failed(reason);
        return Optional.empty();
    }
}
