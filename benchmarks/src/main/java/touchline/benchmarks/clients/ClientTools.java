package touchline.benchmarks.clients;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Generators, compilers and interpreters, at fixed versions. The registries' own clients fetch them
 * once. One thread uses it.
 */
final class ClientTools {
    private static final String GENERATOR = "7.25.0";
    private static final int LAST_LINES = 40;
    private static final Path HOME =
            Path.of(System.getProperty("touchline.home", ".")).toAbsolutePath().normalize();

    private final Path work;
    private final Map<String, String> environment;
    private final String python;

    /**
     * @param work folder for tools and clients
     * @param environment what the programs read
     */
    ClientTools(Path work, Map<String, String> environment)
            throws IOException, InterruptedException {
        this.work = work;
        this.environment = Map.copyOf(environment);
        Files.createDirectories(work);
        if (!Files.exists(generator())) {
            maven(
                    HOME,
                    List.of(
                            "-N",
                            "dependency:copy",
                            "-Dartifact=org.openapitools:openapi-generator-cli:" + GENERATOR,
                            "-DoutputDirectory=" + work));
        }
        npm();
        python = findPython();
    }

    /** Copies a file of this package's resources. */
    static Path resource(String name, Path to) throws IOException {
        try (InputStream in = ClientTools.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException(name + " is not on the class path");
            }
            Files.copy(in, to, StandardCopyOption.REPLACE_EXISTING);
            return to;
        }
    }

    private Path generator() {
        return work.resolve("openapi-generator-cli-" + GENERATOR + ".jar");
    }

    private void npm() throws IOException, InterruptedException {
        Path lock = work.resolve("package-lock.json");
        byte[] before = Files.exists(lock) ? Files.readAllBytes(lock) : new byte[0];
        resource("types/package.json", work.resolve("package.json"));
        resource("types/package-lock.json", lock);
        if (!java.util.Arrays.equals(before, Files.readAllBytes(lock))
                || !Files.isDirectory(work.resolve("node_modules"))) {
            run(work, List.of("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"));
        }
    }

    /** The system's Python with the client's libraries, or one with them in a folder of its own. */
    private String findPython() throws IOException, InterruptedException {
        String libraries =
                "import dateutil, typing_extensions, urllib3, pydantic as p;"
                        + " assert p.VERSION >= '2'; assert urllib3.__version__ >= '2'";
        try {
            run(work, List.of("python3", "-c", libraries));
            return "python3";
        } catch (IOException _) {
            Path own = work.resolve("venv");
            run(work, List.of("python3", "-m", "venv", own.toString()));
            String pip = own.resolve("bin/pip").toString();
            run(
                    work,
                    List.of(pip, "install", "-q", "pydantic>=2", "urllib3>=2", "python-dateutil"));
            return own.resolve("bin/python3").toString();
        }
    }

    String python() {
        return python;
    }

    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** The document that the server serves. */
    Path document() {
        return work.resolve("openapi.yaml");
    }

    /** Runs openapi-generator with its defaults but for names. */
    void generate(String language, Path output, String properties)
            throws IOException, InterruptedException {
        run(
                work,
                List.of(
                        java(),
                        "-jar",
                        generator().toString(),
                        "generate",
                        "-g",
                        language,
                        "-i",
                        document().toString(),
                        "-o",
                        output.toString(),
                        "--additional-properties=" + properties));
    }

    void tsc(Path folder) throws IOException, InterruptedException {
        run(folder, List.of("node_modules/.bin/tsc", "-p", "."));
    }

    void maven(Path folder, List<String> goals) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(HOME.resolve("mvnw").toString(), "-q", "-B"));
        command.addAll(goals);
        run(folder, command);
    }

    /** An empty folder with the client's program and the tools of its language. */
    Path folder(GeneratedClient client) throws IOException {
        Path folder = work.resolve(client.resources());
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
        Files.createDirectories(folder);
        resource(client.resources() + "/" + client.program(), folder.resolve(client.program()));
        if (client.program().endsWith(".ts")) {
            resource("types/tsconfig.json", folder.resolve("tsconfig.json"));
            Files.writeString(folder.resolve("package.json"), "{\"type\": \"module\"}");
            Files.createSymbolicLink(folder.resolve("node_modules"), work.resolve("node_modules"));
        }
        return folder;
    }

    /**
     * Runs a command to its end.
     *
     * @throws IOException the exit code is not 0; the message has its last lines
     */
    void run(Path folder, List<String> command) throws IOException, InterruptedException {
        Path log = Files.createTempFile("touchline-client", ".log");
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(command)
                            .directory(folder.toFile())
                            .redirectErrorStream(true)
                            .redirectOutput(log.toFile());
            builder.environment().putAll(environment);
            builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
            Process process = builder.start();
            process.getOutputStream().close();
            int exit = process.waitFor();
            if (exit != 0) {
                List<String> lines = Files.readAllLines(log);
                int from = Math.max(0, lines.size() - LAST_LINES);
                throw new IOException(
                        "%s: exit code %d (expected: 0)%n%s"
                                .formatted(
                                        String.join(" ", command),
                                        exit,
                                        String.join("\n", lines.subList(from, lines.size()))));
            }
        } finally {
            Files.delete(log);
        }
    }
}
