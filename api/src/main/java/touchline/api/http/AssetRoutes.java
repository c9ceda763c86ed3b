package touchline.api.http;

import io.helidon.http.Method;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import touchline.api.asset.AssetService;
import touchline.api.db.AssetListing;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetId;
import touchline.api.domain.AssetStatus;
import touchline.api.domain.PageRequest;
import touchline.api.domain.Scope;
import touchline.api.view.AssetView;
import touchline.media.StreamId;

/** {@code /video-streams/v1/assets}: recordings and clips. Any thread. */
final class AssetRoutes {
    private static final String RECORDING = "recording";
    private static final Set<String> KINDS = Set.of(RECORDING, "clip");
    private static final String ASSETS = "/video-streams/v1/assets";
    private static final String ASSET = ASSETS + "/{asset_id}";
    private static final String STREAM_ID = "live_stream_id";

    private final AssetService assets;

    AssetRoutes(AssetService assets) {
        this.assets = assets;
    }

    List<ApiRoute> routes() {
        return List.of(
                ApiRoute.of(Method.GET, ASSETS, Scope.ASSETS_READ, this::list),
                ApiRoute.of(Method.GET, ASSET, Scope.ASSETS_READ, this::find),
                ApiRoute.of(Method.DELETE, ASSET, Scope.ASSETS_WRITE, this::delete));
    }

    static ApiException noAsset() {
        return ApiException.notFound("asset");
    }

    /** The stream may be deleted already. */
    private ApiReply list(ApiRequest request) {
        Optional<String> stream = request.query(STREAM_ID);
        if (stream.isPresent() && !ApiRequest.ID.matcher(stream.get()).matches()) {
            request.problems().invalid(STREAM_ID, "no id of a live stream");
        }
        Optional<String> kind = request.query("kind");
        if (kind.isPresent() && !KINDS.contains(kind.get())) {
            request.problems().invalid("kind", "unknown value (expected: recording or clip)");
        }
        Optional<String> search = request.search();
        PageRequest page = request.page();
        AssetListing listing =
                new AssetListing(stream.map(StreamId::new), kind.map(RECORDING::equals), search);
        return ApiReply.page(assets.list(listing, page).map(AssetView::of));
    }

    private ApiReply find(ApiRequest request) {
        return ApiReply.ok(
                AssetView.of(assets.find(assetId(request)).orElseThrow(AssetRoutes::noAsset)));
    }

    private ApiReply delete(ApiRequest request) {
        return switch (assets.delete(assetId(request))) {
            case NOT_FOUND -> throw noAsset();
            case LIVE ->
                    throw ApiException.wrongState(
                            "the asset is being recorded: complete its live stream first");
            case DELETED -> ApiReply.done();
        };
    }

    /** The failure of a call that needs a playable asset. */
    static ApiException notReady(Asset asset) {
        boolean failed = asset.state().status() == AssetStatus.ERRORED;
        return ApiException.wrongState(
                "the asset is "
                        + asset.state().status().wireName()
                        + " (expected: ready): "
                        + (failed
                                ? "its errors name the reason"
                                : "wait for its event asset.ready"));
    }

    private static AssetId assetId(ApiRequest request) {
        return new AssetId(request.id("asset_id", "asset"));
    }
}
