package touchline.api.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import touchline.api.view.RenditionsView;
import touchline.media.rendition.RenditionSettings;
import touchline.media.rendition.RenditionSettings.Rendition;

/** Reads {@code renditions} of a live stream: {@code "auto"} or a list. */
final class RenditionFields {
    static final String NAME = "renditions";

    private static final String EXPECTED =
            " (expected: \"auto\", or a list of at most %d {height, video_bitrate?, frame_rate?})"
                    .formatted(RenditionSettings.MAX_RENDITIONS);

    private RenditionFields() {}

    /** Empty if the field is absent or invalid; then the problems are reported. */
    static Optional<RenditionSettings> read(JsonFields body) {
        Optional<JsonNode> given = body.any(NAME);
        if (given.isEmpty()) {
            return Optional.empty();
        }
        JsonNode node = given.get();
        if (node.isTextual() && node.textValue().equals(RenditionsView.AUTO)) {
            return Optional.of(RenditionSettings.AUTO);
        }
        if (!node.isArray()) {
            String found = node.isTextual() ? "unknown value" : JsonFields.described(node);
            body.problems().invalid(body.pathOf(NAME), found + EXPECTED);
            return Optional.empty();
        }
        if (node.size() > RenditionSettings.MAX_RENDITIONS) {
            body.problems().invalid(body.pathOf(NAME), node.size() + " renditions" + EXPECTED);
            return Optional.empty();
        }
        List<Rendition> renditions = new ArrayList<>();
        Set<Integer> heights = new HashSet<>();
        List<JsonFields> all = body.objects(NAME);
        for (JsonFields each : all) {
            rendition(each, heights).ifPresent(renditions::add);
        }
        return renditions.size() == node.size()
                ? Optional.of(new RenditionSettings(/* auto= */ false, renditions))
                : Optional.empty();
    }

    private static Optional<Rendition> rendition(JsonFields fields, Set<Integer> heights) {
        fields.require("height");
        OptionalInt height = fields.integer("height", Rendition.MIN_HEIGHT, Rendition.MAX_HEIGHT);
        OptionalInt bitrate =
                fields.integer(
                        "video_bitrate", Rendition.MIN_BITRATE_BPS, Rendition.MAX_BITRATE_BPS);
        OptionalDouble frameRate =
                fields.number("frame_rate", Rendition.MIN_FRAME_RATE, Rendition.MAX_FRAME_RATE);
        boolean valid =
                height.isPresent()
                        && (bitrate.isPresent() || !fields.hasValue("video_bitrate"))
                        && (frameRate.isPresent() || !fields.hasValue("frame_rate"));
        if (!valid) {
            return Optional.empty();
        }
        if (height.getAsInt() % 2 != 0) {
            fields.problems()
                    .invalid(
                            fields.pathOf("height"),
                            height.getAsInt() + " (expected: an even number)");
            return Optional.empty();
        }
        if (!heights.add(height.getAsInt())) {
            fields.problems()
                    .invalid(fields.pathOf("height"), height.getAsInt() + " is given twice");
            return Optional.empty();
        }
        return Optional.of(
                new Rendition(height.getAsInt(), bitrate.orElse(0), frameRate.orElse(0)));
    }
}
