package touchline.api.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import touchline.api.access.AdminSecret;
import touchline.api.asset.FolderTree;
import touchline.config.ServerConfig;

/**
 * {@code train}: the AOT training run. It runs a server on an empty temporary folder and free
 * loopback ports, with an encoder and viewers, for some seconds. The launcher runs it after a build
 * and lets the JVM store loaded classes and method profiles (JEP 515). Later starts are faster and
 * compile hot methods at once.
 */
@Command(
        name = "train",
        hidden = true,
        description = "Runs a server with viewers for some seconds, as the JVM's AOT training run.")
final class TrainCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "how long viewers watch (${DEFAULT-VALUE})")
    private int seconds = 8;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("touchline-aot-trainingal");
        try {
            String secret = AdminSecret.create();
            try (Server server = Server.start(config(folder, secret))) {
                AotTraining.Result watched =
                        AotTraining.play(server, secret, Duration.ofSeconds(seconds));
                spec.commandLine().getOut().println(watched);
            }
        } finally {
            FolderTree.remove(folder);
        }
        return ExitCode.OK;
    }

    private static ServerConfig config(Path folder, String secret) {
        return ConfigOption.apart(folder.resolve("data"), secret)
                .with("api.port", "0")
                .with("playback.host", "127.0.0.1")
                .with("playback.port", "0")
                .with("rtmp.host", "127.0.0.1")
                .with("rtmp.port", "0")
                .load();
    }
}
