package touchline.api.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import touchline.media.transcode.FileFormat;
import touchline.media.transcode.TranscodeRequest;

/** Reads the outputs of a transcoding request. Stateless. */
final class TaskFields {
    static final int MAX_OUTPUTS = 16;

    private static final String RENDITIONS = "renditions";
    private static final int MAX_NAME_BYTES = 128;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,127}");

    private TaskFields() {}

    /**
     * @param fileName of the file that a player opens
     */
    record Output(TranscodeRequest request, String fileName) {}

    /** Reports problems to the body; the result is valid without problems only. */
    static List<Output> read(JsonFields body) {
        body.require("outputs");
        List<JsonFields> elements = body.objects("outputs");
        int count = body.array("outputs").map(ArrayNode::size).orElse(0);
        if (body.has("outputs") && (count < 1 || count > MAX_OUTPUTS)) {
            body.problems()
                    .invalid("outputs", count + " elements (expected: 1 to " + MAX_OUTPUTS + ")");
            return List.of();
        }
        List<Output> outputs = new ArrayList<>(count);
        elements.forEach(element -> output(element).ifPresent(outputs::add));
        return outputs;
    }

    private static Optional<Output> output(JsonFields element) {
        element.require("format");
        Optional<FileFormat> format =
                element.constant(
                        "format",
                        name ->
                                List.of(FileFormat.values()).stream()
                                        .filter(each -> each.wireName().equals(name))
                                        .findFirst(),
                        FileFormat.values(),
                        FileFormat::wireName);
        OptionalInt video =
                element.integer(
                        "video_bitrate",
                        TranscodeRequest.MIN_VIDEO_BPS,
                        TranscodeRequest.MAX_VIDEO_BPS);
        OptionalInt audio =
                element.integer(
                        "audio_bitrate",
                        TranscodeRequest.MIN_AUDIO_BPS,
                        TranscodeRequest.MAX_AUDIO_BPS);
        // Also with an unknown format: all bad fields are reported at once.
        Optional<List<Integer>> heights =
                heights(element, format.map(FileFormat::takesLadder).orElse(true));
        Optional<Boolean> renditions = renditions(element, format);
        Optional<String> name = format.flatMap(known -> fileName(element, known));
        return format.isEmpty() || heights.isEmpty() || renditions.isEmpty() || name.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new Output(
                                new TranscodeRequest(
                                        format.get(),
                                        heights.get(),
                                        video,
                                        audio,
                                        renditions.get()),
                                name.get()));
    }

    /** Empty if it is invalid; then the problem is reported. */
    private static Optional<Boolean> renditions(JsonFields element, Optional<FileFormat> format) {
        if (!element.has(RENDITIONS)) {
            return Optional.of(false);
        }
        Optional<Boolean> given = element.flag(RENDITIONS);
        if (given.isEmpty() || !given.get()) {
            return given;
        }
        String path = element.pathOf(RENDITIONS);
        if (!format.map(FileFormat::takesRenditions).orElse(true)) {
            element.problems().invalid(path, "true (expected: false, unless the format is hls)");
            return Optional.empty();
        }
        if (element.has("height")) {
            element.problems().invalid(path, "true (expected: false, or no height)");
            return Optional.empty();
        }
        return given;
    }

    /** One height, or several for a ladder; odd ones become even. */
    private static Optional<List<Integer>> heights(JsonFields element, boolean ladder) {
        Optional<JsonNode> given = element.any("height");
        if (given.isEmpty()) {
            return element.has("height") ? Optional.empty() : Optional.of(List.of());
        }
        List<JsonNode> nodes = new ArrayList<>();
        if (given.get() instanceof ArrayNode several) {
            several.forEach(nodes::add);
            if (!ladder || nodes.isEmpty() || nodes.size() > TranscodeRequest.MAX_HEIGHTS) {
                element.problems()
                        .invalid(
                                element.pathOf("height"),
                                "an array (expected: one integer, or 1 to "
                                        + TranscodeRequest.MAX_HEIGHTS
                                        + " of them for hls and dash)");
                return Optional.empty();
            }
        } else {
            nodes.add(given.get());
        }
        List<Integer> heights = new ArrayList<>();
        for (JsonNode node : nodes) {
            double value = node.isNumber() ? node.doubleValue() : Double.NaN;
            boolean good =
                    value == Math.rint(value)
                            && value >= TranscodeRequest.MIN_HEIGHT
                            && value <= TranscodeRequest.MAX_HEIGHT;
            if (!good) {
                element.problems()
                        .invalid(
                                element.pathOf("height"),
                                "not accepted (expected: an integer, %d to %d)"
                                        .formatted(
                                                TranscodeRequest.MIN_HEIGHT,
                                                TranscodeRequest.MAX_HEIGHT));
                return Optional.empty();
            }
            int height = (int) value;
            heights.add(height - height % 2);
        }
        return Optional.of(heights.stream().distinct().toList());
    }

    /** Players and browsers recognise a file by its extension. */
    private static Optional<String> fileName(JsonFields element, FileFormat format) {
        if (!element.has("filename")) {
            return Optional.of(format.entryName());
        }
        String ending = format.entryName().substring(format.entryName().lastIndexOf('.'));
        Optional<String> name = element.text("filename", MAX_NAME_BYTES);
        if (name.isPresent()
                && !(NAME.matcher(name.get()).matches()
                        && name.get().endsWith(ending)
                        && name.get().length() > ending.length())) {
            element.problems()
                    .invalid(
                            element.pathOf("filename"),
                            "malformed (expected: letters, digits, . _ - and the ending "
                                    + ending
                                    + ")");
            return Optional.empty();
        }
        return name;
    }
}
