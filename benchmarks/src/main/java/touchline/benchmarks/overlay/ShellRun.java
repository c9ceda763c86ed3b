package touchline.benchmarks.overlay;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** One command line, and what it cost. */
final class ShellRun {
    private ShellRun() {}

    /**
     * User and system time of a command and its children.
     *
     * @throws IOException it ended with another code than 0
     */
    static double cpuSeconds(String line) throws IOException, InterruptedException {
        Path usage = Files.createTempFile("touchline-bench", ".time");
        Path log = Path.of(usage + ".log");
        try {
            List<String> command = new ArrayList<>(List.of("bash", "-c"));
            command.add("TIMEFORMAT='%U %S'; time { " + line + "; } 2> \"$0\".log");
            command.add(usage.toString());
            Process process = new ProcessBuilder(command).redirectError(usage.toFile()).start();
            process.getOutputStream().close();
            if (process.waitFor() != 0) {
                throw new IOException("the command failed: " + Files.readString(log));
            }
            String[] seconds = Files.readString(usage).strip().split(" ", -1);
            return Double.parseDouble(seconds[0]) + Double.parseDouble(seconds[1]);
        } finally {
            Files.deleteIfExists(log);
            Files.delete(usage);
        }
    }
}
