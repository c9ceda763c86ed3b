package touchline.api.vod;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;
import touchline.api.asset.AssetLeases;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetId;
import touchline.api.domain.TaskError;

/**
 * The input of a request: an asset, read in its folder, or a file, downloaded for the first task
 * that needs it. One thread; the opener closes it.
 */
final class InputSource implements AutoCloseable {
    static final String ASSET = "asset:";

    private final TranscodingDependencies dependencies;
    private final String input;
    private final Path folder;
    private @Nullable Path fetched;
    private @Nullable TaskFailure failure;
    private AssetLeases.@Nullable Use use;

    InputSource(TranscodingDependencies dependencies, String input, Path folder) {
        this.dependencies = dependencies;
        this.input = input;
        this.folder = folder;
    }

    /** The asset that is the input, if it is one. */
    static Optional<AssetId> assetOf(String input) {
        return input.startsWith(ASSET)
                ? Optional.of(new AssetId(input.substring(ASSET.length())))
                : Optional.empty();
    }

    /** Whether the input needs no download any more. */
    boolean isLocal() {
        return input.startsWith(ASSET) || fetched != null;
    }

    /**
     * Writes the input's path into a worker's job, and returns it. Downloads the input before, if
     * necessary.
     *
     * @param progress receives the share of the file that is downloaded
     */
    Path describe(ObjectNode job, DoubleConsumer progress) throws TaskFailure {
        boolean isAsset = input.startsWith(ASSET);
        Path path =
                isAsset ? recording(new AssetId(input.substring(ASSET.length()))) : file(progress);
        job.put(isAsset ? "recording" : "file", path.toString());
        return path;
    }

    /** All tasks of a run share one download: a failed one is not repeated at once. */
    private Path file(DoubleConsumer progress) throws TaskFailure {
        Path file = fetched;
        if (file != null) {
            return file;
        }
        TaskFailure before = failure;
        if (before != null) {
            throw before;
        }
        try {
            file = fetch(progress);
            fetched = file;
            return file;
        } catch (TaskFailure e) {
            if (!Thread.currentThread().isInterrupted()) {
                failure = e;
            }
            throw e;
        }
    }

    private Path recording(AssetId id) throws TaskFailure {
        if (use == null) {
            use = dependencies.assets().uses().begin(id);
        }
        Asset asset =
                dependencies
                        .assets()
                        .find(id)
                        .filter(Asset::isPlayable)
                        .orElseThrow(
                                () ->
                                        TaskFailure.lasting(
                                                TaskError.INPUT_UNREACHABLE,
                                                "input: the asset was deleted"));
        Path recording = dependencies.assets().folders().of(asset.id());
        try {
            dependencies.assets().bringBack(asset.id());
        } catch (NoSuchFileException _) {
            throw TaskFailure.lasting(
                    TaskError.INPUT_UNREACHABLE, "input: the asset's files are lost");
        } catch (IOException e) {
            throw TaskFailure.passing(
                    TaskError.INPUT_UNREACHABLE, "input: the asset's files cannot be read now", e);
        }
        return recording;
    }

    private Path fetch(DoubleConsumer progress) throws TaskFailure {
        Path file = folder.resolve("input");
        new InputDownload(dependencies.egress(), dependencies.limits())
                .fetch(URI.create(input), file, progress);
        return file;
    }

    @Override
    public void close() {
        if (use != null) {
            use.close();
            use = null;
        }
    }
}
