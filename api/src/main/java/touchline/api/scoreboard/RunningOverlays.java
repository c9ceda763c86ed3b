package touchline.api.scoreboard;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import touchline.media.FrameView;
import touchline.media.StreamId;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.VideoFrame;
import touchline.media.hub.FrameTap;
import touchline.overlay.Compositor;

/** {@link OverlayControl} of the running sessions. Any thread. */
public final class RunningOverlays implements OverlayControl {
    /** A source that sends no frame for this long has no preview. */
    private static final long PREVIEW_PATIENCE_MS = 2_000;

    /** Maximum concurrent previews: each needs some tens of milliseconds of a core. */
    private static final int MAX_PREVIEWS = 2;

    private final Function<StreamId, Optional<SessionProgram>> sessions;
    private final OverlayPublishers pushes;
    private final Semaphore slots;
    private final Semaphore previews = new Semaphore(MAX_PREVIEWS);

    /**
     * @param sessions the program of a stream's main session, if one runs
     * @param pushes the scoreboard pushes
     * @param slots of compositors
     */
    public RunningOverlays(
            Function<StreamId, Optional<SessionProgram>> sessions,
            OverlayPublishers pushes,
            Semaphore slots) {
        this.sessions = sessions;
        this.pushes = pushes;
        this.slots = slots;
    }

    @Override
    public boolean hasRoom(StreamId stream) {
        return sessions.apply(stream)
                .map(program -> program.compositor().isPresent() || slots.availablePermits() > 0)
                .orElse(true);
    }

    @Override
    public void watermarkChanged(StreamId stream) {
        sessions.apply(stream).ifPresent(SessionProgram::follow);
        pushes.settingsChanged(stream);
    }

    @Override
    public Push push(StreamId stream) {
        return pushes.of(stream)
                .map(push -> pushes.isGone(push) ? Push.DISCONNECTED : Push.ACTIVE)
                .orElse(Push.IDLE);
    }

    @Override
    public Optional<byte[]> preview(StreamId stream) throws InterruptedException {
        Optional<Compositor> running = sessions.apply(stream).flatMap(SessionProgram::compositor);
        return running.isPresent() ? preview(running.get()) : Optional.empty();
    }

    private Optional<byte[]> preview(Compositor compositor) throws InterruptedException {
        OneFrame request = new OneFrame();
        previews.acquire();
        compositor.addTap(request);
        try {
            return Optional.of(request.file.get(PREVIEW_PATIENCE_MS, TimeUnit.MILLISECONDS));
        } catch (TimeoutException _) {
            return Optional.empty();
        } catch (ExecutionException e) {
            throw new IllegalStateException("preview", e.getCause());
        } finally {
            compositor.removeTap(request);
            previews.release();
        }
    }

    /** Copies one frame, and encodes the file on a separate thread. */
    private static final class OneFrame implements FrameTap {
        private final AtomicBoolean taken = new AtomicBoolean();
        private final CompletableFuture<byte[]> file = new CompletableFuture<>();

        @Override
        public boolean isDue(long ptsUs) {
            return !taken.get();
        }

        @Override
        public void offer(FrameView view) {
            if (taken.compareAndSet(false, true)) {
                Colour colour = Colour.UNSPECIFIED.orUsual(view.height());
                VideoFrame copy = VideoFrame.copyOf(view, colour);
                // Native code would pin a virtual thread's carrier.
                Thread.ofPlatform().name("overlay-preview").daemon().start(() -> write(copy));
            }
        }

        private void write(VideoFrame copy) {
            try (copy) {
                file.complete(copy.toPng());
            } catch (RuntimeException | Error e) {
                file.completeExceptionally(e);
            }
        }
    }
}
