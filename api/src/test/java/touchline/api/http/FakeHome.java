package touchline.api.http;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import touchline.api.domain.AssetId;
import touchline.api.home.HomeOperation;
import touchline.api.home.HomeStatus;
import touchline.api.home.Verification;
import touchline.api.storage.StorageException;

/** Recordings in S3 whose state a test sets. */
final class FakeHome implements HomeOperation {
    static final AssetId ASSET = new AssetId("ast_1");

    HomeStatus status =
            new HomeStatus(
                    7,
                    2,
                    3_000,
                    Optional.of(Instant.ofEpochSecond(1_700_000_000)),
                    11,
                    5_000,
                    /* reachable= */ true,
                    1,
                    List.of(ASSET),
                    /* waitingFrames= */ 3,
                    /* unreadableFrames= */ 0);

    final List<Verification.Finding> findings = new ArrayList<>();
    Optional<StorageException> failure = Optional.empty();

    /** Counted down when a comparison runs. */
    final CountDownLatch begun = new CountDownLatch(1);

    /** A comparison waits for it. */
    CountDownLatch mayEnd = new CountDownLatch(0);

    @Override
    public HomeStatus status() {
        return status;
    }

    @Override
    public Verification.Result verify(boolean orphans, Verification.Report report)
            throws IOException, InterruptedException {
        begun.countDown();
        mayEnd.await();
        report.progress(0, 7);
        for (Verification.Finding each : findings) {
            report.found(each);
        }
        if (failure.isPresent()) {
            throw failure.get();
        }
        return new Verification.Result(7, 40, 4_000, 2, findings.size(), orphans ? 1 : 0);
    }
}
