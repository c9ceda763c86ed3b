package touchline.api.vod;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.function.Supplier;
import touchline.api.db.Database;
import touchline.api.db.StorageRepository;
import touchline.api.db.TranscodingRepository;
import touchline.api.egress.Egress;
import touchline.api.jobs.WorkerPool;
import touchline.api.session.AssetService;
import touchline.api.storage.ObjectStorages;
import touchline.media.ffmpeg.FileEncoding;

/**
 * All borrowed.
 *
 * @param work folder for downloaded inputs and encoded outputs; emptied at the start
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
        TranscodingLimits limits,
        InstantSource clock) {}
