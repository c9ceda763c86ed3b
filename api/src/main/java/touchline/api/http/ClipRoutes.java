package touchline.api.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

/**
 * {@code /video-streams/v1/video/clip}: cuts a part of an asset, or ranges of several, into a new
 * asset. Any thread.
 */
final class ClipRoutes {
    static final String CLIP = "/video-streams/v1/video/clip";

    static final String RANGES = "ranges";

    /** 12 hours: what is joined is copied. */
    private static final long MAX_JOINED_US = 12L * 3_600 * 1_000_000;

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
        return body.has(RANGES) ? joined(request, body) : single(request, body);
    }

    private ApiReply single(ApiRequest request, JsonFields body) {
        Optional<ClipRange> range = ClipRange.read(body);
        request.problems().throwIfAny();
        ClipRange asked = range.orElseThrow();
        Asset source = find(asked).orElseThrow(AssetRoutes::noAsset);
        if (!source.isPlayable()) {
            throw AssetRoutes.notReady(source);
        }
        AssetOrigin.Cut cut = asked.cut(source, request.problems());
        request.problems().throwIfAny();
        return stored(source.clip(cut.startUs(), cut.endUs(), clock.instant()), List.of(source));
    }

    private ApiReply joined(ApiRequest request, JsonFields body) {
        Problems problems = request.problems();
        for (String name : ClipRange.NAMES) {
            if (body.has(name)) {
                problems.invalid(name, "not beside " + RANGES + " (expected: one of the two)");
            }
        }
        List<JsonFields> elements = elements(body);
        List<ClipRange> ranges =
                elements.stream().flatMap(each -> ClipRange.read(each).stream()).toList();
        problems.throwIfAny();
        List<Asset> sources = sources(ranges);
        List<AssetOrigin.Cut> cuts = new ArrayList<>();
        for (int i = 0; i < ranges.size(); i++) {
            cuts.add(ranges.get(i).cut(sources.get(i), problems));
        }
        long durationUs = cuts.stream().mapToLong(AssetOrigin.Cut::durationUs).sum();
        if (durationUs > MAX_JOINED_US) {
            problems.invalid(
                    RANGES,
                    "%s s together (expected: at most %s)"
                            .formatted(
                                    AssetView.seconds(durationUs),
                                    AssetView.seconds(MAX_JOINED_US)));
        }
        problems.throwIfAny();
        Asset clip =
                sources.getFirst().clip(new AssetOrigin.Joined(cuts), sources, clock.instant());
        return stored(clip, sources);
    }

    /** Not more than allowed are read. */
    private static List<JsonFields> elements(JsonFields body) {
        int count = body.array(RANGES).map(ArrayNode::size).orElse(AssetOrigin.MIN_RANGES);
        if (count < AssetOrigin.MIN_RANGES || count > AssetOrigin.MAX_RANGES) {
            body.problems()
                    .invalid(
                            RANGES,
                            "%d ranges (expected: %d to %d)"
                                    .formatted(
                                            count, AssetOrigin.MIN_RANGES, AssetOrigin.MAX_RANGES));
            return List.of();
        }
        return body.objects(RANGES);
    }

    /** The source of each range; a call names all that are missing, or all that are not ready. */
    private List<Asset> sources(List<ClipRange> ranges) {
        Map<String, Optional<Asset>> known = new HashMap<>();
        List<FieldError> missing = new ArrayList<>();
        List<FieldError> notReady = new ArrayList<>();
        List<Asset> sources = new ArrayList<>();
        for (ClipRange range : ranges) {
            Optional<Asset> source = known.computeIfAbsent(range.asset(), _ -> find(range));
            if (source.isEmpty()) {
                missing.add(new FieldError(range.assetField(), "asset not found"));
            } else if (!source.get().isPlayable()) {
                String status = source.get().state().status().wireName();
                notReady.add(
                        new FieldError(
                                range.assetField(),
                                "the asset is " + status + " (expected: ready)"));
            }
            source.ifPresent(sources::add);
        }
        refuse(ErrorCode.NOT_FOUND, missing);
        refuse(ErrorCode.WRONG_STATE, notReady);
        return sources;
    }

    private static void refuse(ErrorCode code, List<FieldError> errors) {
        if (!errors.isEmpty()) {
            FieldError first = errors.getFirst();
            throw ApiException.badInput(code, first.field() + ": " + first.reason(), errors);
        }
    }

    private Optional<Asset> find(ClipRange range) {
        return Optional.of(range.asset())
                .filter(AssetId::isSafe)
                .flatMap(id -> assets.find(new AssetId(id)));
    }

    /**
     * @param sources of the clip's ranges, in their order
     */
    private ApiReply stored(Asset clip, List<Asset> sources) {
        database.transact(
                () -> {
                    repository.create(clip);
                    AssetMarkers.copy(markers, sources, clip);
                    jobs.submit(clip);
                });
        return ApiReply.ok(AssetView.ofNewClip(clip));
    }
}
