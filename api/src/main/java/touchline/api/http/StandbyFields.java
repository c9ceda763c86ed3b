package touchline.api.http;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import touchline.api.view.StandbyView;
import touchline.media.hub.StandbySettings;

/** Reads {@code standby} of a live stream. */
final class StandbyFields {
    static final String NAME = "standby";

    private static final String IMAGE = "image_id";
    private static final int MAX_ID_BYTES = 64;
    private static final double MS = 1_000;

    private StandbyFields() {}

    /** The requested change; absent fields change nothing. */
    static UnaryOperator<StandbySettings> change(JsonFields body) {
        if (body.takesBack(NAME)) {
            return _ -> StandbySettings.NONE;
        }
        return body.object(NAME).map(StandbyFields::read).orElse(UnaryOperator.identity());
    }

    /** Reports an image that does not exist. */
    static void checkImage(Problems problems, StandbySettings wanted, Predicate<String> exists) {
        if (wanted.image().filter(exists.negate()).isPresent()) {
            problems.invalid(
                    NAME + "." + IMAGE,
                    "no such image (expected: an image_id of POST " + ImageRoutes.IMAGES + ")");
        }
    }

    private static UnaryOperator<StandbySettings> read(JsonFields fields) {
        StandbySettings defaults = StandbySettings.NONE;
        Optional<StandbySettings.Mode> mode =
                fields.orDefault(
                        "mode",
                        defaults.mode(),
                        it ->
                                fields.constant(
                                        it,
                                        StandbyView::mode,
                                        StandbySettings.Mode.values(),
                                        StandbyView::name));
        Optional<Duration> after =
                fields.orDefault("after", defaults.after(), it -> after(fields, it));
        return before ->
                new StandbySettings(
                        mode.orElse(before.mode()),
                        after.orElse(before.after()),
                        fields.merged(IMAGE, before.image(), it -> fields.text(it, MAX_ID_BYTES)),
                        /* title= */ "");
    }

    private static Optional<Duration> after(JsonFields fields, String name) {
        return fields
                .number(
                        name,
                        StandbySettings.MIN_AFTER.toMillis() / MS,
                        StandbySettings.MAX_AFTER.toMillis() / MS)
                .stream()
                .mapToObj(seconds -> Duration.ofMillis(Math.round(seconds * MS)))
                .findFirst();
    }
}
