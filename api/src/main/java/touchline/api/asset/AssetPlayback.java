package touchline.api.asset;

import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import touchline.api.asset.AssetPlaybackIds.Playable;
import touchline.api.domain.Mp4Support;
import touchline.media.SessionId;
import touchline.packager.delivery.PlaybackDecision;
import touchline.packager.delivery.PlaybackDecision.Refused;
import touchline.packager.delivery.PlaybackRequest;
import touchline.packager.delivery.PlaybackRequest.Resource;
import touchline.packager.hls.DvrPlayback;
import touchline.packager.hls.LivePlayback;
import touchline.packager.hls.MediaBody;
import touchline.packager.record.StoredMp4;
import touchline.packager.record.StoredPlayback;
import touchline.packager.thumbnail.Thumbnails;

/**
 * Playback of assets. While an asset is recorded, its session's window serves it from the start of
 * the session, unless another node has begun both: the window lacks that start. Then its files
 * serve it, as they do after its end. Any thread; never blocks.
 */
public final class AssetPlayback {
    /** A recording ends some time after its encoder has left. */
    private static final int GROWING_SECONDS = 60;

    private static final int MIN_SCALING_SECONDS = 5;
    private static final int MAX_SCALING_SECONDS = 3_600;

    private static final Refused GROWING =
            new Refused(
                    404,
                    40401,
                    "there is no MP4 while the asset is recorded (is_live)",
                    OptionalInt.of(GROWING_SECONDS));
    private static final Refused NOT_WANTED = notFound("mp4_support of this asset is none");
    private final AssetPlaybackIds ids;
    private final Function<SessionId, Optional<LivePlayback>> windows;
    private final Chapters chapters;

    /**
     * @param windows of the current sessions
     */
    public AssetPlayback(
            AssetPlaybackIds ids,
            Function<SessionId, Optional<LivePlayback>> windows,
            Chapters chapters) {
        this.ids = ids;
        this.chapters = chapters;
        this.windows = windows;
    }

    /** The media for an admitted viewer. */
    public CompletionStage<PlaybackDecision> shown(
            PlaybackRequest request, boolean restricted, Optional<String> grant) {
        Optional<Playable> found = ids.find(request.playbackId());
        if (found.isEmpty()) {
            return CompletableFuture.completedFuture(Refused.NOT_FOUND);
        }
        Playable asset = found.get();
        if (asset.live() || request.resource() == Resource.CHAPTERS || !ids.files().isRemote()) {
            return shown(asset, request, restricted, grant);
        }
        // Each use counts, so that what is watched stays on the disk.
        return AwaitedFiles.orRefused(
                () -> ids.files().ensureHead(asset.asset()),
                () -> shownOnceThere(asset, request, restricted, grant));
    }

    private CompletionStage<PlaybackDecision> shownOnceThere(
            Playable asset, PlaybackRequest request, boolean restricted, Optional<String> grant) {
        if (request.mediaSequence().isEmpty()) {
            return shown(asset, request, restricted, grant);
        }
        return goneIsNotFound(
                ids.playbacks()
                        .get(asset)
                        .thenCompose(
                                playback ->
                                        AwaitedFiles.orRefused(
                                                () ->
                                                        ids.files()
                                                                .ensure(
                                                                        asset.asset(),
                                                                        playback.file(
                                                                                        request.mediaSequence()
                                                                                                .getAsLong())
                                                                                .map(List::of)
                                                                                .orElse(List.of())),
                                                () -> shown(asset, request, restricted, grant))));
    }

    private CompletionStage<PlaybackDecision> shown(
            Playable asset, PlaybackRequest request, boolean restricted, Optional<String> grant) {
        return switch (request.resource()) {
            case MULTIVARIANT, MEDIA ->
                    goneIsNotFound(
                            playback(asset, request.resource())
                                    .thenApply(
                                            playback ->
                                                    new PlaybackDecision.Live(
                                                            List.of(playback),
                                                            /* running= */ true,
                                                            restricted,
                                                            grant)));
            case MP4 -> goneIsNotFound(mp4(asset, restricted));
            case THUMBNAIL ->
                    goneIsNotFound(
                            playback(asset, Resource.MULTIVARIANT)
                                    .thenApply(playback -> thumbnail(asset, playback, restricted)));
            case CHAPTERS ->
                    chapters.of(asset.asset())
                            .thenApply(text -> Chapters.decision(text, restricted));
        };
    }

    private static PlaybackDecision thumbnail(
            Playable asset, LivePlayback playback, boolean restricted) {
        return new PlaybackDecision.Thumbnail(
                playback, Thumbnails.ByDefault.FIRST, /* settled= */ !asset.live(), restricted);
    }

    private CompletionStage<? extends LivePlayback> playback(Playable asset, Resource resource) {
        if (!asset.live()) {
            return ids.playbacks().get(asset);
        }
        Optional<LivePlayback> window =
                ids.isContinued(asset.asset()) ? Optional.empty() : windows.apply(asset.element());
        // After the session's end and before its asset's, the window has no playlist.
        boolean names =
                resource == Resource.MEDIA
                        || window.flatMap(live -> live.multivariant("")).isPresent();
        return window.isPresent() && names
                ? CompletableFuture.completedFuture(new DvrPlayback(window.get()))
                : ids.playbacks().fresh(asset);
    }

