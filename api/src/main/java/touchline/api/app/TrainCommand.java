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
 * {@code train}: a server on an empty temporary folder and free ports of loopback that is pushed to
 * and watched for some seconds. The launcher runs it after a build and has the JVM keep what it has
 * learned: which classes are needed, and which methods are hot (JEP 515). Later starts need less
 * time, and compile at once what this one had to find out.
 */
@Command(
        name = "train",
        hidden = true,
        description = "Runs a server that is watched for some seconds, for the JVM to learn from.")
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
