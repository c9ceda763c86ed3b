package touchline.api.http;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import touchline.api.asset.AssetMarkers;
import touchline.api.asset.AssetService;
import touchline.api.asset.ClipJobs;
import touchline.api.db.AssetRepository;
import touchline.api.db.Database;
import touchline.api.db.MarkerRepository;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetId;
import touchline.api.domain.AssetOrigin;
import touchline.api.domain.Scope;
import touchline.api.view.AssetView;

/** {@code /video-streams/v1/video/clip}: cuts a part of an asset into a new asset. Any thread. */
final class ClipRoutes {
    static final String CLIP = "/video-streams/v1/video/clip";

    private static final String SOURCE = "asset_id";
    private static final String START = "start_time";
    private static final String END = "end_time";
    private static final int MAX_ID_BYTES = 64;

    /** An end this far behind the asset's end is that end: clients round durations up. */
    private static final long END_TOLERANCE_US = 1_000_000;

    private final Database database;
    private final AssetService assets;
    private final AssetRepository repository;
    private final MarkerRepository markers;
    private final ClipJobs jobs;
    private final InstantSource clock;

    ClipRoutes(Database database, AssetService assets, ClipJobs jobs, InstantSource clock) {
        this.database = database;
        this.assets = assets;
        this.repository = new AssetRepository(database, AssetView::of);
        this.markers = new MarkerRepository(database);
        this.jobs = jobs;
        this.clock = clock;
    }

    List<ApiRoute> routes() {
        return List.of(ApiRoute.creating(CLIP, Scope.ASSETS_WRITE, this::create));
    }

    private ApiReply create(ApiRequest request) {
        JsonFields body = request.body();
        body.require(SOURCE);
        body.require(START);
        body.require(END);
        Optional<String> id = body.text(SOURCE, MAX_ID_BYTES);
        OptionalLong startUs = body.secondsUs(START);
        OptionalLong endUs = body.secondsUs(END);
        if (startUs.isPresent() && endUs.isPresent() && startUs.getAsLong() >= endUs.getAsLong()) {
            request.problems().invalid(END, "not behind start_time (expected: greater)");
        }
        request.problems().throwIfAny();
        Asset source =
                id.filter(AssetId::isSafe)
                        .flatMap(it -> assets.find(new AssetId(it)))
                        .orElseThrow(AssetRoutes::noAsset);
        Asset clip = clip(request, source, startUs.orElseThrow(), endUs.orElseThrow());
        database.transact(
                () -> {
                    repository.create(clip);
                    AssetMarkers.copy(markers, source, clip, (AssetOrigin.Cut) clip.origin());
                    jobs.submit(clip);
                });
        return ApiReply.ok(AssetView.ofNewClip(clip, (AssetOrigin.Cut) clip.origin()));
    }

    private Asset clip(ApiRequest request, Asset source, long startUs, long endUs) {
        if (!source.isPlayable()) {
            throw AssetRoutes.notReady(source);
        }
        long sourceUs = source.state().durationUs();
        if (endUs > sourceUs + END_TOLERANCE_US) {
            request.problems()
                    .invalid(
                            END,
                            "beyond the end of the asset (expected: at most "
                                    + AssetView.seconds(sourceUs)
                                    + ")");
        }
        if (startUs >= sourceUs) {
            request.problems()
                    .invalid(
                            START,
                            "not before the end of the asset (expected: less than "
                                    + AssetView.seconds(sourceUs)
                                    + ")");
        }
        request.problems().throwIfAny();
        return source.clip(startUs, Math.min(endUs, sourceUs), clock.instant());
    }
}
