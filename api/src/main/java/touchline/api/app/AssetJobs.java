package touchline.api.app;

import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import touchline.api.db.AssetRepository;
import touchline.api.db.Database;
import touchline.api.jobs.ClipCutting;
import touchline.api.jobs.Jobs;
import touchline.api.jobs.WorkerLaunch;
import touchline.api.jobs.WorkerLimits;
import touchline.api.jobs.WorkerPool;
import touchline.api.session.AssetKeeper;
import touchline.api.session.ClipJobs;
import touchline.config.ServerConfig;
import touchline.media.ffmpeg.EncoderCapabilities;
import touchline.media.ffmpeg.Ffmpeg;
import touchline.media.ffmpeg.H264Encoder;
import touchline.media.ffmpeg.PictureRecoder;

/** What is done with assets behind live work: rooms of the server, built and closed with it. */
final class AssetJobs implements AutoCloseable {
    private final WorkerPool workers;
    private final ClipCutting clips;

    AssetJobs(ServerConfig config, Database database, AssetKeeper assets, Jobs jobs, Path dataDir) {
        Path work = DataFolder.emptyWork(dataDir);
        workers =
                new WorkerPool(
                        WorkerLaunch.likeThisJvm(
                                Main.class.getName(), work, WorkerLimits.DEFAULTS));
        AssetRepository repository = new AssetRepository(database);
        clips =
                new ClipCutting(
                        new ClipCutting.Rooms(
                                assets,
                                repository,
                                workers,
                                () -> clipEncoder(config.encoder().video()),
                                Clock.systemUTC()),
                        jobs,
                        config.jobs().clips());
    }

    /** What an earlier server has not finished; before jobs are run. */
    void start() {
        clips.start();
    }

    ClipJobs clips() {
        return clips;
    }

    @Override
    public void close() {
        workers.close();
    }

    /**
     * For pictures at a clip's edges: one that can number its parameter sets, whatever is best for
     * live work; but none beside the one that the configuration names.
     */
    private static Optional<H264Encoder> clipEncoder(String configured) {
        EncoderCapabilities here = Ffmpeg.encoders();
        if (configured.equals(H264Encoder.OPENH264.configName())) {
            return Optional.empty();
        }
        return here.usable().stream().filter(PictureRecoder::canNumberParameterSets).findFirst();
    }
}
