package touchline.api.app;

import java.io.PrintWriter;
import java.util.Optional;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ScopeType;
import touchline.config.ConfigException;
import touchline.config.LoadedConfig;

/**
 * The commands that run in a JVM. Exit codes: 0 done, 1 could not, 2 wrong usage, configuration or
 * surroundings of a server.
 */
@Command(
        name = "touchline",
        description = "A self-hosted live media server.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        scope = ScopeType.INHERIT)
public final class Main {
    private Main() {}

    /** Runs the command that the arguments name, and ends the JVM with its exit code. */
    public static void main(String[] args) {
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
        if (args.length == 1 && args[0].equals("worker")) {
            System.exit(new WorkerCommand().call());
        }
        Optional<ConfigOption> usual = ConfigOption.ofServe(args);
        System.exit(usual.isPresent() ? serve(usual.get()) : commandLine().execute(args));
    }

    /** A server with nothing but its configuration, without the classes of the command line. */
    private static int serve(ConfigOption config) {
        try {
            return new ServeCommand(Main::serve, config).call();
        } catch (Exception e) {
            PrintWriter err =
                    new PrintWriter(System.err, /* autoFlush= */ true, System.err.charset());
            return explain(e, err);
        }
    }

    /** Creates all commands with their dependencies. */
    static CommandLine commandLine() {
        return withErrors(
                new CommandLine(new Main())
                        .addSubcommand(new ServeCommand(Main::serve))
                        .addSubcommand(new DemoCommand())
                        .addSubcommand(new TrainCommand())
                        .addSubcommand(new DoctorCommand())
                        .addSubcommand(new HealthCommand())
                        .addSubcommand(new TokenCommand())
                        .addSubcommand(new ModelCommand())
                        .addSubcommand(new BackupCommand())
                        .addSubcommand(new RestoreCommand())
                        .addSubcommand(new StorageCommand())
                        .addSubcommand(new WorkerCommand()));
    }

    private static Server serve(LoadedConfig config) {
        NativeCaches.in(config.config().dataDir());
        return Server.start(config);
    }

    /** One line for an error that the operator can fix, a stack trace for a bug. */
    static CommandLine withErrors(CommandLine commands) {
        return commands.setExecutionExceptionHandler(
                (failure, command, _) -> explain(failure, command.getErr()));
    }

    /** Prints the version from the jar's manifest. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Main.class.getPackage().getImplementationVersion();
            return new String[] {"touchline " + (version == null ? "from classes" : version)};
        }
    }

    private static int explain(Exception failure, PrintWriter err) {
        if (failure instanceof ConfigException) {
            err.println("configuration:");
            err.println(failure.getMessage());
            return ExitCode.USAGE;
        }
        if (failure instanceof CommandException) {
            err.println(failure.getMessage());
            return ExitCode.SOFTWARE;
        }
        if (failure instanceof StartException) {
            err.println(failure.getMessage());
            LoggerFactory.getLogger(Main.class).debug("the server did not start", failure);
            return ExitCode.USAGE;
        }
        failure.printStackTrace(err);
        return ExitCode.SOFTWARE;
    }
}
