package touchline.api.domain;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The changing part of an asset. Immutable.
 *
 * @param live whether it is being recorded
 * @param durationUs of the stored media; of a clip that is being cut, its final duration
 * @param sizeBytes on the disk
 * @param progress of a clip's cutting, 0 to 1
 * @param errors oldest first; a playable asset may have some, for instance when the disk was full
 * @param finishedAt cut to milliseconds; empty while it is recorded or cut
 */
public record AssetState(
        AssetStatus status,
        boolean live,
        long durationUs,
        long sizeBytes,
        OptionalDouble progress,
        List<AssetError> errors,
        Optional<Instant> finishedAt) {
    /** A recording that starts now, without stored media. */
    public static final AssetState RECORDING =
            new AssetState(
                    AssetStatus.PREPARING,
                    /* live= */ true,
                    0,
                    0,
                    OptionalDouble.empty(),
                    List.of(),
                    Optional.empty());

    public AssetState {
        errors = List.copyOf(errors);
        finishedAt = finishedAt.map(at -> at.truncatedTo(ChronoUnit.MILLIS));
    }

    /** A clip that waits to be cut. */
    public static AssetState cutting(long durationUs) {
        return new AssetState(
                AssetStatus.PREPARING,
                /* live= */ false,
                durationUs,
                0,
                OptionalDouble.of(0),
                List.of(),
                Optional.empty());
    }

    /** Complete and playable. */
    public static AssetState finished(
            long durationUs, long sizeBytes, List<AssetError> errors, Instant at) {
        return new AssetState(
                AssetStatus.READY,
                /* live= */ false,
                durationUs,
                sizeBytes,
                OptionalDouble.empty(),
                errors,
                Optional.of(at));
    }

    /** Nothing that can be played. */
    public static AssetState failed(List<AssetError> errors, Instant at) {
        return new AssetState(
                AssetStatus.ERRORED,
                /* live= */ false,
                0,
                0,
                OptionalDouble.empty(),
                errors,
                Optional.of(at));
    }
}
