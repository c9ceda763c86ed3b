package touchline.api.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import touchline.config.ServerConfig;
import touchline.moderation.AlertType;
import touchline.moderation.DetectorException;
import touchline.moderation.ModelFolder;
import touchline.moderation.ModelSpecReader;

/** Checks of optional tools: browser, graphics card, libtorch, models. One thread. */
final class ToolChecks {
    private final ServerConfig config;
    private final Map<String, String> environment;
    private final BrowserCheck.Probe browser;
    private final GpuChecks.Tested gpu;

    ToolChecks(
            ServerConfig config,
            Map<String, String> environment,
            BrowserCheck.Probe browser,
            GpuChecks.Tested gpu) {
        this.config = config;
        this.gpu = gpu;
        this.browser = browser;
        this.environment = Map.copyOf(environment);
    }

    List<Finding> run() {
        List<Finding> findings = new ArrayList<>();
        findings.add(new BrowserCheck(config.overlay(), browser).finding());
        findings.addAll(new GpuChecks(config, environment, gpu).run());
        findings.add(models());
        return findings;
    }

    /** Reads the descriptions in the model folders; {@code model check} tests a model. */
    private Finding models() {
        Path folder = config.moderation().modelsDir();
        List<String> found = new ArrayList<>();
        List<String> broken = new ArrayList<>();
        boolean used = false;
        try (Stream<Path> entries = Files.list(folder)) {
            for (Path path : entries.filter(Files::isDirectory).sorted().toList()) {
                try {
                    ModelFolder model = ModelSpecReader.read(path);
                    used |= !model.spec().demo() || config.moderation().demoModels();
                    found.add(described(model));
                } catch (DetectorException e) {
                    broken.add(path.getFileName() + " (" + e.reason() + ")");
                }
            }
        } catch (IOException _) {
            return Finding.warn(
                    "models",
                    folder + " cannot be read",
                    "streams are not moderated without models: set moderation.models-dir");
        }
        if (!broken.isEmpty()) {
            return Finding.warn(
                    "models",
                    "broken in %s: %s".formatted(folder, String.join(", ", broken)),
                    "`./touchline model check DIR` reports details; docs/models.md describes the"
                            + " format");
        }
        String all = "%s: %s".formatted(folder, String.join(", ", found));
        return used
                ? Finding.ok("models", all)
                : Finding.warn(
                        "models",
                        found.isEmpty() ? "none in " + folder : all,
                        "streams are not moderated without models: see docs/models.md");
    }

    private String described(ModelFolder model) {
        String serves =
                model.spec().serves().stream()
                        .map(AlertType::wireName)
                        .sorted()
                        .collect(Collectors.joining(" and "));
        String demo =
                !model.spec().demo()
                        ? ""
                        : config.moderation().demoModels() ? ", a demo" : ", a demo: not used";
        return "%s (%s%s)".formatted(model.name(), serves, demo);
    }
}
