package touchline.api.app;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import touchline.api.access.AdminSecret;
import touchline.config.ServerConfig;
import touchline.media.concurrent.ThreadPriority;

/**
 * {@code demo}: runs a server on an empty temporary folder and publishes the built-in match to it
 * through RTMP. Prints the addresses, and runs until a signal ends it.
 */
@Command(name = "demo", description = "Runs a server with a built-in match until Ctrl-C.")
final class DemoCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        ThreadPriority.lowerOptimizer();
        Path folder = Files.createTempDirectory("touchline-demo");
        String secret = AdminSecret.create();
        ServerConfig config =
                ConfigOption.apart(folder.resolve("data"), secret)
                        .with("moderation.demo-models", "true")
                        .load();
        NativeCaches.inUnlessHome(config.dataDir());
        return new Foreground(Foreground.CLOSE_LIMIT)
                .run(() -> StartFailure.explained(() -> show(config, folder, secret)));
    }

    private RunningServer show(ServerConfig config, Path folder, String secret) {
        try {
            DemoServer demo = DemoServer.start(config, folder, secret);
            PrintWriter out = spec.commandLine().getOut();
            out.print(demo.table());
            out.flush();
            return demo;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
