package touchline.api.jobs;

import java.io.Serial;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import touchline.api.asset.AssetService;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetId;
import touchline.api.domain.AssetOrigin;
import touchline.api.domain.AssetState;
import touchline.packager.clip.ClipCutter;
import touchline.packager.clip.GopReencoder;

/**
 * Stores the progress of a clip: half of the rest after each boundary, or the ranges that are
 * complete. Ends the work if the clip was deleted. One thread, but {@link #behind} is called by
 * any.
 */
final class ClipProgress implements ClipCutter.Progress {
    private final Asset clip;
    private final AssetService assets;
    private final List<AssetOrigin.Cut> ranges;
    private int range;
    private double fraction;

    /** The clip was deleted while it was cut. */
    static final class DeletedException extends RuntimeException {
        @Serial private static final long serialVersionUID = 1;

        DeletedException() {
            super("the clip was deleted");
        }
    }

    /**
     * @param clip of at least one range
     */
    ClipProgress(Asset clip, AssetService assets) {
        this.clip = clip;
        this.assets = assets;
        this.ranges = clip.origin().ranges();
    }

    AssetId clip() {
        return clip.id();
    }

    /** The range that is being cut. */
    AssetOrigin.Cut range() {
        return ranges.get(range);
    }

    /** That range's source, for messages. */
    String source() {
        return ranges.size() == 1 ? "its source" : "ranges[" + range + "]: its source";
    }

    /** The source of a range is read. */
    void reads(int next) {
        range = next;
    }

    @Override
    public void begin(int next) {
        range = next;
        fraction = (double) next / ranges.size();
        if (next > 0) {
            store();
        }
    }

    Optional<GopReencoder.Encoded> behind(Optional<GopReencoder.Encoded> encoded) {
        if (ranges.size() == 1) {
            fraction += (1 - fraction) / 2;
            store();
        }
        return encoded;
    }

    private void store() {
        AssetState before = clip.state();
        boolean stays =
                assets.update(
                        clip.with(
                                new AssetState(
                                        before.status(),
                                        before.live(),
                                        before.durationUs(),
                                        before.sizeBytes(),
                                        OptionalDouble.of(fraction),
                                        before.errors(),
                                        before.finishedAt())));
        if (!stays) {
            throw new DeletedException();
        }
    }
}
