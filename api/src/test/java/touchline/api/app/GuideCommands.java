package touchline.api.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the commands of a guide against a server.
 *
 * @param folder where they run
 * @param port free, for what they serve themselves
 */
record GuideCommands(TestServer server, Path folder, int port) {
    private static final Logger log = LoggerFactory.getLogger(GuideCommands.class);
    private static final long LIMIT_S = 180;

    /** A guide, with the checks of what it prints and makes. */
    interface Attempt {
        void run() throws Exception;
    }

    /** The {@code sh} blocks of a guide as one script; what they start ends with it. */
    String run(String guide) throws Exception {
        return script(String.join("\n", blocks(guide, "sh")));
    }

    /** Runs a guide again where the machine was too busy for it and dropped video meanwhile. */
    void whereNothingIsDropped(Attempt guide) throws Exception {
        for (double before = dropped(); ; ) {
            try {
                guide.run();
                return;
            } catch (AssertionError e) {
                double now = dropped();
                if (now == before) {
                    throw e;
                }
                log.warn(
                        "runs again, since {} frames and renditions were dropped", now - before, e);
                before = now;
            }
        }
    }

    private double dropped() {
        MetricsPage metrics = server.metrics();
        return metrics.sum("touchline_overlay_dropped_total")
                + metrics.sum("touchline_renditions_dropped_total");
    }

    /** Runs commands of the shell, and ends what they left behind; returns what they print. */
    String script(String commands) throws Exception {
        String head = "set -euo pipefail\ntrap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n";
        return command("bash", "-c", head + commands);
    }

    /** Runs a command that must succeed; returns what it prints. */
    String command(String... command) throws Exception {
        Path output = folder.resolve("output.txt");
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile());
        builder.environment().put("API", server.api("/").toString().replaceAll("/$", ""));
        builder.environment().put("PLAYBACK", server.playback("").toString().replaceAll("/$", ""));
        builder.environment().put("TOKEN", server.token());
        builder.environment().put("PORT", String.valueOf(port));
        Process process = builder.start();
        if (!process.waitFor(LIMIT_S, TimeUnit.SECONDS)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            throw new AssertionError("not within " + LIMIT_S + " s: " + Files.readString(output));
        }
        String text = Files.readString(output, UTF_8);
        assertEquals(0, process.exitValue(), text);
        return text;
    }

    /** The content of a guide's blocks in a language, in their order. */
    static List<String> blocks(String guide, String fence) throws IOException {
        String text = Files.readString(folderOfAll().resolve(guide + ".md"));
        Matcher found = Pattern.compile("```" + fence + "\n(.*?)```", Pattern.DOTALL).matcher(text);
        List<String> blocks = new ArrayList<>();
        while (found.find()) {
            blocks.add(found.group(1));
        }
        assertTrue(!blocks.isEmpty(), guide + " has no block of " + fence);
        return blocks;
    }

    /** The folder {@code docs/guides}. */
    static Path folderOfAll() {
        Path here = Path.of("").toAbsolutePath();
        Path own = here.resolve("docs/guides");
        return Files.exists(own) ? own : here.resolveSibling("docs/guides");
    }
}
