package touchline.packager.delivery;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.concurrent.EventExecutor;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import touchline.packager.hls.FrameSource;
import touchline.packager.thumbnail.ThumbnailRequest;
import touchline.packager.thumbnail.ThumbnailResult;
import touchline.packager.thumbnail.Thumbnails;

/** Answers one connection's requests for thumbnails, when they are made. Event loop only. */
final class ThumbnailHandler {
    private final Thumbnails thumbnails;
    private final PlaybackAnswers answers;
    private final EventExecutor executor;
    private final LiveRequestHandler.Recheck recheck;

    private @Nullable Waiting waiting;

    /** A request that waits for its frame; compared by identity. */
    private static final class Waiting {}

    /**
     * @param executor the connection's event loop
     */
    ThumbnailHandler(
            Thumbnails thumbnails,
            PlaybackAnswers answers,
            EventExecutor executor,
            LiveRequestHandler.Recheck recheck) {
        this.thumbnails = thumbnails;
        this.answers = answers;
        this.executor = executor;
        this.recheck = recheck;
    }

    /** Answers now, or when the frame is there. */
    void answer(HlsExchange exchange, PlaybackDecision.Thumbnail shown) {
        ThumbnailRequest request = exchange.thumbnailRequest();
        Optional<FrameSource> source = shown.playback().frames();
        if (source.isEmpty()) {
            answers.error(ErrorEnvelope.NOT_FOUND);
            return;
        }
        CompletionStage<ThumbnailResult> stage =
                thumbnails.get(source.get(), request, shown.byDefault());
        CompletableFuture<ThumbnailResult> made = stage.toCompletableFuture();
        if (made.isDone() && !made.isCompletedExceptionally()) {
            show(exchange, shown, made.join());
            return;
        }
        Waiting mine = new Waiting();
        waiting = mine;
        stage.whenComplete(
                (result, failure) ->
                        executor.execute(
                                () -> {
                                    if (waiting == mine) {
                                        waiting = null;
                                        made(exchange, shown, result, failure);
                                    }
                                }));
    }

    /** A key may be deleted, or a stream disabled, while the request waits. */
    private void made(
            HlsExchange exchange,
            PlaybackDecision.Thumbnail shown,
            @Nullable ThumbnailResult result,
            @Nullable Throwable failure) {
        if (result != null) {
            recheck.thenRun(exchange, () -> show(exchange, shown, result));
        } else {
            answers.internalError(
                    failure == null ? new IllegalStateException("no result") : failure);
        }
    }

    private void show(
            HlsExchange exchange, PlaybackDecision.Thumbnail shown, ThumbnailResult result) {
        switch (result) {
            case ThumbnailResult.Made(var frame) -> answers.thumbnail(exchange, shown, frame);
            case ThumbnailResult.Missing(var reason) ->
                    answers.error(ErrorEnvelope.of(HttpResponseStatus.NOT_FOUND, 1, reason));
            case ThumbnailResult.Unavailable(var reason) ->
                    answers.error(ErrorEnvelope.unavailable(reason));
            case ThumbnailResult.Busy _ -> answers.error(ErrorEnvelope.BUSY);
        }
    }

    /** Cancels the waiting request; false if there is none. */
    boolean stopWaiting() {
        boolean waited = waiting != null;
        waiting = null;
        return waited;
    }
}
