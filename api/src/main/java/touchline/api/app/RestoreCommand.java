package touchline.api.app;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import touchline.api.access.MasterKeys;
import touchline.api.backup.DamagedArchiveException;
import touchline.api.backup.Restore;
import touchline.api.backup.RestoreException;

/** {@code restore}: makes a data folder from a backup, without a server. */
@Command(name = "restore", description = "Restores a backup into an empty data folder.")
final class RestoreCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "FILE", description = "from the command backup")
    private Path file = Path.of("");

    @Option(
            names = "--data-dir",
            required = true,
            paramLabel = "DIR",
            description = "an empty folder, or one that does not exist")
    private Path dataDir = Path.of("");

    @Override
    public Integer call() {
        try {
            Restore.requireEmpty(dataDir);
            try (InputStream archive = Files.newInputStream(file)) {
                Path prepared = DataFolder.prepare(dataDir);
                try (AutoCloseable _ = DataFolder.lock(prepared)) {
                    report(Restore.run(archive, Files.size(file), prepared, Clock.systemUTC()));
                }
            }
            return ExitCode.OK;
        } catch (NoSuchFileException e) {
            throw new CommandException(e.getFile() + ": no such file", e);
        } catch (DamagedArchiveException e) {
            throw new CommandException(
                    "%s %s: nothing was restored".formatted(file, e.getMessage()), e);
        } catch (RestoreException e) {
            throw new CommandException(
                    "%s: %s; nothing was restored".formatted(file, e.getMessage()), e);
        } catch (IOException | UncheckedIOException e) {
            throw new CommandException(
                    "%s: nothing was restored: %s".formatted(file, e.getMessage()), e);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new CommandException("closing the lock: " + e, e);
        }
    }

    private void report(Restore.Report report) {
        PrintWriter out = spec.commandLine().getOut();
        out.printf(
                "%s: the backup of %s by Touchline %s, %d rows, schema %s%n",
                dataDir,
                report.manifest().createdAt(),
                report.manifest().touchline(),
                report.rows(),
                report.manifest().schema());
        if (!report.manifest().database()) {
            out.println(
                    "It has no rows: restore the PostgreSQL database with pg_restore before the start");
        }
        if (report.assetsWithoutFiles() > 0) {
            out.printf(
                    "%d of %d assets have no files in this backup: they become errored (files_missing) until a start finds their folders in %s%n",
                    report.assetsWithoutFiles(), report.assets(), dataDir.resolve("assets"));
        }
        if (!report.missingKeys().isEmpty()) {
            out.printf(
                    "The master key %s is not in this backup, and the server does not start without it: give it as auth.master-key (TOUCHLINE_MASTER_KEY), or copy the file %s of the old data folder to %s, mode 600%n",
                    String.join(", ", report.missingKeys()),
                    MasterKeys.FILE,
                    dataDir.resolve(MasterKeys.FILE));
        }
        out.printf("Start it with: TOUCHLINE_DATA_DIR=%s ./touchline serve%n", dataDir);
        out.flush();
    }
}
