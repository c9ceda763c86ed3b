package touchline.api.vod;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;
import touchline.api.asset.AssetLeases;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetId;
import touchline.api.domain.TaskError;
import touchline.api.egress.DownloadLimits;
import touchline.api.egress.EgressException;

/**
 * The input of a request: an asset, read where it lies, or a file that is fetched with the first
 * task that needs it. One thread; whoever opened it closes it.
 */
final class InputSource implements AutoCloseable {
    static final String ASSET = "asset:";

    private static final Duration SILENCE = Duration.ofSeconds(20);
    private static final int TRIES = 3;

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

    /** Whether there is nothing to wait for. */
    boolean isHere() {
        return input.startsWith(ASSET) || fetched != null;
    }

    /**
     * Names the input to a worker; fetches it where that was not done yet.
     *
     * @param progress of the fetching, as far as the server tells how much there is
     */
    void describe(ObjectNode job, DoubleConsumer progress) throws TaskFailure {
        if (input.startsWith(ASSET)) {
            job.put(
                    "recording",
                    recording(new AssetId(input.substring(ASSET.length()))).toString());
        } else {
            job.put("file", file(progress).toString());
        }
    }

    /** One try for all tasks of a run: what cannot be had is not asked for again at once. */
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
                                                "input: the asset is not there any more"));
        return dependencies.assets().folders().of(asset.id());
    }

    private Path fetch(DoubleConsumer progress) throws TaskFailure {
        Path file = folder.resolve("input");
        try {
            long room = usableBytes(folder) - dependencies.limits().minFreeBytes();
            long maxBytes = Math.min(dependencies.limits().maxInputBytes(), room);
            if (maxBytes <= 0) {
                throw TaskFailure.passing(
                        TaskError.OUT_OF_RESOURCES, "this server has too little disk space");
            }
            dependencies
                    .egress()
                    .download(
                            URI.create(input),
                            file,
                            new DownloadLimits(
                                    SILENCE, dependencies.limits().fetchTime(), maxBytes, TRIES),
                            bytes -> progress.accept(Math.min(1, (double) bytes / maxBytes)));
            return file;
        } catch (EgressException e) {
            throw TaskFailure.of(e, status(e));
        } catch (IOException e) {
            throw TaskFailure.lasting(
                    TaskError.OUT_OF_RESOURCES, "the input cannot be kept: no disk space");
        }
    }

    static long usableBytes(Path folder) throws IOException {
        return Files.getFileStore(folder).getUsableSpace();
    }

    /** Of the answer that the message tells; 0 where there was none. */
    private static int status(EgressException e) {
        String digits = String.valueOf(e.getMessage()).replaceAll("\\D", "");
        return digits.length() == 3 ? Integer.parseInt(digits) : 0;
    }

    @Override
    public void close() {
        if (use != null) {
            use.close();
            use = null;
        }
    }
}
