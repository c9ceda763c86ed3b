package touchline.api.app;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code health}: asks the running server whether it is ready; for health checks of containers. */
@Command(
        name = "health",
        description = "Exit code 0 if the running server is ready, 1 if it is not.")
final class HealthCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private ServerOption server = new ServerOption();

    @Override
    public Integer call() {
        try (ApiClient client = server.client()) {
            client.get("/observe/health/ready");
        }
        spec.commandLine().getOut().println("ready");
        return ExitCode.OK;
    }
}
