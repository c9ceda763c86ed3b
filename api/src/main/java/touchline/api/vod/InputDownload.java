package touchline.api.vod;

import java.util.Objects;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.DoubleConsumer;
import touchline.api.domain.TaskError;
import touchline.api.egress.DownloadLimits;
import touchline.api.egress.Egress;
import touchline.api.egress.EgressException;

/** Downloads the input file of a request. One thread. */
final class InputDownload {
    private static final Duration SILENCE = Duration.ofSeconds(20);
    private static final int TRIES = 3;

    private final Egress egress;
    private final TranscodingLimits limits;

    InputDownload(Egress egress, TranscodingLimits limits) {
        this.egress = egress;
        this.limits = limits;
    }

    /**
     * @param progress receives the share of the file, as far as its size is known
     * @throws TaskFailure with its cause, where the server or this disk fails
     */
    void fetch(URI url, Path file, DoubleConsumer progress) throws TaskFailure {
        Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent());
        try {
            long maxBytes =
                    Math.min(
                            limits.maxInputBytes(),
                            DiskFailure.usableBytes(folder) - limits.minFreeBytes());
            if (maxBytes <= 0) {
                throw TaskFailure.passing(
                        TaskError.OUT_OF_RESOURCES, "this server has too little disk space");
            }
            long _ =
                    egress.download(
                            url,
                            file,
                            new DownloadLimits(SILENCE, limits.fetchTime(), maxBytes, TRIES),
                            bytes -> progress.accept(Math.min(1, (double) bytes / maxBytes)));
        } catch (EgressException e) {
            throw TaskFailure.of(e);
        } catch (IOException e) {
            boolean full = DiskFailure.isFull(e, folder, limits.minFreeBytes());
            throw TaskFailure.ofDisk(e, full, "the input cannot be stored");
        }
    }
}
