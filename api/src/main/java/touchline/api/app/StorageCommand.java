package touchline.api.app;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import touchline.api.home.HomeOperation;
import touchline.api.home.HomeStatus;
import touchline.api.home.Verification;
import touchline.api.storage.StorageException;

/**
 * {@code storage}: moves a library to S3, and compares what is there with the database. Where a
 * server runs, it does the work and this command shows it; else this process does it.
 */
@Command(name = "storage", description = "Recordings in S3: uploads all, or verifies them.")
final class StorageCommand {
    private static final long PAUSE_MS = 500;

    /** A line of progress is printed after so many pauses. */
    private static final int PAUSES_A_LINE = 4;

    private static final double MB = 1e6;

    @Mixin private ServerOption server = new ServerOption();

    @Spec private CommandSpec spec = CommandSpec.create();

    /** Exit code 1 if files of an asset cannot be read. */
    @Command(
            name = "upload",
            description =
                    "Uploads all finished recordings, clips and evidence frames that are not in S3, and ends when they are. It may be interrupted and run again.")
    int upload() throws IOException, InterruptedException {
        try (StorageAccess access = StorageAccess.open(server)) {
            access.startUploads();
            HomeStatus printed = access.operation().status();
            HomeStatus status = printed;
            print(status, 0);
            for (int pauses = 1; isWaiting(status); pauses++) {
                access.failIfLost();
                TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
                boolean wasReachable = status.reachable();
                status = access.operation().status();
                if (wasReachable != status.reachable()) {
                    err(wasReachable ? "S3 takes no files; trying on" : "S3 takes files again");
                }
                if (pauses % PAUSES_A_LINE == 0) {
                    long bytes = status.uploadedBytes() - printed.uploadedBytes();
                    print(status, bytes * 1_000 / (PAUSE_MS * PAUSES_A_LINE));
                    printed = status;
                }
            }
            return result(status);
        }
    }

    private static boolean isWaiting(HomeStatus status) {
        return status.waitingAssets() > status.unreadable()
                || status.waitingFrames() > status.unreadableFrames();
    }

    private void print(HomeStatus status, long bytesPerSecond) {
        out().printf(
                        Locale.ROOT,
                        "%d assets in S3, %d wait with %.1f MB, %s%.1f MB/s%n",
                        status.storedAssets(),
                        status.waitingAssets(),
                        status.waitingBytes() / MB,
                        status.waitingFrames() == 0
                                ? ""
                                : status.waitingFrames() + " evidence frames wait, ",
                        bytesPerSecond / MB);
        out().flush();
    }

    private int result(HomeStatus status) {
        if (status.waitingAssets() == 0 && status.waitingFrames() == 0) {
            out().println("all finished assets are in S3");
            out().flush();
            return ExitCode.OK;
        }
        status.examples().forEach(asset -> err(asset + ": its files cannot be read on this disk"));
        if (status.waitingAssets() > 0) {
            err("%d assets were not uploaded".formatted(status.waitingAssets()));
        }
        if (status.waitingFrames() > 0) {
            err(
                    "%d evidence frames were not uploaded: their files cannot be read"
                            .formatted(status.waitingFrames()));
        }
        return ExitCode.SOFTWARE;
    }

    /** Exit code 1 if something is missing, or belongs to nothing. */
    @Command(
            name = "verify",
            description =
                    "Compares rows, indexes and objects. Exit code 1 with a list if something does not fit. Changes nothing.")
    int verify(
            @Option(
                            names = "--orphans",
                            description =
                                    "also lists objects that belong to no asset and no record")
                    boolean orphans)
            throws IOException, InterruptedException {
        try (StorageAccess access = StorageAccess.open(server)) {
            HomeOperation operation = access.operation();
            Verification.Result result = operation.verify(orphans, new Printed());
            out().printf(
                            Locale.ROOT,
                            "%d assets with %d objects and %.1f MB; %d wait for their upload%n",
                            result.assets(),
                            result.objects(),
                            result.bytes() / MB,
                            result.waiting());
            out().println(
                            result.isClean()
                                    ? "nothing is missing" + (orphans ? ", no orphans" : "")
                                    : "%d missing, %d orphans"
                                            .formatted(result.missing(), result.orphans()));
            out().flush();
            return result.isClean() ? ExitCode.OK : ExitCode.SOFTWARE;
        } catch (StorageException e) {
            throw new CommandException("S3: " + e.getMessage(), e);
        }
    }

    /** Findings on standard output, one a line, so that a script can take them. */
    private final class Printed implements Verification.Report {
        @Override
        public void progress(long checked, long all) {
            err("%d of %d assets verified".formatted(checked, all));
        }

        @Override
        public void found(Verification.Finding finding) {
            switch (finding) {
                case Verification.Finding.Missing missing ->
                        out().printf(
                                        "missing %s %s: %s%n",
                                        missing.asset(), missing.file(), missing.reason());
                case Verification.Finding.MissingFrame missing ->
                        out().printf(
                                        "missing evidence frame %s: %s%n",
                                        missing.frame(), missing.reason());
                case Verification.Finding.Orphan orphan ->
                        out().printf(
                                        "orphan  %s: %d objects, %d bytes%n",
                                        orphan.key(), orphan.objects(), orphan.bytes());
            }
        }
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }

    private void err(String line) {
        spec.commandLine().getErr().println(line);
    }
}
