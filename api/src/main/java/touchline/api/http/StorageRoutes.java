package touchline.api.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Method;
import java.time.InstantSource;
import java.util.List;
import touchline.api.domain.OutputStorage;
import touchline.api.domain.Scope;
import touchline.api.storage.StorageException;

/**
 * {@code /vodencoding/v1/add_storage} and the registered storages. A storage is tested before it is
 * stored. No reply contains a key. Any thread.
 */
final class StorageRoutes {
    private static final String ADD = "/vodencoding/v1/add_storage";
    private static final String STORAGE = "/vodencoding/v1/storages/{storage_id}";
    private static final String WHAT = "storage";
    private static final int MAX_STORAGES = 1_000;
    private static final int OK = 200;

    private final EncodingDependencies dependencies;
    private final StorageFields fields;
    private final InstantSource clock;

    StorageRoutes(EncodingDependencies dependencies, InstantSource clock) {
        this.dependencies = dependencies;
        this.fields = new StorageFields(dependencies.receivers());
        this.clock = clock;
    }

    List<ApiRoute> routes() {
        return List.of(
                ApiRoute.prepared(ADD, Scope.VOD_WRITE, this::create),
                ApiRoute.of(Method.GET, ADD, Scope.VOD_READ, this::list),
                ApiRoute.of(Method.DELETE, STORAGE, Scope.VOD_WRITE, this::delete));
    }

    static ApiException noStorage() {
        return ApiException.notFound(WHAT);
    }

    private ApiHandler.Creation create(ApiRequest request) {
        OutputStorage storage = fields.read(request.body(), clock.instant());
        if (dependencies.storages().count() >= MAX_STORAGES) {
            throw ApiException.wrongState(
                    "there are " + MAX_STORAGES + " storages already: delete one first");
        }
        List<String> warnings = tried(storage);
        return () -> {
            dependencies.storages().create(storage);
            return new ApiReply.Data(OK, "success", shown(storage), warnings);
        };
    }

    /** A host name that does not resolve now is accepted. Each use resolves it again. */
    private List<String> tried(OutputStorage storage) {
        try {
            dependencies.check().check(storage);
            return List.of();
        } catch (StorageException e) {
            if (e.kind() == StorageException.Kind.UNRESOLVED) {
                return List.of("the storage could not be tried: " + e.getMessage());
            }
            throw ApiException.badInput(
                    ErrorCode.INVALID_PARAMETER,
                    e.setting().isEmpty() ? "bucket" : e.setting(),
                    "the storage was tried: " + e.getMessage());
        }
    }

    private ApiReply list(ApiRequest request) {
        return ApiReply.page(
                dependencies.storages().list(request.page()).map(StorageRoutes::shown));
    }

    private ApiReply delete(ApiRequest request) {
        return switch (dependencies
                .storages()
                .delete(request.id("storage_id", WHAT), clock.instant())) {
            case NOT_FOUND -> throw noStorage();
            case IN_USE ->
                    throw ApiException.wrongState(
                            "tasks write to the storage: wait for them, or cancel them");
            case DELETED -> ApiReply.done();
        };
    }

    private static ObjectNode shown(OutputStorage storage) {
        ObjectNode json = Json.object();
        json.put("storage_id", storage.id());
        json.put("type", storage.type().wireName());
        json.put("region", storage.region());
        json.put("bucket", storage.bucket());
        json.put("prefix", storage.prefix());
        storage.endpoint().ifPresent(url -> json.put("endpoint", url.toString()));
        storage.pathStyle().ifPresent(flag -> json.put("path_style", flag));
        json.put("notify", storage.notifyUrl().toString());
        json.put("created_at", storage.createdAt().getEpochSecond());
        return json;
    }
}
