package touchline.api.app;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import touchline.api.access.AdminSecret;
import touchline.api.access.MasterKeys;
import touchline.api.access.SecretException;
import touchline.api.backup.BackupFile;
import touchline.api.backup.BackupManifest;
import touchline.api.backup.DamagedArchiveException;
import touchline.api.backup.DiskFullException;
import touchline.api.certificate.AcmeStore;
import touchline.config.ServerConfig;

/**
 * {@code backup}: writes a backup of the running server to a file, through its API. The server
 * never sends its keys: with {@code --with-keys} this command reads them where the server does.
 */
@Command(name = "backup", description = "Writes a backup of the running server to a file.")
final class BackupCommand implements Callable<Integer> {
    static final String PATH = "/system/v1/backups";

    @Mixin private ServerOption server = new ServerOption();

    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "FILE", description = "replaced when the backup is whole")
    private Path file = Path.of("");

    @Option(
            names = "--with-media",
            description = "also recordings, clips and evidence frames of moderation")
    private boolean withMedia;

    @Option(
            names = "--with-keys",
            description =
                    "also the master key, the admin secret, and the account and certificate of ACME: keep such a file like a key")
    private boolean withKeys;

    @Override
    public Integer call() {
        PrintWriter err = spec.commandLine().getErr();
        try (ApiClient client = server.client()) {
            JsonNode command = client.get(PATH).path("data").path("database_command");
            if (command.isTextual()) {
                err.println(
                        "The database is PostgreSQL, which has a tool of its own. Run it first:");
                err.println("  " + command.asText());
                if (!withMedia) {
                    return ExitCode.USAGE;
                }
                err.println("This file has the media of that database, not its rows.");
            }
            BackupFile.Secrets secrets =
                    withKeys ? secrets(server.config()) : BackupFile.Secrets.NONE;
            report(written(client, secrets));
            return ExitCode.OK;
        }
    }

    private BackupFile.Written written(ApiClient client, BackupFile.Secrets secrets) {
        try (InputStream sent = client.download(PATH + "?with_media=" + withMedia)) {
            return BackupFile.write(sent, file, secrets);
        } catch (DamagedArchiveException e) {
            throw new CommandException(
                    "the server's answer %s; its log has the reason. %s was not written"
                            .formatted(e.getMessage(), file),
                    e);
        } catch (DiskFullException e) {
            throw new CommandException("%s was not written: %s".formatted(file, e.getMessage()), e);
        } catch (IOException e) {
            // The client's stream says "closed" for whatever ended the connection.
            Throwable reason = e.getCause() == null ? e : e.getCause();
            throw new CommandException("%s was not written: %s".formatted(file, reason), e);
        }
    }

    private void report(BackupFile.Written written) {
        BackupManifest manifest = written.manifest();
        PrintWriter out = spec.commandLine().getOut();
        out.printf(
                "%s: %d files, %d bytes, schema %s, %s media, %s keys%n",
                file,
                written.files(),
                written.sizeBytes(),
                manifest.database() ? manifest.schema() : "not included",
                manifest.media() ? "with" : "without",
                withKeys ? "with" : "without");
        if (!withKeys) {
            out.printf(
                    "Keep the master key %s elsewhere: without it the secrets in this backup stay sealed%n",
                    String.join(", ", manifest.masterKeys()));
        }
        out.flush();
    }

    /** Read before the server is asked: a wrong folder must not cost an hour of copying. */
    private static BackupFile.Secrets secrets(ServerConfig config) {
        Path keyFile = config.dataDir().resolve(MasterKeys.FILE);
        Optional<String> configured = config.auth().masterKey();
        if (configured.isEmpty() && !Files.isReadable(keyFile)) {
            throw new CommandException(
                    "--with-keys: %s cannot be read: run this on the server's host as its user, and name its configuration with --config"
                            .formatted(keyFile));
        }
        Map<String, String> secrets = new LinkedHashMap<>();
        List<String> ids = new ArrayList<>();
        try {
            MasterKeys keys = MasterKeys.load(configured, config.dataDir());
            ids.addAll(keys.ids());
            secrets.put(MasterKeys.FILE, keys.fileText());
            Path adminFile = config.dataDir().resolve(AdminSecret.FILE);
            if (config.auth().adminSecret().isPresent() || Files.exists(adminFile)) {
                secrets.put(
                        AdminSecret.FILE,
                        AdminSecret.load(config.auth().adminSecret(), config.dataDir()));
            }
            for (String name : AcmeStore.KEPT) {
                Path acme = config.dataDir().resolve(AcmeStore.FOLDER).resolve(name);
                if (Files.exists(acme)) {
                    secrets.put(AcmeStore.FOLDER + "/" + name, Files.readString(acme).strip());
                }
            }
        } catch (SecretException e) {
            throw new CommandException("--with-keys: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new CommandException("--with-keys: cannot be read: " + e, e);
        }
        return manifest -> {
            if (!ids.containsAll(manifest.masterKeys())) {
                throw new CommandException(
                        "--with-keys: the keys of this configuration are %s, and the server needs %s: name the server's configuration with --config"
                                .formatted(
                                        String.join(", ", ids),
                                        String.join(", ", manifest.masterKeys())));
            }
            return secrets;
        };
    }
}
