package touchline.api.app;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import touchline.moderation.AlertType;
import touchline.moderation.Detection;
import touchline.moderation.DetectorException;
import touchline.moderation.ModelSpec;
import touchline.moderation.djl.DjlLoader;
import touchline.moderation.djl.ModelCheck;

/** {@code model}: lists the server's models, or tests a new one. */
@Command(name = "model", description = "Lists the server's moderation models, or tests one.")
final class ModelCommand {
    private static final String PATH = "/audit/v1/models";

    @Mixin private ServerOption server = new ServerOption();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Command(name = "list", description = "Lists the models of the running server.")
    int list() {
        String format = "%-24s %-14s %-8s %s";
        PrintWriter out = spec.commandLine().getOut();
        try (ApiClient client = server.client()) {
            out.println(format.formatted("NAME", "SERVES", "STATE", "LICENCE"));
            for (JsonNode model : client.get(PATH).path("data")) {
                StringBuilder serves = new StringBuilder();
                for (JsonNode type : model.path("alert_types")) {
                    serves.append(serves.isEmpty() ? "" : ",").append(type.asText());
                }
                String note = model.path("demo").asBoolean() ? " (a demo, no moderation)" : "";
                String line =
                        format.formatted(
                                model.path("name").asText(),
                                serves,
                                model.path("state").asText(),
                                model.path("licence").asText() + note);
                out.println(line.stripTrailing());
                if (model.path("reason").isTextual()) {
                    out.printf("%26s-> %s%n", "", model.path("reason").asText());
                }
            }
        }
        out.flush();
        return 0;
    }

    /** Tests a model in this process, without a server; exit code 1 if it fails. */
    @Command(name = "check", description = "Loads a model folder and runs it on sample frames.")
    int check(@Parameters(paramLabel = "DIR") Path folder) {
        PrintWriter out = spec.commandLine().getOut();
        try {
            DjlLoader loader = new DjlLoader(server.config().moderation());
            print(ModelCheck.run(folder, loader), out);
            return 0;
        } catch (DetectorException e) {
            throw new CommandException(folder + ": " + e.reason(), e);
        } finally {
            out.flush();
        }
    }

    private static void print(ModelCheck.Result result, PrintWriter out) {
        ModelSpec spec = result.folder().spec();
        String serves =
                spec.serves().stream()
                        .map(AlertType::wireName)
                        .sorted()
                        .collect(Collectors.joining(", "));
        out.printf("model     %s%s%n", result.folder().name(), spec.demo() ? " (a demo)" : "");
        out.printf("serves    %s%n", serves);
        out.printf("licence   %s%n", spec.licence());
        out.printf("device    %s%n", result.device());
        out.printf("input     %s float32%n", result.inputShape());
        out.printf("answer    %s%n", result.answerShape());
        out.printf(Locale.ROOT, "loaded    in %.0f ms%n", result.loadMs());
        out.printf(Locale.ROOT, "speed     %.1f ms a frame of 1280x720%n", result.medianMs());
        for (ModelCheck.Answer answer : result.answers()) {
            out.printf("%n%s, %dx%d%n", answer.frame(), answer.width(), answer.height());
            for (Detection found : answer.detections()) {
                out.printf(
                        Locale.ROOT,
                        "  %-8s %.4f at [%.3f, %.3f, %.3f, %.3f]%n",
                        found.type().wireName(),
                        found.confidence(),
                        found.box().x(),
                        found.box().y(),
                        found.box().width(),
                        found.box().height());
            }
        }
    }
}
