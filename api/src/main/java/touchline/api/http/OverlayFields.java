package touchline.api.http;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import touchline.api.domain.OverlaySettings;

/** Reads {@code overlay_settings}, merges them over the stored ones, and compares two of them. */
final class OverlayFields {
    static final String NAME = "overlay_settings";

    private static final Pattern PERCENT = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,6})?)%");
    private static final int MAX_BYTES = 64;
    private static final List<String> VERTICAL = List.of("top", "middle", "center", "bottom");
    private static final List<String> HORIZONTAL = List.of("left", "center", "right");

    private OverlayFields() {}

    /** An absent field keeps its value. So does an invalid one, which is reported. */
    static OverlaySettings merged(JsonFields fields, OverlaySettings before) {
        return new OverlaySettings(
                percent(fields, "width", /* zero= */ false, before.width()),
                percent(fields, "height", /* zero= */ false, before.height()),
                align(fields, "vertical_align", VERTICAL, before.verticalAlign()),
                align(fields, "horizontal_align", HORIZONTAL, before.horizontalAlign()),
                percent(fields, "opacity", /* zero= */ true, before.opacity()),
                percent(fields, "vertical_margin", /* zero= */ true, before.verticalMargin()),
                percent(fields, "horizontal_margin", /* zero= */ true, before.horizontalMargin()));
    }

    /** Whether both mean the same overlay, even if they are written differently. */
    static boolean sameLook(OverlaySettings a, OverlaySettings b) {
        return look(a).equals(look(b));
    }

    private static Map<String, String> look(OverlaySettings settings) {
        String vertical = settings.verticalAlign().orElse("top");
        return Map.of(
                "width", settings.width().map(OverlayFields::number).orElse("aspect"),
                "height", settings.height().map(OverlayFields::number).orElse("aspect"),
                "vertical_align", vertical.equals("center") ? "middle" : vertical,
                "horizontal_align", settings.horizontalAlign().orElse("left"),
                "opacity", number(settings.opacity().orElse("100%")),
                "vertical_margin", number(settings.verticalMargin().orElse("0%")),
                "horizontal_margin", number(settings.horizontalMargin().orElse("0%")));
    }

    private static String number(String percent) {
        return Double.toString(value(percent));
    }

    private static double value(String percent) {
        return Double.parseDouble(percent.substring(0, percent.length() - 1));
    }

    private static Optional<String> percent(
            JsonFields fields, String name, boolean zero, Optional<String> before) {
        return fields.merged(name, before, it -> percent(fields, it, zero));
    }

    private static Optional<String> align(
            JsonFields fields, String name, List<String> allowed, Optional<String> before) {
        return fields.merged(name, before, it -> align(fields, it, allowed));
    }

    private static Optional<String> percent(JsonFields fields, String name, boolean zero) {
        Optional<String> text = fields.text(name, MAX_BYTES);
        if (text.isEmpty()) {
            return text;
        }
        boolean good = PERCENT.matcher(text.get()).matches();
        double value = good ? value(text.get()) : -1;
        if (value > 100 || value < 0 || (value == 0 && !zero)) {
            fields.problems()
                    .invalid(
                            fields.pathOf(name),
                            "not accepted (expected: a percentage such as 25%, "
                                    + (zero ? "0% to 100%)" : "above 0%, at most 100%)"));
            return Optional.empty();
        }
        return text;
    }

    private static Optional<String> align(JsonFields fields, String name, List<String> allowed) {
        Optional<String> text = fields.text(name, MAX_BYTES);
        if (text.isPresent() && !allowed.contains(text.get())) {
            fields.problems()
                    .invalid(
                            fields.pathOf(name),
                            "unknown value (expected: one of " + String.join(", ", allowed) + ")");
            return Optional.empty();
        }
        return text;
    }
}
