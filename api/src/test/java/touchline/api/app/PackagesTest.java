package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.config.ConfigLoader;
import touchline.config.ServerConfig;

/**
 * The files of {@code deploy} fit the server. {@code ./touchline package check} builds the packages
 * and tries them.
 */
final class PackagesTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path DEPLOY = ROOT.resolve("deploy");
    private static final Path PACKAGE = DEPLOY.resolve("package");

    /** {@code # text} is a comment; {@code #key: value} is an example. */
    private static final Pattern EXAMPLE = Pattern.compile("(?m)^#(?! [^ ])");

    private static final Pattern MODULES =
            Pattern.compile("(?s)runtime_modules=\\(\\s*(.*?)\\s*\\)");

    @TempDir private Path folder;

    @Test
    void configuration_ofThePackage_loadsAsItIsAndWithItsExamples() throws IOException {
        String text = Files.readString(PACKAGE.resolve("touchline.yaml"));
        Path examples = folder.resolve("examples.yaml");
        Files.writeString(
                examples,
                EXAMPLE.matcher(text).replaceAll("").replace("/etc/touchline", folder.toString()));
        Path certificate = Files.writeString(folder.resolve("cert.pem"), "");
        Files.writeString(folder.resolve("key.pem"), "");
        ConfigLoader loader = new ConfigLoader(Map.of(), folder);

        ServerConfig config = loader.load(PACKAGE.resolve("touchline.yaml"));

        assertEquals("/var/lib/touchline", config.dataDir().toString());
        assertEquals(certificate, loader.load(examples).tls().cert().orElseThrow());
    }

    @Test
    void unit_startsTheInstalledServerWithItsConfiguration() throws IOException {
        String unit = Files.readString(DEPLOY.resolve("touchline.service"));

        assertTrue(
                unit.contains(
                        "\nExecStart=/usr/bin/touchline serve"
                                + " --config /etc/touchline/touchline.yaml\n"),
                unit);
        for (String line : List.of("Type=notify", "User=touchline", "StateDirectory=touchline")) {
            assertTrue(unit.contains("\n" + line + "\n"), line);
        }
    }

    @Test
    void unit_isExposedBy2AndAHalfAtMost() throws Exception {
        if (!Files.isExecutable(Path.of("/usr/bin/systemd-analyze"))) {
            return;
        }
        succeeds(
                "systemd-analyze",
                "security",
                "--offline=true",
                "--no-pager",
                "--threshold=25",
                DEPLOY.resolve("touchline.service").toString());
    }

    @Test
    void scripts_haveNoFaultsOfSyntax() throws Exception {
        for (String script : List.of("../touchline", "launcher.sh", "test-packages.sh")) {
            succeeds("bash", "-n", DEPLOY.resolve(script).toString());
        }
        for (String script : List.of("touchline", "package.sh")) {
            succeeds("bash", "-n", PACKAGE.resolve(script).toString());
        }
        for (String script : List.of("postinst", "prerm", "postrm", "config")) {
            succeeds("sh", "-n", PACKAGE.resolve("deb").resolve(script).toString());
        }
    }

    /** A worker of a server of root runs as another user, and starts from the same cache. */
    @Test
    void cacheOfTheTrainingRun_isReadableForAllUsers() throws Exception {
        Path java = Files.createDirectories(folder.resolve("jdk/bin")).resolve("java");
        Path cache = folder.resolve("server.aot");
        Files.writeString(
                java,
                """
                #!/usr/bin/env bash
                # Writes the file as a JVM does.
                umask 077
                for each in "$@"; do
                    case $each in -XX:AOTCacheOutput=*) echo cache >"${each#*=}" ;; esac
                done
                """);
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwx------"));

        succeeds(
                "bash",
                "-c",
                "jdk=$0 root=$1 dist=$1 aot=$1/server.aot; . $2; train $1/log",
                folder.resolve("jdk").toString(),
                folder.toString(),
                DEPLOY.resolve("launcher.sh").toString());

        assertEquals(
                "rw-r--r--", PosixFilePermissions.toString(Files.getPosixFilePermissions(cache)));
    }

    @Test
    void runtime_hasNoCompiler_andEveryModuleExists() throws IOException {
        Matcher list = MODULES.matcher(Files.readString(PACKAGE.resolve("package.sh")));
        assertTrue(list.find());
        Set<String> modules = new TreeSet<>(List.of(list.group(1).split("\\s+", -1)));

        assertFalse(modules.contains("jdk.compiler"));
        modules.removeIf(name -> ModuleFinder.ofSystem().find(name).isPresent());
        assertEquals(Set.of(), modules);
    }

    @Test
    void help_ofTheLauncher_namesEveryCommand() throws IOException {
        String launcher = Files.readString(ROOT.resolve("touchline"));
        List<String> missing = new ArrayList<>();
        for (String command : Main.commandLine().getSubcommands().keySet()) {
            if (!command.equals("train") && !launcher.contains("\n  " + command + " ")) {
                missing.add(command);
            }
        }

        assertEquals(List.of(), missing);
    }

    @Test
    void composeFile_writesNothingButTheVolume() throws IOException {
        JsonNode service =
                new YAMLMapper()
                        .readTree(Files.readString(DEPLOY.resolve("compose.yaml")))
                        .path("services")
                        .path("touchline");

        assertTrue(service.path("read_only").asBoolean());
        assertEquals("[\"data:/data\"]", service.path("volumes").toString());
        assertEquals(
                "[\"1935:1935\",\"8081:8081\",\"127.0.0.1:8080:8080\"]",
                service.path("ports").toString());
        assertEquals("ALL", service.path("cap_drop").path(0).asText());
    }

    private void succeeds(String... command) throws IOException, InterruptedException {
        Path output = folder.resolve("output");
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        assertTrue(process.waitFor(30, TimeUnit.SECONDS), () -> String.join(" ", command));
        assertEquals(
                0,
                process.exitValue(),
                String.join(" ", command) + "\n" + Files.readString(output));
    }
}
