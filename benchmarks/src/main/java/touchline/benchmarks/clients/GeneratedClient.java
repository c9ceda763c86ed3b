package touchline.benchmarks.clients;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A client in one language: how it is generated, compiled and run. Stateless. */
enum GeneratedClient {
    PYTHON("python", "python", "life.py") {
        @Override
        void generate(ClientTools tools, Path folder) throws IOException, InterruptedException {
            tools.generate("python", folder.resolve("client"), "packageName=touchline_client");
        }

        @Override
        void compile(ClientTools tools, Path folder) throws IOException, InterruptedException {
            tools.run(folder, List.of(tools.python(), "-m", "compileall", "-q", "client"));
        }

        @Override
        void live(ClientTools tools, Path folder) throws IOException, InterruptedException {
            tools.run(folder, List.of("env", "PYTHONPATH=client", tools.python(), program()));
        }
    },

    AXIOS("typescript-axios", "axios", "life.ts") {
        @Override
        void generate(ClientTools tools, Path folder) throws IOException, InterruptedException {
            tools.generate("typescript-axios", folder.resolve("client"), "importFileExtension=.js");
        }

        @Override
        void compile(ClientTools tools, Path folder) throws IOException, InterruptedException {
            tools.tsc(folder);
        }

        @Override
        void live(ClientTools tools, Path folder) throws IOException, InterruptedException {
            tools.run(folder, List.of("node", "built/life.js"));
        }
    },

    JAVA("java", "java", "Life.java") {
        @Override
        void generate(ClientTools tools, Path folder) throws IOException, InterruptedException {
            String root = "dev.touchline.client";
            tools.generate(
                    "java",
                    folder.resolve("client"),
                    "invokerPackage=%1$s,apiPackage=%1$s.api,modelPackage=%1$s.model"
                            .formatted(root));
            Files.copy(folder.resolve(program()), folder.resolve("client/src/main/java/Life.java"));
        }

        @Override
        void compile(ClientTools tools, Path folder) throws IOException, InterruptedException {
            tools.maven(
                    folder.resolve("client"),
                    List.of(
                            "compile",
                            "dependency:copy-dependencies",
                            "-DincludeScope=runtime",
                            "-DoutputDirectory=target/lib"));
        }

        @Override
        void live(ClientTools tools, Path folder) throws IOException, InterruptedException {
            tools.run(
                    folder.resolve("client"),
                    List.of(ClientTools.java(), "-cp", "target/classes:target/lib/*", "Life"));
        }
    },

    TYPES("openapi-typescript", "types", "life.ts") {
        @Override
        void generate(ClientTools tools, Path folder) throws IOException, InterruptedException {
            tools.run(
                    folder,
                    List.of(
                            "node_modules/.bin/openapi-typescript",
                            tools.document().toString(),
                            "-o",
                            "schema.d.ts"));
        }

        @Override
        void compile(ClientTools tools, Path folder) throws IOException, InterruptedException {
            tools.tsc(folder);
        }

        @Override
        void live(ClientTools tools, Path folder) throws IOException, InterruptedException {
            tools.run(folder, List.of("node", "built/life.js"));
        }
    };

    private final String title;
    private final String resources;
    private final String program;

    /**
     * @param title the generator
     * @param resources folder of this package's resources
     * @param program source of the program that uses the client
     */
    GeneratedClient(String title, String resources, String program) {
        this.title = title;
        this.resources = resources;
        this.program = program;
    }

    String title() {
        return title;
    }

    String program() {
        return program;
    }

    String resources() {
        return resources;
    }

    /** Writes the client into a folder that holds the program. */
    abstract void generate(ClientTools tools, Path folder) throws IOException, InterruptedException;

    /** Compiles client and program, with all checks of the language. */
    abstract void compile(ClientTools tools, Path folder) throws IOException, InterruptedException;

    /** Runs the program to its end. */
    abstract void live(ClientTools tools, Path folder) throws IOException, InterruptedException;

    /** Source lines of the client. */
    static long lines(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            long lines = 0;
            for (Path file : files.filter(GeneratedClient::isSource).toList()) {
                lines += Files.readAllLines(file).size();
            }
            return lines;
        }
    }

    private static boolean isSource(Path file) {
        String name = file.toString();
        return !name.contains("node_modules")
                && (name.endsWith(".py") || name.endsWith(".ts") || name.endsWith(".java"));
    }
}
