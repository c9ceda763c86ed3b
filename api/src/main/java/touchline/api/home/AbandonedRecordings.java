package touchline.api.home;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.db.AbandonedAssets;
import touchline.api.db.AbandonedAssets.Abandoned;
import touchline.api.domain.AssetId;

/**
 * Finishes recordings of nodes that are gone, from S3. A conditional update of its row makes an
 * asset this node's; from then on it is finished and uploaded as if it had been recorded here. So
 * no other node has to know, and after a kill this node's next start, or another node, goes on.
 *
 * <p>One that was finished already, but not uploaded to its end, would lose that end. It is taken
 * only if nothing is missing, or when its node has been gone for {@value #PATIENCE} times as long.
 * Blocks; one thread.
 */
final class AbandonedRecordings {
    private static final Logger log = LoggerFactory.getLogger(AbandonedRecordings.class);
    private static final int AT_ONCE = 200;
    private static final int PATIENCE = 12;

    /** A recovered recording may lack what its row has rounded. */
    private static final long TOLERATED_US = 1_000_000;

    private final AbandonedAssets rows;
    private final RecordingRebuild rebuild;
    private final RecordingHome.Finishing finishing;
    private final HomeCounters counters;
    private final Duration after;
    private final BooleanSupplier stopping;

    /** Taken, and not finished yet. */
    private final Set<AssetId> taken = new LinkedHashSet<>();

    /**
     * @param after how long a node must be gone
     * @param stopping whether a long run should end
     */
    AbandonedRecordings(
            AbandonedAssets rows,
            RecordingRebuild rebuild,
            RecordingHome.Finishing finishing,
            HomeCounters counters,
            Duration after,
            BooleanSupplier stopping) {
        this.rows = rows;
        this.rebuild = rebuild;
        this.finishing = finishing;
        this.counters = counters;
        this.after = after;
        this.stopping = stopping;
    }

    /** Finishes all that there are. What fails is tried again by a later call. */
    void look() {
        for (AssetId asset : Set.copyOf(taken)) {
            finish(asset);
        }
        for (Abandoned asset : rows.list(after, AT_ONCE)) {
            if (stopping.getAsBoolean()) {
                return;
            }
            if (isWorthIt(asset) && rows.take(asset, after)) {
                log.warn(
                        "asset={} is finished here: its node {} is gone for {} s",
                        asset.id(),
                        asset.home(),
                        asset.goneFor().toSeconds());
                taken.add(asset.id());
                finish(asset.id());
            }
        }
    }

    private boolean isWorthIt(Abandoned asset) {
        RebuildPlan plan;
        try {
            plan = rebuild.plan(asset.id());
        } catch (IOException e) {
            log.warn(
                    "asset={} of node {}, which is gone, is not read: {}",
                    asset.id(),
                    asset.home(),
                    e.getMessage());
            return false;
        }
        if (plan.isEmpty()) {
            return false;
        }
        return asset.live()
                || plan.durationUs() + TOLERATED_US >= asset.durationUs()
                || asset.goneFor().compareTo(after.multipliedBy(PATIENCE)) >= 0;
    }

    private void finish(AssetId asset) {
        try {
            finishing.finish(asset);
        } catch (IOException e) {
            log.warn("asset={} is not finished yet: {}", asset, e.getMessage());
            return;
        }
        counters.finished();
        taken.remove(asset);
    }
}
