package touchline.api.http;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import touchline.api.domain.Asset;
import touchline.api.domain.AssetOrigin;
import touchline.api.view.AssetView;

/**
 * A range of an asset as a request names it. Immutable.
 *
 * @param asset as given, which may be no id at all
 * @param startUs less than the end
 * @param fields of the request, for problems
 */
record ClipRange(String asset, long startUs, long endUs, JsonFields fields) {
    static final String ASSET = "asset_id";
    private static final String START = "start_time";
    private static final String END = "end_time";

    /** All fields. */
    static final List<String> NAMES = List.of(ASSET, START, END);

    private static final int MAX_ID_BYTES = 64;

    /** An end this far behind the asset's end is that end: clients round durations up. */
    private static final long END_TOLERANCE_US = 1_000_000;

    /** Empty if a field is missing or invalid, which is reported. */
    static Optional<ClipRange> read(JsonFields fields) {
        NAMES.forEach(fields::require);
        Optional<String> asset = fields.text(ASSET, MAX_ID_BYTES);
        OptionalLong startUs = fields.secondsUs(START);
        OptionalLong endUs = fields.secondsUs(END);
        if (asset.isEmpty() || startUs.isEmpty() || endUs.isEmpty()) {
            reportOrder(fields, startUs, endUs);
            return Optional.empty();
        }
        return reportOrder(fields, startUs, endUs)
                ? Optional.empty()
                : Optional.of(
                        new ClipRange(asset.get(), startUs.getAsLong(), endUs.getAsLong(), fields));
    }

    /** Whether the end is not behind the start. */
    private static boolean reportOrder(
            JsonFields fields, OptionalLong startUs, OptionalLong endUs) {
        boolean isReversed =
                startUs.isPresent()
                        && endUs.isPresent()
                        && startUs.getAsLong() >= endUs.getAsLong();
        if (isReversed) {
            fields.problems()
                    .invalid(fields.pathOf(END), "not behind start_time (expected: greater)");
        }
        return isReversed;
    }

    /** Path of the asset's id in the request. */
    String assetField() {
        return fields.pathOf(ASSET);
    }

    /**
     * The range within its asset, up to the asset's end at most. Reports one that leaves it.
     *
     * @param source ready
     */
    AssetOrigin.Cut cut(Asset source, Problems problems) {
        long sourceUs = source.state().durationUs();
        if (endUs > sourceUs + END_TOLERANCE_US) {
            problems.invalid(
                    fields.pathOf(END),
                    "beyond the end of the asset (expected: at most "
                            + AssetView.seconds(sourceUs)
                            + ")");
        }
        if (startUs >= sourceUs) {
            problems.invalid(
                    fields.pathOf(START),
                    "not before the end of the asset (expected: less than "
                            + AssetView.seconds(sourceUs)
                            + ")");
        }
        long cutUs = startUs < sourceUs ? Math.min(endUs, sourceUs) : endUs;
        return new AssetOrigin.Cut(source.id(), startUs, cutUs);
    }
}
