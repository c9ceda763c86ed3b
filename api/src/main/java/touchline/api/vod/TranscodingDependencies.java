package touchline.api.vod;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.function.Supplier;
import touchline.api.asset.AssetService;
import touchline.api.db.Database;
import touchline.api.db.StorageRepository;
import touchline.api.db.TranscodingRepository;
import touchline.api.egress.Egress;
import touchline.api.storage.ObjectStorages;
import touchline.media.transcode.FileEncoding;
import touchline.media.worker.WorkerPool;

/**
 * All borrowed.
 *
 * @param work folder for downloaded inputs and encoded outputs; emptied at the start
 * @param limitsInForce asked when a step begins
 * @param encoding called for each task, on its thread
 */
public record TranscodingDependencies(
        Database database,
        TranscodingRepository repository,
        StorageRepository storages,
        AssetService assets,
        Egress egress,
        ObjectStorages stores,
        WorkerPool workers,
        Path work,
        Supplier<FileEncoding> encoding,
        Supplier<TranscodingLimits> limitsInForce,
        InstantSource clock) {
    /** The limits that hold now. */
    TranscodingLimits limits() {
        return limitsInForce.get();
    }
}
