package touchline.packager.delivery;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import java.util.Optional;
import java.util.OptionalLong;
import touchline.packager.delivery.PlaybackTarget.Item;
import touchline.packager.thumbnail.ThumbnailRequest;

/**
 * One request with its parsed target and query.
 *
 * @param forNode another node of the cluster asks, for its viewers
 */
record HlsExchange(
        HttpRequest request, PlaybackTarget target, PlaybackQuery query, boolean forNode) {
    boolean isHead() {
        return request.method().equals(HttpMethod.HEAD);
    }

    HttpHeaders headers() {
        return request.headers();
    }

    /**
     * The requested thumbnail.
     *
     * @throws ThumbnailRequest.BadThumbnailRequestException if a parameter is invalid
     */
    ThumbnailRequest thumbnailRequest() {
        return ThumbnailRequest.parse(query.time(), query.width());
    }

    /** The session of media, by its name in addresses. */
    Optional<String> session() {
        return session(target.item());
    }

    private static Optional<String> session(Item item) {
        return switch (item) {
            case Item.MediaPlaylist(String session) -> Optional.of(session);
            case Item.InitSegment(String session, _) -> Optional.of(session);
            case Item.Segment(String session, _) -> Optional.of(session);
            case Item.Part(String session, _, _) -> Optional.of(session);
            case Item.RunInit(String session, _, _) -> Optional.of(session);
            case Item.OfRendition(String session, _, _) -> Optional.of(session);
            case Item.Multivariant _, Item.Mp4 _, Item.Thumbnail _, Item.Chapters _ ->
                    Optional.empty();
        };
    }

    PlaybackRequest.Resource resource() {
        return switch (target.item()) {
            case Item.Multivariant _ -> PlaybackRequest.Resource.MULTIVARIANT;
            case Item.Mp4 _ -> PlaybackRequest.Resource.MP4;
            case Item.Thumbnail _ -> PlaybackRequest.Resource.THUMBNAIL;
            case Item.Chapters _ -> PlaybackRequest.Resource.CHAPTERS;
            case Item.MediaPlaylist _,
                    Item.InitSegment _,
                    Item.Segment _,
                    Item.Part _,
                    Item.RunInit _,
                    Item.OfRendition _ ->
                    PlaybackRequest.Resource.MEDIA;
        };
    }

    /** Number of the segment that is wanted, or whose part is. */
    OptionalLong mediaSequence() {
        return switch (target.item()) {
            case Item.Segment(_, long number) -> OptionalLong.of(number);
            case Item.Part(_, long number, _) -> OptionalLong.of(number);
            case Item.Multivariant _,
                    Item.Mp4 _,
                    Item.Thumbnail _,
                    Item.Chapters _,
                    Item.MediaPlaylist _,
                    Item.InitSegment _,
                    Item.RunInit _,
                    Item.OfRendition _ ->
                    OptionalLong.empty();
        };
    }

    static DeliveryCounters.Kind kind(Item item) {
        return switch (item) {
            case Item.Multivariant _ -> DeliveryCounters.Kind.MULTIVARIANT;
            case Item.Mp4 _ -> DeliveryCounters.Kind.MP4;
            case Item.Thumbnail _ -> DeliveryCounters.Kind.THUMBNAIL;
            case Item.Chapters _ -> DeliveryCounters.Kind.CHAPTERS;
            case Item.MediaPlaylist _ -> DeliveryCounters.Kind.MEDIA_PLAYLIST;
            case Item.InitSegment _, Item.RunInit _ -> DeliveryCounters.Kind.INIT;
            case Item.OfRendition(_, _, Item of) -> kind(of);
            case Item.Segment _ -> DeliveryCounters.Kind.SEGMENT;
            case Item.Part _ -> DeliveryCounters.Kind.PART;
        };
    }
}
