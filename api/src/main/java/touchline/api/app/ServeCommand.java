package touchline.api.app;

import java.util.concurrent.Callable;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import touchline.api.logging.ServerLog;
import touchline.config.LoadedConfig;
import touchline.config.StartWarnings;
import touchline.media.concurrent.ThreadPriority;

/** {@code serve}: runs the server in the foreground until a signal ends it. */
@Command(name = "serve", description = "Runs the server in the foreground.")
final class ServeCommand implements Callable<Integer> {
    private static final Logger log = LoggerFactory.getLogger(ServeCommand.class);

    private final Function<LoadedConfig, ? extends RunningServer> starter;

    @Mixin private ConfigOption config;

    @Option(names = "--check", description = "start, and end as soon as every listener is bound")
    private boolean check;

    /**
     * @param starter returns when every listener is bound, and throws when one cannot be
     */
    ServeCommand(Function<LoadedConfig, ? extends RunningServer> starter) {
        this(starter, new ConfigOption());
    }

    ServeCommand(Function<LoadedConfig, ? extends RunningServer> starter, ConfigOption config) {
        this.starter = starter;
        this.config = config;
    }

    @Override
    public Integer call() throws InterruptedException {
        // At once: a start is what keeps the compilers busy.
        ThreadPriority.lowerOptimizer();
        LoadedConfig loaded = config.read();
        ServerLog.apply(loaded.config().log());
        StartWarnings.of(loaded.config()).forEach(log::warn);
        if (check) {
            start(loaded).close();
            return ExitCode.OK;
        }
        return new Foreground(Foreground.CLOSE_LIMIT).reloadingAtHangup().run(() -> start(loaded));
    }

    private RunningServer start(LoadedConfig loaded) {
        return StartFailure.explained(() -> starter.apply(loaded));
    }
}
