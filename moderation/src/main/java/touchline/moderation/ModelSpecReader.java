package touchline.moderation;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads {@code model.yaml} strictly. Errors name each unknown key and each invalid value. */
public final class ModelSpecReader {
    /** Name of the file that describes a model. */
    public static final String FILE = "model.yaml";

    private static final int MAX_BYTES = 64 << 10;
    private static final int MAX_CLASSES = 10_000;
    private static final YAMLMapper YAML =
            YAMLMapper.builder()
                    .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
                    .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build();

    private ModelSpecReader() {}

    /**
     * Reads a model folder; does not open the TorchScript file.
     *
     * @throws DetectorException the folder is not a model; the message names every invalid key
     */
    public static ModelFolder read(Path folder) {
        Path file = folder.resolve(FILE);
        try {
            long bytes = Files.size(file);
            if (bytes > MAX_BYTES) {
                throw new DetectorException(
                        "%s: %d bytes (expected: <= %d)".formatted(FILE, bytes, MAX_BYTES));
            }
            ModelFolder model = new ModelFolder(folder, parse(Files.readString(file)));
            if (!Files.isReadable(model.file())) {
                throw new DetectorException(
                        "file: %s cannot be read in the folder".formatted(model.spec().file()));
            }
            return model;
        } catch (IOException e) {
            throw new DetectorException(
                    "%s cannot be read (%s)".formatted(FILE, e.getClass().getSimpleName()), e);
        }
    }

    /**
     * Reads the text of a {@code model.yaml}.
     *
     * @throws DetectorException the text is not valid; the message names every invalid key
     */
    public static ModelSpec parse(String text) {
        JsonNode tree;
        try {
            tree = YAML.readTree(text.getBytes(StandardCharsets.UTF_8));
        } catch (JsonProcessingException e) {
            String place = e.getLocation() == null ? "" : ", line " + e.getLocation().getLineNr();
            throw new DetectorException(FILE + ": not a YAML mapping" + place, e);
        } catch (IOException e) {
            throw new DetectorException(FILE + ": cannot be read", e);
        }
        if (tree == null || !tree.isObject()) {
            throw new DetectorException(FILE + ": not a YAML mapping");
        }
        List<String> problems = new ArrayList<>();
        ModelSpec spec = spec(new SpecFields(tree, "", problems));
        if (!problems.isEmpty()) {
            throw new DetectorException(FILE + ": " + String.join("; ", problems));
        }
        return spec;
    }

    private static ModelSpec spec(SpecFields fields) {
        String visible = "\\P{Cntrl}{1,500}";
        String description = fields.text("description", visible, "a line of text", "");
        String licence = fields.requiredText("licence", visible, "a line of text");
        boolean demo = fields.flag("demo", false);
        String file =
                fields.text(
                        "file",
                        "[A-Za-z0-9][A-Za-z0-9._-]{0,99}",
                        "a file's name in the folder",
                        "model.pt");
        ModelSpec.Input input = input(fields.mapping("input", /* required= */ true));
        List<String> classes = fields.names("classes", 1, MAX_CLASSES);
        ModelSpec.Output output = output(fields);
        Map<AlertType, Set<Integer>> alerts =
                alerts(fields.mapping("alerts", /* required= */ true), classes);
        fields.done();
        return new ModelSpec(
                licence.strip(), demo, file, input, output, classes, alerts, description.strip());
    }

    private static ModelSpec.Input input(SpecFields fields) {
        ModelSpec.Input input =
                new ModelSpec.Input(
                        fields.requiredInteger("width", 16, 4096),
                        fields.requiredInteger("height", 16, 4096),
                        fields.constant(
                                "resize", ModelSpec.Resize.values(), ModelSpec.Resize.LETTERBOX),
                        fields.colours("mean", -1, 1, 0),
                        fields.colours("std", 0.001, 10, 1),
                        fields.integer("max-batch", 1, 256, 256));
        fields.done();
        return input;
    }

    private static ModelSpec.Output output(SpecFields fields) {
        String task = fields.requiredText("task", "classifier|detector", "classifier or detector");
        SpecFields output = fields.mapping("output", /* required= */ false);
        ModelSpec.Output read =
                task.equals("classifier")
                        ? new ModelSpec.Output.Classifier(
                                output.constant(
                                        "activation",
                                        ModelSpec.Activation.values(),
                                        ModelSpec.Activation.SOFTMAX))
                        : new ModelSpec.Output.Boxes(
                                output.constant(
                                        "layout",
                                        ModelSpec.Layout.values(),
                                        ModelSpec.Layout.YOLOV8),
                                output.number("nms-overlap", 0, 1, 0.45));
        output.done();
        return read;
    }

    private static Map<AlertType, Set<Integer>> alerts(SpecFields fields, List<String> classes) {
        Map<AlertType, Set<Integer>> alerts = new EnumMap<>(AlertType.class);
        for (AlertType type : AlertType.values()) {
            if (!fields.has(type.wireName())) {
                continue;
            }
            Set<Integer> indexes = new HashSet<>();
            for (String name : fields.names(type.wireName(), 1, MAX_CLASSES)) {
                int index = classes.indexOf(name);
                if (index < 0) {
                    fields.note(type.wireName(), "'" + name + "' is not among the classes");
                }
                indexes.add(index);
            }
            alerts.put(type, Set.copyOf(indexes));
        }
        fields.done();
        if (alerts.isEmpty()) {
            fields.note("nude", "missing, as is weapon (expected: at least one of them)");
        }
        return alerts;
    }
}
