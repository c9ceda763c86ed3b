package touchline.api.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Method;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import touchline.api.db.ImageRepository;
import touchline.api.domain.Image;
import touchline.api.domain.ImageFile;
import touchline.api.domain.Scope;
import touchline.api.programme.InvalidImageException;
import touchline.api.programme.StandbyImages;

/** {@code /live/v1/images}: images for slates and scoreboards. Any thread. */
final class ImageRoutes {
    static final String IMAGES = "/live/v1/images";

    /** Of an uploaded file. */
    static final int MAX_BYTES = 8 << 20;

    private static final String IMAGE = IMAGES + "/{id}";
    private static final Set<String> TYPES = Set.of("image/png", "image/jpeg");

    /** Images that are decoded at the same time. */
    private static final int PLACES = 2;

    private static final Duration PAUSE = Duration.ofSeconds(2);

    private final StandbyImages images;
    private final InstantSource clock;
    private final Semaphore places = new Semaphore(PLACES);

    ImageRoutes(StandbyImages images, InstantSource clock) {
        this.images = images;
        this.clock = clock;
    }

    List<ApiRoute> routes() {
        return List.of(
                ApiRoute.uploading(IMAGES, Scope.LIVE_WRITE, MAX_BYTES, this::create),
                ApiRoute.of(Method.GET, IMAGES, Scope.LIVE_READ, this::list),
                ApiRoute.of(Method.GET, IMAGE, Scope.LIVE_READ, this::file),
                ApiRoute.of(Method.DELETE, IMAGE, Scope.LIVE_WRITE, this::delete));
    }

    private ApiHandler.Creation create(ApiRequest request) {
        byte[] body = request.file(TYPES);
        if (!places.tryAcquire()) {
            throw ApiException.retryLater(
                    ErrorCode.OVERLOADED, "too many images are read; try again later", PAUSE);
        }
        try {
            StandbyImages.Imported imported = images.importer().read(body);
            Image image = Image.create(imported.width(), imported.height(), clock.instant());
            return () -> {
                if (!images.repository().create(image, imported.file())) {
                    throw ApiException.wrongState(
                            "there are "
                                    + ImageRepository.MAX_IMAGES
                                    + " images: delete one of them first (DELETE "
                                    + IMAGE
                                    + ")");
                }
                return ApiReply.ok(shown(image));
            };
        } catch (InvalidImageException e) {
            throw ApiException.badInput(ErrorCode.INVALID_PARAMETER, "", "body: " + e.getMessage());
        } finally {
            places.release();
        }
    }

    private ApiReply list(ApiRequest request) {
        return ApiReply.page(images.repository().list(request.page()).map(ImageRoutes::shown));
    }

    /** The image as slates and scoreboards show it. */
    private ApiReply file(ApiRequest request) {
        ImageFile file =
                images.repository()
                        .file(request.id("id", "image"))
                        .orElseThrow(() -> ApiException.notFound("image"));
        return ApiReply.document(file.mediaType(), file.bytes());
    }

    private ApiReply delete(ApiRequest request) {
        String id = request.id("id", "image");
        return switch (images.repository().delete(id)) {
            case NOT_FOUND -> throw ApiException.notFound("image");
            case IN_USE ->
                    throw ApiException.wrongState(
                            "a live stream names the image as its standby.image_id, or its"
                                    + " scoreboard as a logo or sponsor_image_id");
            case DELETED -> ApiReply.done();
        };
    }

    private static ObjectNode shown(Image image) {
        return Json.object()
                .put("image_id", image.id())
                .put("width", image.width())
                .put("height", image.height())
                .put("created_at", image.createdAt().getEpochSecond());
    }
}
