package touchline.api.asset;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.db.DatabaseException;
import touchline.api.db.Epoch;
import touchline.api.db.FencedException;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetId;
import touchline.api.domain.AssetOrigin;
import touchline.api.domain.AssetState;
import touchline.api.domain.AssetStatus;
import touchline.media.SessionId;

/**
 * The recording of a session that goes on at this node: what its former node has brought into the
 * store becomes the beginning of a folder here, then one update of the row makes the asset this
 * node's. So the former node changes neither row nor index any more, also if it was only frozen.
 *
 * <p>{@link #prepare} comes first, then {@link #take}, or {@link #discard} instead. Blocks; one
 * thread at a time.
 */
public final class RecordingTakeover {
    private static final Logger log = LoggerFactory.getLogger(RecordingTakeover.class);

    /**
     * If the store lacks more than this, the recording does not go on: the disk of its node has the
     * rest, and may come back with it.
     */
    private static final Duration MOST_MISSING = Duration.ofMinutes(2);

    private static final int TRIES = 3;

    private final AssetId id;
    private final SessionId session;
    private final Epoch epoch;
    private final AssetService.Dependencies parts;
    private final Function<Asset, RecordingAsset> reopened;

    /** As it goes on; null before it is prepared. Volatile: another thread takes it. */
    private volatile @Nullable Asset prepared;

    /** Whether the folder here may have been made. Volatile: see above. */
    private volatile boolean begun;

    /**
     * @param reopened begins to record an asset whose row and folder are there
     */
    RecordingTakeover(
            AssetId id,
            SessionId session,
            Epoch epoch,
            AssetService.Dependencies parts,
            Function<Asset, RecordingAsset> reopened) {
        this.id = id;
        this.session = session;
        this.epoch = epoch;
        this.parts = parts;
        this.reopened = reopened;
    }

    public AssetId id() {
        return id;
    }

    /** How long {@link #prepare} may take before the session begins another asset. */
    public Duration continueWithin() {
        return files().continueWithin();
    }

    /** Makes the folder from what is in the store; false if the recording does not go on here. */
    public boolean prepare() {
        try {
            Optional<Asset> found = parts.repository().find(id).filter(this::isRunning);
            if (found.isEmpty()) {
                return false;
            }
            begun = true;
            Optional<AssetFiles.Rebuilt> rebuilt = files().reopen(id);
            if (rebuilt.isEmpty() || lacksMuch(found.get(), rebuilt.get())) {
                return false;
            }
            prepared = found.get().with(running(found.get(), rebuilt.get()));
            return true;
        } catch (IOException | RuntimeException e) {
            log.warn("asset={} does not go on here: {}", id, e.toString());
            return false;
        }
    }

    private boolean isRunning(Asset asset) {
        return asset.state().live()
                && asset.origin() instanceof AssetOrigin.Recorded(var of, _)
                && of.equals(session);
    }

    private static boolean lacksMuch(Asset asset, AssetFiles.Rebuilt rebuilt) {
        long missingUs = asset.state().durationUs() - rebuilt.durationUs();
        boolean much = missingUs > MOST_MISSING.toNanos() / 1_000;
        if (much) {
            log.warn(
                    "asset={} does not go on here: S3 lacks {} s of it",
                    asset.id(),
                    missingUs / 1_000_000);
        }
        return much;
    }

    private static AssetState running(Asset asset, AssetFiles.Rebuilt rebuilt) {
        return new AssetState(
                AssetStatus.READY,
                /* live= */ true,
                rebuilt.durationUs(),
                rebuilt.sizeBytes(),
                OptionalDouble.empty(),
                asset.state().errors(),
                Optional.empty());
    }

    /**
     * Goes on with the prepared recording.
     *
     * @return receives the recorder's progress; empty if the recording does not go on here
     */
    public Optional<RecordingAsset> take() {
        Asset asset = prepared;
        if (asset == null) {
            return Optional.empty();
        }
        try {
            if (!isTaken()) {
                return Optional.empty();
            }
            parts.folders().markContinued(id);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (IOException | RuntimeException e) {
            log.warn("asset={} does not go on here: {}", id, e.toString());
            return Optional.empty();
        }
        log.info(
                "asset={} goes on here behind {} ms of another node",
                id,
                asset.state().durationUs() / 1_000);
        return Optional.of(reopened.apply(asset));
    }

    /** The end of the taken part, in microseconds of asset time: what follows begins there. */
    public long durationUs() {
        Asset asset = prepared;
        return asset == null ? 0 : asset.state().durationUs();
    }

    /** A failed try may have been committed, so it is repeated. */
    private boolean isTaken() throws InterruptedException {
        for (int tries = 1; ; tries++) {
            try {
                return files().takeOver(id, session, epoch);
            } catch (FencedException e) {
                throw e;
            } catch (DatabaseException e) {
                if (tries == TRIES
                        || parts.stopping()
                                .await(parts.pause().toMillis(), TimeUnit.MILLISECONDS)) {
                    throw e;
                }
            }
        }
    }

    /** Removes what was prepared, and is not taken. */
    public void discard() {
        if (begun) {
            files().discard(id);
        }
    }

    private AssetFiles files() {
        return parts.playbackIds().files();
    }
}
