package touchline.api.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Method;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import touchline.api.asset.AssetService;
import touchline.api.db.TranscodingRepository.Cancellation;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetId;
import touchline.api.domain.OutputStorage;
import touchline.api.domain.Scope;
import touchline.api.domain.TaskState;
import touchline.api.domain.TaskStatus;
import touchline.api.domain.TranscodingRequest;
import touchline.api.domain.TranscodingRequest.Notice;
import touchline.api.domain.TranscodingTask;

/** {@code /vodencoding/v1/tasks}: transcoding into a storage. Any thread. */
final class TaskRoutes {
    private static final String TASKS = "/vodencoding/v1/tasks";
    private static final String TASK = TASKS + "/{task_id}";
    private static final String WHAT = "transcoding task";
    private static final String STORAGE_ID = "storage_id";
    private static final String INPUT = "input";
    private static final String STATUS = "status";
    private static final String ASSET = "asset:";
    private static final int MAX_ID_BYTES = 64;
    private static final int MAX_INPUT_BYTES = 2_048;
    private static final int ACCEPTED = 202;
    private static final long MAX_QUEUED = 5_000;

    private final EncodingDependencies dependencies;
    private final AssetService assets;
    private final InstantSource clock;

    TaskRoutes(EncodingDependencies dependencies, AssetService assets, InstantSource clock) {
        this.dependencies = dependencies;
        this.assets = assets;
        this.clock = clock;
    }

    List<ApiRoute> routes() {
        return List.of(
                ApiRoute.prepared(TASKS, Scope.VOD_WRITE, this::create),
                ApiRoute.of(Method.GET, TASKS, Scope.VOD_READ, this::list),
                ApiRoute.of(Method.GET, TASK, Scope.VOD_READ, this::find),
                ApiRoute.of(Method.DELETE, TASK, Scope.VOD_WRITE, this::cancel));
    }

    private ApiHandler.Creation create(ApiRequest request) {
        JsonFields body = request.body();
        body.require(STORAGE_ID);
        body.require(INPUT);
        Optional<String> storageId = body.text(STORAGE_ID, MAX_ID_BYTES);
        Optional<String> input = body.url(INPUT, MAX_INPUT_BYTES);
        input.ifPresent(text -> checkAddress(text, request));
        List<TaskFields.Output> outputs = TaskFields.read(body);
        request.problems().throwIfAny();
        return () -> store(storageId, input.orElseThrow(), outputs);
    }

    private ApiReply store(
            Optional<String> storageId, String input, List<TaskFields.Output> outputs) {
        OutputStorage storage =
                storageId
                        .flatMap(dependencies.storages()::find)
                        .orElseThrow(StorageRoutes::noStorage);
        checkAsset(input);
        if (dependencies.tasks().count(TaskState.QUEUED) + outputs.size() > MAX_QUEUED) {
            throw ApiException.retryLater(
                    ErrorCode.OVERLOADED,
                    "more than " + MAX_QUEUED + " tasks wait already",
                    Duration.ofMinutes(1));
        }
        List<TranscodingTask> tasks = begin(storage, input, outputs);
        ObjectNode data = Json.object();
        ArrayNode shown = data.putArray("tasks");
        tasks.forEach(task -> shown.add(TaskView.of(task)));
        return new ApiReply.Data(ACCEPTED, "success", data, List.of());
    }

    /** An asset as an input is read, so the token must be allowed to read assets. */
    private void checkAddress(String input, ApiRequest request) {
        if (!input.startsWith(ASSET)) {
            dependencies
                    .receivers()
                    .refusal(input)
                    .ifPresent(
                            reason ->
                                    request.problems()
                                            .invalid(INPUT, reason + ", or asset:<asset_id>"));
        } else if (!request.allows(Scope.ASSETS_READ)) {
            throw ApiException.of(
                    ErrorCode.FORBIDDEN,
                    "the token lacks the scope "
                            + Scope.ASSETS_READ.wireName()
                            + ", which an asset as input needs");
        }
    }

    private void checkAsset(String input) {
        if (!input.startsWith(ASSET)) {
            return;
        }
        Asset asset =
                Optional.of(input.substring(ASSET.length()))
                        .filter(AssetId::isSafe)
                        .flatMap(id -> assets.find(new AssetId(id)))
                        .orElseThrow(AssetRoutes::noAsset);
        if (!asset.isPlayable()) {
            throw AssetRoutes.notReady(asset);
        }
    }

    private List<TranscodingTask> begin(
            OutputStorage storage, String input, List<TaskFields.Output> outputs) {
        Instant now = clock.instant();
        TranscodingRequest batch =
                new TranscodingRequest(
                        TranscodingRequest.newId(),
                        storage.id(),
                        input,
                        storage.notifyUrl(),
                        Notice.WAITING,
                        now);
        List<TranscodingTask> tasks =
                outputs.stream().map(output -> task(batch, storage, output)).toList();
        if (!dependencies.control().begin(batch, tasks)) {
            throw StorageRoutes.noStorage();
        }
        return tasks;
    }

    private static TranscodingTask task(
            TranscodingRequest batch, OutputStorage storage, TaskFields.Output output) {
        String id = TranscodingTask.newId();
        return new TranscodingTask(
                id,
                batch.id(),
                storage.id(),
                batch.input(),
                output.request(),
                output.fileName(),
                storage.bucket() + "/" + storage.key(id + "/" + output.fileName()),
                TaskStatus.QUEUED,
                batch.createdAt());
    }

    private ApiReply list(ApiRequest request) {
        Optional<String> status = request.query(STATUS);
        Optional<TaskState> state = status.flatMap(TaskState::of);
        if (status.isPresent() && state.isEmpty()) {
            request.problems()
                    .invalid(
                            STATUS,
                            "unknown value (expected: one of queued, running, succeeded, failed,"
                                    + " canceled)");
        }
        return ApiReply.page(dependencies.tasks().list(state, request.page()).map(TaskView::of));
    }

    private ApiReply find(ApiRequest request) {
        TranscodingTask task =
                dependencies
                        .tasks()
                        .find(request.id("task_id", WHAT))
                        .orElseThrow(() -> ApiException.notFound(WHAT));
        return ApiReply.ok(TaskView.of(task, dependencies.tasks().noticeLog(task.requestId())));
    }

    private ApiReply cancel(ApiRequest request) {
        String id = request.id("task_id", WHAT);
        return switch (dependencies.control().cancel(id)) {
            case Cancellation.NotFound() -> throw ApiException.notFound(WHAT);
            case Cancellation.Over(var state) -> {
                if (state != TaskState.CANCELED) {
                    throw ApiException.wrongState("the task has " + state.wireName() + " already");
                }
                yield find(request);
            }
            case Cancellation.Done(var task, _) -> ApiReply.ok(TaskView.of(task));
        };
    }
}
