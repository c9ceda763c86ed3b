package touchline.benchmarks.load;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The figures of a benchmark: Markdown tables on the console, and the same figures in a JSON file.
 * Owned by one thread.
 */
public final class Report {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String name;
    private final PrintStream out;
    private final Path folder;
    private final String startedAt = Instant.now().toString();
    private final Map<String, Table> tables = new LinkedHashMap<>();

    /**
     * @param folder for the JSON file
     */
    public Report(String name, PrintStream out, Path folder) {
        this.name = name;
        this.out = out;
        this.folder = folder;
    }

    /** The folder of the JSON file, for other files about the run. */
    public Path folder() throws IOException {
        return Files.createDirectories(folder);
    }

    /** Prints a line about the progress. */
    public void note(String format, Object... arguments) {
        out.printf(Locale.ROOT, format + "%n", arguments);
    }

    /**
     * Adds an empty table.
     *
     * @param key the table's name in the JSON file
     * @param headings with {@code " | "} between them
     */
    public Table table(String key, String headings) {
        Table table = new Table(List.of(headings.split(" \\| ", -1)));
        tables.put(key, table);
        return table;
    }

    /** Rows of cells: texts, whole numbers and fractions. */
    public static final class Table {
        private final List<String> headings;
        private final List<List<Object>> rows = new ArrayList<>();

        private Table(List<String> headings) {
            this.headings = headings;
        }

        /**
         * @param cells one for each heading
         */
        public void row(Object... cells) {
            if (cells.length != headings.size()) {
                throw new IllegalArgumentException(
                        "cells: %d (expected: %d)".formatted(cells.length, headings.size()));
            }
            rows.add(List.of(cells));
        }

        private String markdown() {
            StringBuilder text = new StringBuilder("\n| ");
            text.append(String.join(" | ", headings)).append(" |\n");
            text.append("|---".repeat(headings.size())).append("|\n");
            for (List<Object> row : rows) {
                row.forEach(cell -> text.append("| ").append(shown(cell)).append(' '));
                text.append("|\n");
            }
            return text.toString();
        }

        private void write(ArrayNode array) {
            for (List<Object> row : rows) {
                ObjectNode object = array.addObject();
                for (int i = 0; i < row.size(); i++) {
                    object.putPOJO(headings.get(i), row.get(i));
                }
            }
        }
    }

    /** Prints the tables and writes a new JSON file. */
    public void finish() throws IOException {
        ObjectNode root = JSON.createObjectNode();
        root.put("benchmark", name);
        root.put("started_at", startedAt);
        root.put("cpus", Runtime.getRuntime().availableProcessors());
        tables.forEach(
                (key, table) -> {
                    out.print(table.markdown());
                    table.write(root.putArray(key));
                });
        Path file = folder().resolve(name + "-" + startedAt.replaceAll("[:.]", "") + ".json");
        JSON.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), root);
        out.println();
        out.println("result file: " + file);
    }

    /** Fractions with three significant digits at least. */
    private static String shown(Object cell) {
        if (!(cell instanceof Double number)) {
            return cell.toString();
        }
        double size = Math.abs(number);
        int digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
        return String.format(Locale.ROOT, "%." + digits + "f", number);
    }
}
