package touchline.api.jobs;

import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.asset.AssetFixture;
import touchline.api.asset.StoredElsewhere;
import touchline.media.worker.WorkerIsolation;
import touchline.media.worker.WorkerLaunch;
import touchline.media.worker.WorkerLimits;
import touchline.media.worker.WorkerPool;
import touchline.testing.LogLines;

/** What jobs of assets need. No worker process can be started. */
abstract class AssetJobsFixture {
    @TempDir Path root;

    AssetFixture room;
    Jobs jobs;
    WorkerPool workers;
    final LogLines log;
    final StoredElsewhere store = new StoredElsewhere();
    long leastFreeBytes;

    /**
     * @param logger whose lines are kept
     */
    AssetJobsFixture(Class<?> logger) {
        log = LogLines.of(logger);
    }

    @BeforeEach
    void open() {
        room = new AssetFixture(root);
        jobs = new Jobs(room.database(), Clock.systemUTC());
        workers =
                new WorkerPool(
                        WorkerLaunch.likeThisJvm("none", root, WorkerLimits.DEFAULTS),
                        WorkerIsolation::withoutSandbox);
    }

    @AfterEach
    void close() {
        log.close();
        jobs.close();
        workers.close();
        room.close();
    }
}