    private CompletionStage<PlaybackDecision> mp4(Playable asset, boolean restricted) {
        if (asset.mp4Support() == Mp4Support.NONE) {
            return CompletableFuture.completedFuture(NOT_WANTED);
        }
        if (asset.live()) {
            return CompletableFuture.completedFuture(GROWING);
        }
        return ids.playbacks()
                .get(asset)
                .thenCompose(
                        playback ->
                                isEncoded(asset, playback)
                                        ? encoded(asset, playback, restricted)
                                        : original(asset, playback, restricted));
    }

    /** The MP4 of the recorded frames. Without a saved head it is made of all files. */
    private CompletionStage<PlaybackDecision> original(
            Playable asset, StoredPlayback playback, boolean restricted) {
        return opened(asset, restricted)
                .exceptionallyCompose(
                        failure ->
                                ids.files().isRemote()
                                                && unwrapped(failure) instanceof NoSuchFileException
                                        ? AwaitedFiles.orRefused(
                                                () ->
                                                        ids.files()
                                                                .ensure(
                                                                        asset.asset(),
                                                                        playback.files()),
                                                () -> opened(asset, restricted))
                                        : CompletableFuture.failedStage(failure));
    }

    private CompletionStage<PlaybackDecision> opened(Playable asset, boolean restricted) {
        return ids.movies().get(asset).thenCompose(movie -> begun(asset, movie, restricted));
    }

    /** The answer begins when the first file is there; the others come while it is sent. */
    private CompletionStage<PlaybackDecision> begun(
            Playable asset, StoredMp4 movie, boolean restricted) {
        if (!ids.files().isRemote()) {
            return CompletableFuture.completedStage(shown(asset, movie, movie.body(), restricted));
        }
        MediaBody.FileSequence arriving =
                new MediaBody.FileSequence(
                        movie.body().files(), file -> ids.files().arrival(asset.asset(), file));
        List<Path> first = movie.media().subList(0, 1);
        return AwaitedFiles.orRefused(
                () -> ids.files().ensure(asset.asset(), first),
                () -> CompletableFuture.completedStage(shown(asset, movie, arriving, restricted)));
    }

    private static boolean isEncoded(Playable asset, StoredPlayback playback) {
        return playback.shorterSide() > Renditions.MAX_SHORTER_SIDE
                || hasSeveralFormats(asset, playback);
    }

    private static boolean hasSeveralFormats(Playable asset, StoredPlayback playback) {
        return asset.joined() && playback.configurations() > 1;
    }

    /** The MP4 of encoded frames. The call requests it if it is missing. */
    private CompletionStage<PlaybackDecision> encoded(
            Playable asset, StoredPlayback playback, boolean restricted) {
        return ids.scaledMovies()
                .get(asset)
                .thenCompose(movie -> begun(asset, movie, restricted))
                .exceptionally(
                        failure ->
                                switch (unwrapped(failure)) {
                                    case ScaledMovie.NotYetException _ -> {
                                        ids.renditions().request(asset.asset());
                                        yield encoding(asset, playback);
                                    }
                                    case ScaledMovie.RefusedException refused ->
                                            notFound(refused.getMessage());
                                    case Throwable other -> throw new CompletionException(other);
                                });
    }

    /** Until its progress is known, encoding is expected to take as long as the asset. */
    private Refused encoding(Playable asset, StoredPlayback playback) {
        long seconds =
                ids.renditions()
                        .secondsLeft(asset.asset())
                        .orElse(Math.ceilDiv(playback.durationUs(), 1_000_000L));
        return new Refused(
                404,
                40401,
                hasSeveralFormats(asset, playback)
                        ? "the ranges have several formats: their MP4 is being encoded in one"
                        : "the frames are above 1080p: their MP4 is being scaled down",
                OptionalInt.of(Math.clamp(seconds, MIN_SCALING_SECONDS, MAX_SCALING_SECONDS)));
    }

    private PlaybackDecision shown(
            Playable asset, StoredMp4 movie, MediaBody.FileSequence body, boolean restricted) {
        return new PlaybackDecision.Mp4(
                body, movie.entityTag(), restricted, () -> ids.uses().begin(asset.asset())::close);
    }

    /** The asset was deleted while it was opened. */
    private static CompletionStage<PlaybackDecision> goneIsNotFound(
            CompletionStage<? extends PlaybackDecision> stage) {
        return stage.<PlaybackDecision>thenApply(decision -> decision)
                .exceptionally(
                        failure -> {
                            Throwable cause = unwrapped(failure);
                            if (cause instanceof NoSuchFileException) {
                                return Refused.NOT_FOUND;
                            }
                            throw new CompletionException(cause);
                        });
    }

    private static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }

    private static Refused notFound(String why) {
        return new Refused(404, 40401, why, OptionalInt.empty());
    }
}
